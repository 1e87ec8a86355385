// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/balance.hpp"

#include <algorithm>

namespace hl_walking {
namespace {

constexpr double kMaxCorrection = 0.35;  // rad; more would throw the robot rather than hold it

double low_pass(double dt, double time_constant) {
  return dt / (dt + time_constant);
}

Eigen::Vector2d bounded(const Eigen::Vector2d& v) {
  return v.cwiseMax(-kMaxCorrection).cwiseMin(kMaxCorrection);
}

}  // namespace

void Balance::reset() {
  tilt_.setZero();
  rate_.setZero();
}

void Balance::update(const Attitude& attitude, double planned_pitch, double dt) {
  const Eigen::Vector2d tilt(attitude.roll, attitude.pitch - planned_pitch);
  const Eigen::Vector2d rate(attitude.roll_rate, attitude.pitch_rate);
  if (!tilt.allFinite() || !rate.allFinite()) return fade(dt);
  tilt_ += low_pass(dt, params_.attitude_filter) * (tilt - tilt_);
  rate_ += low_pass(dt, params_.gyro_filter) * (rate - rate_);
}

void Balance::fade(double dt) {
  constexpr double kFade = 0.1;  // s
  tilt_ -= low_pass(dt, kFade) * tilt_;
  rate_ -= low_pass(dt, kFade) * rate_;
}

Eigen::Vector2d Balance::ankle() const {
  return bounded({params_.ankle_roll_p * tilt_.x() + params_.ankle_roll_d * rate_.x(),
                  params_.ankle_pitch_p * tilt_.y() + params_.ankle_pitch_d * rate_.y()});
}

Eigen::Vector2d Balance::hip() const {
  return bounded({-params_.hip_roll_p * tilt_.x() - params_.hip_roll_d * rate_.x(),
                  -params_.hip_pitch_p * tilt_.y() - params_.hip_pitch_d * rate_.y()});
}

Eigen::Vector2d Balance::dcm_error(double com_height, double omega) const {
  // A positive pitch tips forward (+x), a positive roll to the right (-y).
  const Eigen::Vector2d lean = tilt_ + rate_ / omega;
  return {com_height * lean.y(), -com_height * lean.x()};
}

Eigen::Vector2d Sway::unusual(const Eigen::Vector2d& value, double phase) {
  constexpr double kLearn = 0.05;       // per tick
  constexpr double kInnovation = 0.01;  // m; a push must not become the custom
  const auto bin = static_cast<std::size_t>(std::clamp(phase, 0.0, 0.999) * kBins);
  Eigen::Vector2d difference = value - mean_[bin];
  mean_[bin] += kLearn * difference.cwiseMax(-kInnovation).cwiseMin(kInnovation);
  return difference;
}

}  // namespace hl_walking
