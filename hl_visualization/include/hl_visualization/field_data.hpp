// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"

namespace hl_visualization {

struct FieldPose {
  double x = 0.0, y = 0.0, yaw = 0.0;  // m, rad; map
};

enum class Side { Unknown, Own, Rival };

struct BelievedBall {
  double x = 0.0, y = 0.0;             // m
  double vx = 0.0, vy = 0.0;           // m/s
  std::array<double, 3> covariance{};  // xx, xy, yy, m^2
  double age = 0.0;                    // s since somebody saw it
  int told_by = 0;                     // player number; 0 = own eyes
};

struct BelievedRobot {
  double x = 0.0, y = 0.0;  // m
  Side side = Side::Unknown;
  int number = -1;   // -1 = unknown
  double age = 0.0;  // s
};

/// What one robot believes, in its own map.
struct Belief {
  std::string name;  // its namespace
  int number = 0;    // 0 = unknown
  int team = 0;      // 0 = unknown
  std::string role, action;
  std::optional<FieldPose> pose;
  std::array<double, 3> covariance{};  // xx, xy, yy, m^2
  double yaw_deviation = 0.0;          // rad
  double age = 0.0;                    // s since the pose was told
  std::optional<BelievedBall> ball;
  std::vector<BelievedRobot> robots;
  std::vector<FieldPose> path;
  std::optional<FieldPose> goal;
  std::vector<FieldPose> particles;
};

/// What a team mate told over the radio.
struct ToldMate {
  int number = 0;
  std::string role;
  FieldPose pose;
  std::optional<FieldPose> ball;
  std::vector<FieldPose> rivals;
};

struct TrueRobot {
  std::string name;
  int team = 0, number = 0;
  FieldPose pose;
};

struct Truth {
  std::vector<TrueRobot> robots;
  FieldPose ball;
};

/// Where somebody must not be, or the ball is to be played from, in the present set play.
struct SetPlayArea {
  enum class Shape { Circle, Rectangle } shape = Shape::Circle;
  double x = 0.0, y = 0.0;           // m, centre
  double radius = 0.0;               // m
  double length = 0.0, width = 0.0;  // m
  bool ours = true;                  // our set play
};

/// Everything the field view shows, in the map of the selected robot.
struct FieldData {
  hl_description::Field field;
  std::string game;      // "PLAYING  2 : 1  07:31"
  std::string set_play;  // "own corner kick, execute, 12 s"; empty = none
  std::vector<SetPlayArea> areas;
  std::vector<Belief> robots;
  int selected = 0;  // of robots
  std::vector<ToldMate> mates;
  std::optional<Truth> truth;
};

}  // namespace hl_visualization
