// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>

namespace hl_walking {

/// The linear inverted pendulum, x and y alike, in the frame of the support foot. Its state is the centre of mass and
/// the divergent component of motion (DCM) xi = com + com_velocity / omega, which runs away from the zero-moment
/// point (ZMP) as xi' = omega (xi - zmp), while the centre of mass always follows it: com' = omega (xi - com).
struct Pendulum {
  double omega = 5.0;  // 1/s, sqrt(g / height)
  Eigen::Vector2d com = Eigen::Vector2d::Zero();
  Eigen::Vector2d dcm = Eigen::Vector2d::Zero();

  /// Exact solution after `dt` with the ZMP at rest in `zmp`.
  void advance(const Eigen::Vector2d& zmp, double dt);
};

/// The ZMP of one step: it goes in a straight line from `from` to `to` in `double_support`, then rests until
/// `duration`.
struct ZmpStep {
  Eigen::Vector2d from = Eigen::Vector2d::Zero();
  Eigen::Vector2d to = Eigen::Vector2d::Zero();
  double double_support = 0.0;
  double duration = 0.0;

  Eigen::Vector2d zmp(double time) const;

  /// The DCM at the end of the step if it is `dcm` at `time`.
  Eigen::Vector2d dcm_at_end(const Eigen::Vector2d& dcm, double time, double omega) const;

  /// The DCM at the start of the step that leads to `dcm_end`.
  Eigen::Vector2d dcm_at_start(const Eigen::Vector2d& dcm_end, double omega) const;
};

/// The constant ZMP shift which, held from `time` to the end of the step, brings the DCM from `dcm` to `dcm_end`.
Eigen::Vector2d zmp_shift(const ZmpStep& step, const Eigen::Vector2d& dcm, double time, const Eigen::Vector2d& dcm_end,
                          double omega);

}  // namespace hl_walking
