// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_simulation/robot_spec.hpp"

namespace hl_simulation {

/// Artificial turf: grip of the feet, and how a ball slows down: deceleration = rolling_friction * g + rolling_drag *
/// speed.
struct TurfSpec {
  double friction = 0.9;           // sliding, against everything
  double rolling_friction = 0.04;  // of gravity
  double rolling_drag = 0.15;      // 1/s

  std::optional<std::string> validate() const;
  /// Distance (m) after which a ball rolling at `speed` (m/s) stops.
  double stopping_distance(double speed) const;
  double slowing(double speed) const;  // m/s^2, of a ball that rolls at `speed` (m/s)
};

enum class Lighting { Indoor, Bright, Dim, LowSun, Spotlights };
enum class TurfLook { Fresh, Worn, Striped };
enum class BallLook { Classic, Orange, Dotted, Random };  // Random: a pattern of the seed `surroundings`

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

  double under_load(double current) const;  // V at so many A
};

double supply_current(const std::vector<Servo>& servos);  // A, of all and what they need at rest

/// One robot in the world.
struct RobotPlacement {
  std::shared_ptr<const RobotSpec> spec;
  std::string name = "robot";                  // prefix of its names; letters, digits, '_'
  double x = 0.0, y = 0.0, yaw = 0.0;          // m, rad, on the field
  Eigen::Vector4d colour{0.1, 0.2, 0.8, 1.0};  // team marker on the trunk
  int number = 0;                              // painted on that marker, 1..9, chest and back; 0: none
  SensorSpec sensors;
  BatterySpec battery;
};

struct WorldSpec {
  hl_description::Field field;
  TurfSpec turf;
  double ball_restitution = 0.5;  // speed kept when it bounces off something hard, about
  bool with_ball = true;
  bool with_goals = true;
  Lighting lighting = Lighting::Indoor;
  TurfLook turf_look = TurfLook::Fresh;
  BallLook ball_look = BallLook::Classic;
  std::uint64_t surroundings = 0;  // seed of what stands around the field in pictures; 0: a plain hall
  std::uint64_t moved = 0;         // seed of where every second spectator has gone meanwhile; 0: all stand still
  double timestep = 0.002;         // s
  std::uint64_t seed = 1;          // of all noise
  std::vector<RobotPlacement> robots;

  std::optional<std::string> validate() const;
};

/// A world with one robot in the middle and the ball half a metre ahead.
WorldSpec world_with(std::shared_ptr<const RobotSpec> robot, std::uint64_t seed = 1);

}  // namespace hl_simulation
