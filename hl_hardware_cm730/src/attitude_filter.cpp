// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/attitude_filter.hpp"

#include <algorithm>
#include <cmath>

#include "hl_hardware_cm730/control_table.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr double kLongestGap = 0.5;  // s
constexpr int kFewestRestSamples = 20;

}  // namespace

std::optional<std::string> AttitudeFilter::Params::validate() const {
  const auto positive = [](const char* name, double value) -> std::optional<std::string> {
    if (value > 0.0 && std::isfinite(value)) return std::nullopt;
    return std::string(name) + " is " + std::to_string(value) + ", must be positive";
  };
  for (const auto& [name, value] :
       {std::pair("time_constant", time_constant), std::pair("bias_time_constant", bias_time_constant),
        std::pair("accel_tolerance", accel_tolerance), std::pair("rest_rate", rest_rate),
        std::pair("rest_accel", rest_accel), std::pair("rest_time", rest_time), std::pair("max_bias", max_bias)}) {
    if (auto problem = positive(name, value)) return problem;
  }
  return std::nullopt;
}

AttitudeFilter::AttitudeFilter(const Params& params) : params_(params) {
  reset();
}

void AttitudeFilter::reset() {
  running_ = calibrated_ = false;
  orientation_.setIdentity();
  bias_.setZero();
  rate_.setZero();
  rest_samples_ = 0;
}

void AttitudeFilter::start(const Eigen::Vector3d& accel, double stamp) {
  // Keep the heading, take the tilt from the accelerometer.
  const Eigen::Vector3d forward = orientation_ * Eigen::Vector3d::UnitX();
  const double yaw = running_ || calibrated_ ? std::atan2(forward.y(), forward.x()) : 0.0;
  const Eigen::Quaterniond tilt = Eigen::Quaterniond::FromTwoVectors(accel, Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d tilted = tilt * Eigen::Vector3d::UnitX();
  orientation_ = Eigen::AngleAxisd(yaw - std::atan2(tilted.y(), tilted.x()), Eigen::Vector3d::UnitZ()) * tilt;
  stamp_ = stamp;
  running_ = true;
  rest_samples_ = 0;
}

void AttitudeFilter::update(const Eigen::Vector3d& gyro, const Eigen::Vector3d& accel, double stamp) {
  if (!gyro.allFinite() || !accel.allFinite()) return;
  const double norm = accel.norm();
  if (!running_ || stamp - stamp_ > kLongestGap || stamp < stamp_) {
    if (norm > 0.5 * kGravity) start(accel, stamp);
    return;
  }
  const double dt = stamp - stamp_;
  stamp_ = stamp;
  if (dt <= 0.0) return;
  watch_for_rest(gyro, accel, stamp);

  rate_ = gyro - bias_;
  Eigen::Vector3d correction = Eigen::Vector3d::Zero();
  if (std::abs(norm - kGravity) < params_.accel_tolerance) {
    // The rotation, in the body, that would turn the estimated vertical into the measured one.
    const Eigen::Vector3d up = orientation_.conjugate() * Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d error = (accel / norm).cross(up);
    correction = error / params_.time_constant;
    if (calibrated_) {
      bias_ -= error * (dt / (params_.time_constant * params_.bias_time_constant));
      bias_ = bias_.cwiseMax(-params_.max_bias).cwiseMin(params_.max_bias);
    }
  }
  const Eigen::Vector3d turn = (rate_ + correction) * dt;
  const double angle = turn.norm();
  if (angle > 1e-12) orientation_ = orientation_ * Eigen::AngleAxisd(angle, turn / angle);
  orientation_.normalize();
}

void AttitudeFilter::watch_for_rest(const Eigen::Vector3d& gyro, const Eigen::Vector3d& accel, double stamp) {
  if (rest_samples_ == 0) {
    rest_start_ = stamp;
    gyro_min_ = gyro_max_ = gyro;
    accel_min_ = accel_max_ = accel;
    gyro_sum_.setZero();
  }
  ++rest_samples_;
  gyro_sum_ += gyro;
  gyro_min_ = gyro_min_.cwiseMin(gyro);
  gyro_max_ = gyro_max_.cwiseMax(gyro);
  accel_min_ = accel_min_.cwiseMin(accel);
  accel_max_ = accel_max_.cwiseMax(accel);
  if ((gyro_max_ - gyro_min_).maxCoeff() > params_.rest_rate ||
      (accel_max_ - accel_min_).maxCoeff() > params_.rest_accel) {
    rest_samples_ = 0;
    return;
  }
  if (stamp - rest_start_ < params_.rest_time || rest_samples_ < kFewestRestSamples) return;
  const Eigen::Vector3d mean = gyro_sum_ / rest_samples_;
  rest_samples_ = 0;
  if (mean.cwiseAbs().maxCoeff() > params_.max_bias) return;  // turning smoothly is not rest
  bias_ = calibrated_ ? Eigen::Vector3d(0.5 * (bias_ + mean)) : mean;
  calibrated_ = true;
}

}  // namespace hl_hardware_cm730
