// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "hl_description/robot_model.hpp"

namespace hl_walking {

using hl_description::other;
using hl_description::Side;
using hl_description::sign;  // +1 on the left, -1 on the right: the direction of the y axis towards that side

/// A velocity in the walking frame: x forward, y left (m/s), yaw counter-clockwise (rad/s).
struct Velocity {
  double x = 0.0, y = 0.0, yaw = 0.0;
  bool is_zero() const { return x == 0.0 && y == 0.0 && yaw == 0.0; }
};

/// A pose on the ground: m, m, rad.
struct Pose2 {
  double x = 0.0, y = 0.0, yaw = 0.0;

  Eigen::Vector2d position() const { return {x, y}; }
  Eigen::Rotation2Dd rotation() const { return Eigen::Rotation2Dd(yaw); }

  /// A point of this pose's frame, seen in the frame this pose is given in.
  Eigen::Vector2d operator*(const Eigen::Vector2d& point) const { return position() + rotation() * point; }

  Pose2 operator*(const Pose2& next) const {
    const Eigen::Vector2d p = *this * next.position();
    return {p.x(), p.y(), yaw + next.yaw};
  }

  Pose2 inverse() const {
    const Eigen::Vector2d p = rotation().inverse() * Eigen::Vector2d(-x, -y);
    return {p.x(), p.y(), -yaw};
  }
};

/// The same place seen from the other side of the robot's middle plane.
inline Pose2 mirrored(const Pose2& pose) {
  return {pose.x, -pose.y, -pose.yaw};
}

inline double wrap_angle(double angle) {
  return std::remainder(angle, 2.0 * M_PI);
}

/// Where a frame with upright z stands on the ground.
inline Pose2 on_ground(const Eigen::Isometry3d& t) {
  return {t.translation().x(), t.translation().y(), std::atan2(t.linear()(1, 0), t.linear()(0, 0))};
}

/// The upright frame at `pose`, `height` above the ground.
inline Eigen::Isometry3d above(const Pose2& pose, double height) {
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.translation() = Eigen::Vector3d(pose.x, pose.y, height);
  t.linear() = Eigen::AngleAxisd(pose.yaw, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return t;
}

}  // namespace hl_walking
