// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <string>

#include "hl_description/geometry.hpp"

namespace hl_path_planning {

using Eigen::Vector2d;
using hl_description::Pose2;
using hl_description::wrap_angle;

/// Commanded velocity in base_footprint: m/s ahead, m/s to the left, rad/s counter-clockwise.
struct Velocity {
  double x = 0.0, y = 0.0, yaw = 0.0;

  Vector2d linear() const { return {x, y}; }
  bool is_zero() const { return x == 0.0 && y == 0.0 && yaw == 0.0; }
  bool finite() const { return std::isfinite(x) && std::isfinite(y) && std::isfinite(yaw); }
};

/// What the walk can do. Walking ahead, aside and turning at once asks more of the legs than each alone: the sum of
/// the parts of each limit may be 1 (hl_walking cuts to the same rule).
struct WalkingLimits {
  double forward = 0.40, backward = 0.22, sideways = 0.16;  // m/s
  double turn = 1.1;                                        // rad/s
  double acceleration = 0.5;                                // m/s^2, as the robot really gets going and stops
  double turn_acceleration = 2.5;                           // rad/s^2
  double delay = 0.25;                                      // s until a command shows: about a step
  double start_delay = 0.30;                                // s from a stand until the first step is taken

  bool valid() const;
  /// Part of the limits that this velocity takes; 1 = all.
  double parts(const Velocity& v) const;
  /// The same velocity, shortened to what the walk can do.
  Velocity cut(const Velocity& v) const;
  /// Fastest walk in a direction (rad, base_footprint), m/s.
  double speed_towards(double direction) const;
};

enum class GoalKind : std::uint8_t { Pose, KickPose, Follow, Orbit, Velocity };
enum class HeadingMode : std::uint8_t { Free, Goal, Keep, At };
enum class Foot : std::uint8_t { Any, Left, Right };
enum class Frame : std::uint8_t { Map, Odom, BaseFootprint, Unknown };

/// The goal of the action `navigate` without ROS; values of the enumerations are those of the action.
struct Goal {
  double stamp = 0.0;  // s, time of the positions
  Frame frame = Frame::Map;
  GoalKind kind = GoalKind::Pose;
  Pose2 pose;                                   // Pose: where to; Follow: where to stand, seen from the target
  Vector2d ball = Vector2d::Zero();             // m, KickPose and Orbit
  Vector2d ball_velocity = Vector2d::Zero();    // m/s
  double direction = 0.0;                       // rad, way of the ball
  Foot foot = Foot::Any;                        // KickPose
  Vector2d target = Vector2d::Zero();           // m, Follow
  Vector2d target_velocity = Vector2d::Zero();  // m/s
  double radius = 0.0;                          // m, Orbit; 0 = as near as is safe
  Velocity velocity;                            // Velocity
  HeadingMode heading = HeadingMode::Free;      // on the way
  Vector2d look_at = Vector2d::Zero();          // m, HeadingMode::At
  bool avoid_ball = false;                      // the ball is an obstacle
  double speed_limit = 0.0;                     // m/s; 0 = as fast as the robot can
  double position_tolerance = 0.0;              // m; 0 = default
  double heading_tolerance = 0.0;               // rad; 0 = default
};

enum class Outcome : std::uint8_t { Reached, NoWay, NoProgress, BadGoal, Lost, Replaced, Cancelled, NotAllowed };

struct Result {
  Outcome outcome = Outcome::Reached;
  std::string reason;  // in words
};

inline bool finite(const Vector2d& v) {
  return std::isfinite(v.x()) && std::isfinite(v.y());
}

/// A place near enough to be on any field; not a number is not.
inline bool plausible(const Vector2d& place) {
  return place.norm() < 100.0;
}

/// The same for a velocity, m/s.
inline bool plausible_speed(const Vector2d& velocity) {
  return velocity.norm() < 10.0;
}

inline double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

inline double angle_of(const Vector2d& v) {
  return std::atan2(v.y(), v.x());
}

inline Vector2d unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace hl_path_planning
