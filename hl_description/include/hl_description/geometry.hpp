// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace hl_description {

constexpr double kGravity = 9.81;  // m/s^2

/// The same angle in -pi..pi.
inline double wrap_angle(double angle) {
  return std::remainder(angle, 2.0 * M_PI);
}

/// A pose on the ground: m, m, rad.
struct Pose2 {
  double x = 0.0, y = 0.0, yaw = 0.0;

  Eigen::Vector2d position() const { return {x, y}; }
  Eigen::Rotation2Dd rotation() const { return Eigen::Rotation2Dd(yaw); }
  Eigen::Vector2d heading() const { return {std::cos(yaw), std::sin(yaw)}; }  // unit vector ahead

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

  bool finite() const { return std::isfinite(x) && std::isfinite(y) && std::isfinite(yaw); }
};

/// The same place seen from the other side of the robot's middle plane.
inline Pose2 mirrored(const Pose2& pose) {
  return {pose.x, -pose.y, -pose.yaw};
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

/// How far a body leans, rad: roll to the right, pitch to the front (REP-103 axes), whatever its heading.
struct Tilt {
  double roll = 0.0, pitch = 0.0;
};

/// The world's "up" in the body's axes.
inline Eigen::Vector3d up_of(const Eigen::Quaterniond& world_from_body) {
  const auto& q = world_from_body;
  return {2.0 * (q.x() * q.z() - q.w() * q.y()), 2.0 * (q.y() * q.z() + q.w() * q.x()),
          1.0 - 2.0 * (q.x() * q.x() + q.y() * q.y())};
}

inline Tilt tilt_of_up(const Eigen::Vector3d& up) {
  return {std::atan2(up.y(), up.z()), std::atan2(-up.x(), std::hypot(up.y(), up.z()))};
}

/// `world_from_body` need not be normalised; not a number gives not a number.
inline Tilt tilt_of(const Eigen::Quaterniond& world_from_body) {
  return tilt_of_up(up_of(world_from_body.normalized()));
}

inline double yaw_of(const Eigen::Quaterniond& q) {
  return std::atan2(2.0 * (q.w() * q.z() + q.x() * q.y()), 1.0 - 2.0 * (q.y() * q.y() + q.z() * q.z()));
}

}  // namespace hl_description
