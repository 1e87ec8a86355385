// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/world_spec.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <set>

namespace hl_simulation {
namespace {

constexpr std::size_t kMostRobots = 28;  // each robot needs a collision bit of its own

std::optional<std::string> check_range(const std::string& what, double value, double low, double high) {
  if (std::isfinite(value) && value >= low && value <= high) return std::nullopt;
  return what + " is " + std::to_string(value) + " but must be in " + std::to_string(low) + ".." + std::to_string(high);
}

/// The first complaint of several checks.
template <class... Checks>
std::optional<std::string> first_of(const Checks&... checks) {
  std::optional<std::string> result;
  ((result = result ? result : checks), ...);
  return result;
}

}  // namespace

namespace {

std::optional<std::string> validate(const hl_description::Field& f) {
  return first_of(
      check_range("field length (m)", f.length, 2.0, 30.0), check_range("field width (m)", f.width, 1.0, 20.0),
      check_range("field line_width (m)", f.line_width, 0.01, 0.2),
      check_range("goal_width (m)", f.goal_width, 0.3, f.width),
      check_range("goal_height (m)", f.goal_height, 0.3, 3.0), check_range("goal_depth (m)", f.goal_depth, 0.1, 2.0),
      check_range("post_diameter (m)", f.post_diameter, 0.02, 0.3),
      check_range("circle_diameter (m)", f.circle_diameter, 0.0, f.width),
      check_range("field border (m)", f.border, 0.0, 5.0), check_range("ball_radius (m)", f.ball_radius, 0.02, 0.2),
      check_range("ball_mass (kg)", f.ball_mass, 0.01, 1.0));
}

}  // namespace

std::optional<std::string> TurfSpec::validate() const {
  return first_of(check_range("turf friction", friction, 0.05, 3.0),
                  check_range("turf rolling_friction", rolling_friction, 0.0, 1.0),
                  check_range("turf rolling_drag (1/s)", rolling_drag, 0.0, 10.0));
}

double TurfSpec::stopping_distance(double speed) const {
  const double a = rolling_friction * hl_description::kGravity, k = rolling_drag;
  if (k < 1e-9) return 0.5 * speed * speed / a;
  return speed / k - a / (k * k) * std::log1p(k * speed / a);
}

double TurfSpec::slowing(double speed) const {
  return rolling_friction * hl_description::kGravity + rolling_drag * speed;
}

double BatterySpec::under_load(double current) const {
  constexpr double kLowest = 5.0;  // V
  return std::max(kLowest, voltage - internal_resistance * current);
}

double supply_current(const std::vector<Servo>& servos) {
  constexpr double kStandbyCurrent = 0.1;  // A per servo
  double sum = 0.0;
  for (const Servo& servo : servos) sum += servo.current() + kStandbyCurrent;
  return sum;
}

std::optional<Lighting> lighting_from(const std::string& name) {
  if (name == "indoor") return Lighting::Indoor;
  if (name == "bright") return Lighting::Bright;
  if (name == "dim") return Lighting::Dim;
  if (name == "low_sun") return Lighting::LowSun;
  if (name == "spotlights") return Lighting::Spotlights;
  return std::nullopt;
}

std::optional<std::string> SensorSpec::validate() const {
  return first_of(
      check_range("gyro_noise (rad/s)", gyro_noise, 0.0, 10.0), check_range("gyro_bias (rad/s)", gyro_bias, 0.0, 10.0),
      check_range("accelerometer_noise (m/s^2)", accelerometer_noise, 0.0, 100.0),
      check_range("accelerometer_bias (m/s^2)", accelerometer_bias, 0.0, 100.0),
      check_range("orientation_noise (rad)", orientation_noise, 0.0, 1.0),
      check_range("force_noise (N)", force_noise, 0.0, 100.0), check_range("sensor_delay (s)", sensor_delay, 0.0, 0.5),
      check_range("command_delay (s)", command_delay, 0.0, 0.5));
}

SensorSpec SensorSpec::perfect() {
  SensorSpec none;
  none.gyro_noise = none.gyro_bias = none.accelerometer_noise = none.accelerometer_bias = 0.0;
  none.orientation_noise = none.force_noise = 0.0;
  return none;
}

std::optional<std::string> WorldSpec::validate() const {
  if (auto error = first_of(check_range("timestep (s)", timestep, 1e-4, 0.01), hl_simulation::validate(field),
                            turf.validate(), check_range("ball_restitution", ball_restitution, 0.0, 1.0)))
    return error;
  if (robots.size() > kMostRobots)
    return std::to_string(robots.size()) + " robots are more than " + std::to_string(kMostRobots);
  std::set<std::string> names{"ball", "floor", "hall"};
  for (const RobotPlacement& robot : robots) {
    if (!robot.spec) return "robot '" + robot.name + "' has no specification; load one with load_robot()";
    if (robot.name.empty()) return std::string("a robot has no name");
    for (const char c : robot.name) {
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
        return "robot name '" + robot.name + "' may hold letters, digits and '_' only";
    }
    if (!names.insert(robot.name).second) return "two robots are named '" + robot.name + "'";
    const std::string who = "robot '" + robot.name + "': ";
    if (auto error =
            first_of(check_range(who + "x (m)", robot.x, -20.0, 20.0), check_range(who + "y (m)", robot.y, -20.0, 20.0),
                     check_range(who + "yaw (rad)", robot.yaw, -100.0, 100.0),
                     check_range(who + "number", robot.number, 0.0, 9.0),
                     check_range(who + "battery voltage (V)", robot.battery.voltage, 5.0, 20.0),
                     check_range(who + "battery resistance (ohm)", robot.battery.internal_resistance, 0.0, 1.0),
                     robot.sensors.validate())) {
      return error;
    }
  }
  return std::nullopt;
}

WorldSpec world_with(std::shared_ptr<const RobotSpec> robot, std::uint64_t seed) {
  WorldSpec world;
  world.seed = seed;
  RobotPlacement placement;
  placement.spec = std::move(robot);
  world.robots.push_back(placement);
  return world;
}

}  // namespace hl_simulation
