// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_walking/types.hpp"

namespace hl_walking {

/// A point that moves with the least jerk to a target which may still change: each tick continues the quintic through
/// the present position, speed and acceleration, so that a new target or time never makes it jump.
class MovingSpline {
 public:
  void start(double position);

  /// Goes on by `dt` towards `target`, to be reached at rest in `remaining` (counted from before this tick).
  double advance(double target, double remaining, double dt);

  double position() const { return position_; }
  double velocity() const { return velocity_; }

 private:
  double position_ = 0.0, velocity_ = 0.0, acceleration_ = 0.0;
};

/// Height of the swing foot over the part `phase` (0..1) of the swing: up to `lift` at `apex`, down to -`depth` at the
/// end, at rest at all three.
double swing_height(double phase, double lift, double apex, double depth);

/// The swing foot over the ground: x, y, yaw by moving splines.
class SwingTrajectory {
 public:
  void start(const Pose2& lift_off);
  void advance(const Pose2& target, double remaining, double dt);
  Pose2 pose() const { return {x_.position(), y_.position(), yaw_.position()}; }

 private:
  MovingSpline x_, y_, yaw_;
};

}  // namespace hl_walking
