// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_simulation/robot_spec.hpp"

namespace hl_simulation {

/// Dimensions of the field in metres, outer edges of the lines (KidSize 2020-2025).
struct FieldSpec {
  double length = 9.0;
  double width = 6.0;
  double line_width = 0.05;
  double goal_width = 2.6;  // between the posts
  double goal_height = 1.2;
  double goal_depth = 0.6;
  double goal_post_diameter = 0.10;
  double goal_area_length = 1.0;
  double goal_area_width = 3.0;
  double penalty_area_length = 2.0;  // 0: none (before 2020)
  double penalty_area_width = 5.0;
  double penalty_mark_distance = 1.5;
  double centre_circle_diameter = 1.5;
  double mark_length = 0.25;
  double border = 1.0;
  double friction = 0.9;  // sliding, feet on turf

  std::optional<std::string> validate() const;
  /// "kid_2016", "kid_2017", "kid_2019", "kid" (2020-2025) or "adult".
  static std::optional<FieldSpec> preset(const std::string& name);
};

/// A FIFA size 1 ball and how the turf slows it: deceleration = rolling_friction * g + rolling_drag * speed.
struct BallSpec {
  double radius = 0.07;            // m
  double mass = 0.205;             // kg
  double rolling_friction = 0.04;  // of gravity
  double rolling_drag = 0.15;      // 1/s
  double restitution = 0.5;        // speed kept when bouncing off a hard thing, about

  std::optional<std::string> validate() const;
  /// Distance (m) after which a ball rolling at `speed` (m/s) stops on this turf.
  double stopping_distance(double speed) const;
};

enum class Lighting { Indoor, Bright, Dim, LowSun, Spotlights };
enum class TurfLook { Fresh, Worn, Striped };
enum class BallLook { Classic, Orange, Dotted };

std::optional<Lighting> lighting_from(const std::string& name);  // "indoor", "bright", "dim", "low_sun", "spotlights"

/// How sensors and bus spoil what the physics says. All zero: perfect.
struct SensorSpec {
  double gyro_noise = 0.01;          // rad/s, standard deviation
  double gyro_bias = 0.005;          // rad/s, spread of the constant error between runs
  double accelerometer_noise = 0.1;  // m/s^2
  double accelerometer_bias = 0.05;  // m/s^2
  double orientation_noise = 0.003;  // rad, what an attitude filter leaves over
  double force_noise = 0.3;          // N per cell
  double sensor_delay = 0.0;         // s, age of what is read
  double command_delay = 0.0;        // s, from set_goal to the servo

  std::optional<std::string> validate() const;
  static SensorSpec perfect();
};

struct BatterySpec {
  double voltage = 12.0;              // V at rest
  double internal_resistance = 0.04;  // ohm, cables included
};

/// One robot in the world.
struct RobotPlacement {
  std::shared_ptr<const RobotSpec> spec;
  std::string name = "robot";                  // prefix of its names; letters, digits, '_'
  double x = 0.0, y = 0.0, yaw = 0.0;          // m, rad, on the field
  Eigen::Vector4d colour{0.1, 0.2, 0.8, 1.0};  // team marker on the trunk
  SensorSpec sensors;
  BatterySpec battery;
};

struct WorldSpec {
  FieldSpec field;
  BallSpec ball;
  bool with_ball = true;
  bool with_goals = true;
  Lighting lighting = Lighting::Indoor;
  TurfLook turf = TurfLook::Fresh;
  BallLook ball_look = BallLook::Classic;
  double timestep = 0.002;  // s
  std::uint64_t seed = 1;   // of all noise
  std::vector<RobotPlacement> robots;

  std::optional<std::string> validate() const;
};

/// A world with one robot in the middle and the ball half a metre ahead.
WorldSpec world_with(std::shared_ptr<const RobotSpec> robot, std::uint64_t seed = 1);

}  // namespace hl_simulation
