// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>

namespace hl_hardware_cm730 {

/// Orientation from gyro and accelerometer: the gyro is integrated, the accelerometer pulls slowly towards the
/// vertical, and the gyro's bias is measured whenever the robot is at rest. Yaw has no reference and only stays as good
/// as the bias. Nothing here allocates.
class AttitudeFilter {
 public:
  struct Params {
    double time_constant = 1.0;      // s in which a wrong tilt fades towards the accelerometer's
    double bias_time_constant = 20;  // s for the slow bias correction while moving (tilt axes only)
    double accel_tolerance = 1.5;    // m/s^2 from 1 g beyond which a sample says nothing about the vertical
    double rest_rate = 0.15;         // rad/s within which a gyro axis must stay to count as at rest (a few LSB)
    double rest_accel = 0.6;         // m/s^2 within which the accelerometer must stay
    double rest_time = 1.0;          // s of stillness that make a measurement of the bias
    double max_bias = 0.35;          // rad/s, more is a fault or a turn
    std::optional<std::string> validate() const;
  };

  AttitudeFilter() : AttitudeFilter(Params()) {}
  explicit AttitudeFilter(const Params& params);

  void reset();

  /// One sample, body axes; `stamp` in s. A gap longer than half a second starts anew from the accelerometer.
  void update(const Eigen::Vector3d& gyro, const Eigen::Vector3d& accel, double stamp);

  const Eigen::Quaterniond& orientation() const { return orientation_; }  // body in a level frame, yaw from start
  const Eigen::Vector3d& bias() const { return bias_; }                   // rad/s
  Eigen::Vector3d rate() const { return rate_; }                          // rad/s, bias removed
  bool calibrated() const { return calibrated_; }                         // the bias was measured at rest

 private:
  void start(const Eigen::Vector3d& accel, double stamp);
  void watch_for_rest(const Eigen::Vector3d& gyro, const Eigen::Vector3d& accel, double stamp);

  Params params_;
  Eigen::Quaterniond orientation_ = Eigen::Quaterniond::Identity();
  Eigen::Vector3d bias_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d rate_ = Eigen::Vector3d::Zero();
  double stamp_ = 0.0;
  bool running_ = false;
  bool calibrated_ = false;

  // The window that is being watched for rest.
  double rest_start_ = 0.0;
  int rest_samples_ = 0;
  Eigen::Vector3d gyro_min_, gyro_max_, gyro_sum_, accel_min_, accel_max_;
};

}  // namespace hl_hardware_cm730
