// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/geometry.hpp"

namespace hl_soccer {

using hl_description::Pose2;

/// Where the robot believes to be: base_footprint in map.
struct PoseBelief {
  double stamp = 0.0;  // s
  Pose2 pose;
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Identity() * 1e3;  // x, y, yaw; 1e3 or more = unknown
  double confidence = 0.0;                                         // 0..1
  bool known() const { return confidence > 0.0; }
};

/// Ball or robot: positions in base_footprint at `stamp` of the model, velocities against the ground in the same axes.
struct BallBelief {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();              // m
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();              // m/s
  Eigen::Matrix4d covariance = Eigen::Matrix4d::Identity() * 1e3;  // position, velocity
  double last_seen = -1e9;                                         // s
  double confidence = 0.0;                                         // 0..1; 0 = unknown
  int source = 0;  // who says so: 0 = own eyes, else the team mate's number
};

enum class Team : std::uint8_t { Unknown, Own, Rival };

struct RobotBelief {
  int id = 0;                                                // stays with the robot while it is tracked
  Eigen::Vector2d position = Eigen::Vector2d::Zero();        // m
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();        // m/s
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Identity();  // of the position
  Team team = Team::Unknown;
  std::optional<int> number;
  double last_seen = -1e9;  // s
  double confidence = 0.0;
  int source = 0;  // as for the ball
};

/// What the robot believes about its surroundings: the message Model without ROS.
struct Model {
  double stamp = 0.0;  // s, time the estimate is valid for
  PoseBelief pose;
  BallBelief ball;
  std::vector<RobotBelief> robots;
};

enum class Role : std::uint8_t { Idling, Other, Striker, Supporter, Defender, Goalie };
enum class Action : std::uint8_t { Undefined, Positioning, GoingToBall, TryingToScore, Waiting };
enum class Activity : std::uint8_t { Inactive, Active, Penalized };
enum class OffensiveSide : std::uint8_t { Unspecified, Left, Right, Centre };  // as TeamData numbers it

struct BelievedPoint {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  // m
  double confidence = 0.0;
};

/// What a team mate said last.
struct TeamMate {
  int number = 0;
  double stamp = 0.0;  // s, when it was said, in our clock
  Role role = Role::Idling;
  Action action = Action::Undefined;
  Activity activity = Activity::Inactive;
  std::optional<Pose2> pose;  // map
  Eigen::Matrix3d pose_covariance = Eigen::Matrix3d::Identity() * 1e3;
  double pose_confidence = 0.0;
  std::optional<BelievedPoint> ball;     // relative to that robot
  std::vector<BelievedPoint> opponents;  // map
  std::optional<double> time_to_ball;    // s
  OffensiveSide offensive_side = OffensiveSide::Unspecified;
};

}  // namespace hl_soccer
