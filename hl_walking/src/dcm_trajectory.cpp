// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/dcm_trajectory.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

using Eigen::Vector2d;

/// The DCM after `time` while the ZMP runs from `from` with `rate`; a negative time goes back.
Vector2d run(const Vector2d& dcm, const Vector2d& from, const Vector2d& rate, double time, double omega) {
  const Vector2d lead = rate / omega;
  return from + rate * time + lead + (dcm - from - lead) * std::exp(omega * time);
}

}  // namespace

void Pendulum::advance(const Vector2d& zmp, double dt) {
  const double grow = std::exp(omega * dt);
  const Vector2d runaway = dcm - zmp;
  const Vector2d settling = com - zmp - runaway / 2.0;
  com = zmp + runaway / 2.0 * grow + settling / grow;
  dcm = zmp + runaway * grow;
}

Vector2d ZmpStep::zmp(double time) const {
  if (time >= double_support) return to;
  return from + (to - from) * std::max(0.0, time) / double_support;
}

Vector2d ZmpStep::dcm_at_end(const Vector2d& dcm, double time, double omega) const {
  Vector2d d = dcm;
  if (time < double_support) {
    d = run(d, zmp(time), (to - from) / double_support, double_support - time, omega);
    time = double_support;
  }
  return run(d, to, Vector2d::Zero(), std::max(0.0, duration - time), omega);
}

Vector2d ZmpStep::dcm_at_start(const Vector2d& dcm_end, double omega) const {
  Vector2d landed = run(dcm_end, to, Vector2d::Zero(), double_support - duration, omega);
  if (double_support <= 0.0) return landed;
  return run(landed, to, (to - from) / double_support, -double_support, omega);
}

Vector2d zmp_shift(const ZmpStep& step, const Vector2d& dcm, double time, const Vector2d& dcm_end, double omega) {
  const double grow = std::exp(omega * std::max(1e-3, step.duration - time));
  return (dcm_end - step.dcm_at_end(dcm, time, omega)) / (1.0 - grow);
}

}  // namespace hl_walking
