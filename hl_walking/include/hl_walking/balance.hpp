// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>

#include "hl_walking/params.hpp"

namespace hl_walking {

/// The torso's tilt against the vertical and its turn rates, x forward, y left.
struct Attitude {
  double roll = 0.0, pitch = 0.0;            // rad
  double roll_rate = 0.0, pitch_rate = 0.0;  // rad/s
};

/// Turns the torso's attitude error into small rotations of ankle and hip, and into the error of the divergent
/// component of motion that a step must catch.
class Balance {
 public:
  /// `params` must outlive it.
  explicit Balance(const Params& params) : params_(params) {}

  void reset();

  /// One sample; `planned_pitch` is the lean the posture asks for.
  void update(const Attitude& attitude, double planned_pitch, double dt);

  /// Without an IMU: the corrections fade.
  void fade(double dt);

  Eigen::Vector2d ankle() const;  // rad: roll, pitch to add to the loaded foot, seen from the torso
  Eigen::Vector2d hip() const;    // rad: roll, pitch to add to the torso
  Eigen::Vector2d tilt() const { return tilt_; }

  /// DCM error, m, x and y, of a body of height `com_height` that tilts about its foot.
  Eigen::Vector2d dcm_error(double com_height, double omega) const;

 private:
  const Params& params_;
  Eigen::Vector2d tilt_ = Eigen::Vector2d::Zero();  // roll, pitch error, rad
  Eigen::Vector2d rate_ = Eigen::Vector2d::Zero();  // rad/s
};

/// Learns how the robot sways in every undisturbed step, so that only what differs from it counts as a disturbance.
class Sway {
 public:
  Sway() { reset(); }
  void reset() { mean_.fill(Eigen::Vector2d::Zero()); }

  /// `value` (m, as the left foot carries: y mirrored for the right) at `phase` (0..1) of the step; returns what is
  /// unusual.
  Eigen::Vector2d unusual(const Eigen::Vector2d& value, double phase);

 private:
  static constexpr std::size_t kBins = 16;
  std::array<Eigen::Vector2d, kBins> mean_;
};

}  // namespace hl_walking
