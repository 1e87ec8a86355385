// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_description/geometry.hpp"
#include "hl_description/robot_model.hpp"

namespace hl_walking {

using hl_description::above;
using hl_description::mirrored;
using hl_description::on_ground;
using hl_description::other;
using hl_description::Pose2;
using hl_description::Side;
using hl_description::sign;  // +1 on the left, -1 on the right: the direction of the y axis towards that side
using hl_description::wrap_angle;

/// A velocity in the walking frame: x forward, y left (m/s), yaw counter-clockwise (rad/s).
struct Velocity {
  double x = 0.0, y = 0.0, yaw = 0.0;
  bool is_zero() const { return x == 0.0 && y == 0.0 && yaw == 0.0; }
};

/// Single steps, each from the neutral stance of the foot that steps.
struct StepsOrder {
  Pose2 step;  // m, m, rad
  int count = 0;
};

}  // namespace hl_walking
