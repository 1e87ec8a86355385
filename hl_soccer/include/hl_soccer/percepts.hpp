// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "hl_description/field.hpp"

namespace hl_soccer {

/// Everything below: metres in base_footprint at the moment the picture was taken, x ahead, y left; confidence 0..1.

struct SeenBall {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();               // below its centre, on the ground
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Identity() * 1e-2;  // m^2
  double confidence = 0.0;
};

struct SeenGoal {
  Eigen::Vector2d left_post, right_post;  // feet, as seen from here; equal if only one was seen
  double confidence = 0.0;
  bool both() const { return left_post != right_post; }
};

enum class ObstacleKind : std::uint8_t { Undefined, RobotUndefined, RobotRed, RobotBlue, Human, Pole };

struct SeenObstacle {
  ObstacleKind kind = ObstacleKind::Undefined;
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  // of its foot
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Identity() * 1e-2;
  double width = 0.0;         // m; 0 = unknown
  std::optional<int> number;  // on the robot's body
  double confidence = 0.0;
};

struct SeenSegment {
  Eigen::Vector2d from, to;  // on the centre of the field line
  double confidence = 0.0;
};

struct SeenCrossing {
  hl_description::Field::Crossing type = hl_description::Field::Crossing::L;
  Eigen::Vector2d position = Eigen::Vector2d::Zero();
  std::vector<Eigen::Vector2d> arms;  // unit vectors along the lines that meet, away from the crossing; may be empty
  double confidence = 0.0;
};

struct SeenCircle {
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();  // of the centre circle
  double confidence = 0.0;
};

/// A landmark whose name is told with it (other bodies see flags).
struct SeenLandmark {
  Eigen::Vector2d place = Eigen::Vector2d::Zero();     // m, map: where it is known to stand
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  // m, base_footprint
  double confidence = 0.0;
};

/// Heading of base_footprint in map, from the surroundings of the field.
struct SeenHeading {
  double yaw = 0.0;  // rad
  double confidence = 0.0;
};

/// Turn of the robot between two pictures, from the background.
struct SeenTurn {
  double since = 0.0;  // s, stamp of the earlier picture
  double yaw = 0.0;    // rad
  double confidence = 0.0;
};

/// What one picture tells.
struct Percepts {
  double stamp = 0.0;  // s, when the picture was taken
  std::optional<SeenBall> ball;
  std::optional<SeenGoal> goal;
  std::vector<SeenObstacle> obstacles;
  std::vector<SeenSegment> segments;
  std::vector<SeenCrossing> crossings;
  std::vector<SeenCircle> circles;
  std::vector<Eigen::Vector2d> line_points;
  std::vector<SeenLandmark> landmarks;
  std::optional<SeenHeading> heading;
  std::optional<SeenTurn> turn;
  /// What the camera could see on the ground, so that "not seen although in view" can be told: corners in
  /// base_footprint, counter-clockwise; empty = unknown.
  std::vector<Eigen::Vector2d> view;
};

}  // namespace hl_soccer
