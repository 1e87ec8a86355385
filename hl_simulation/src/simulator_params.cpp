// SPDX-License-Identifier: Apache-2.0
#include "simulator_params.hpp"

#include <hl_robot_interface/parameters.hpp>

namespace hl_simulation {
namespace {

using hl_node::ParameterTable;
using hl_node::Words;

const ParameterTable<TurfSpec>& turf_parameters() {
  static const ParameterTable<TurfSpec> table({
      {"friction", &TurfSpec::friction, 0.05, 3.0, "of the turf"},
      {"rolling_friction", &TurfSpec::rolling_friction, 0.0, 1.0, "deceleration of the ball, of gravity"},
      {"rolling_drag", &TurfSpec::rolling_drag, 0.0, 10.0, "deceleration of the ball per speed, 1/s"},
  });
  return table;
}

const ParameterTable<SensorSpec>& sensor_parameters() {
  using P = SensorSpec;
  static const ParameterTable<P> table({
      {"gyro_noise", &P::gyro_noise, 0.0, 10.0, "standard deviation, rad/s"},
      {"gyro_bias", &P::gyro_bias, 0.0, 10.0, "spread between seeds, rad/s"},
      {"accelerometer_noise", &P::accelerometer_noise, 0.0, 100.0, "standard deviation, m/s^2"},
      {"accelerometer_bias", &P::accelerometer_bias, 0.0, 100.0, "spread between seeds, m/s^2"},
      {"orientation_noise", &P::orientation_noise, 0.0, 1.0, "what an attitude filter leaves over, rad"},
      {"force_noise", &P::force_noise, 0.0, 100.0, "of each foot cell, N"},
      {"sensor_delay", &P::sensor_delay, 0.0, 0.5, "age of what is read, s"},
      {"command_delay", &P::command_delay, 0.0, 0.5, "from a goal to the servo, s"},
  });
  return table;
}

const ParameterTable<BatterySpec>& battery_parameters() {
  static const ParameterTable<BatterySpec> table({
      {"battery_voltage", &BatterySpec::voltage, 5.0, 20.0, "at rest, V"},
      {"battery_resistance", &BatterySpec::internal_resistance, 0.0, 1.0, "with cables, ohm"},
  });
  return table;
}

const ParameterTable<Perception::Params>& percept_parameters() {
  using P = Perception::Params;
  static const ParameterTable<P> table({
      {"ball_range", &P::ball_range, 0.0, 100.0, "up to which a ball is seen, m"},
      {"robot_range", &P::robot_range, 0.0, 100.0, "for other robots, m"},
      {"goal_range", &P::goal_range, 0.0, 100.0, "for goal posts, m"},
      {"line_range", &P::line_range, 0.0, 100.0, "for field lines, m"},
      {"number_range", &P::number_range, 0.0, 100.0, "for the number of a robot, m"},
      {"ray_noise", &P::ray_noise, 0.0, 0.5, "of the direction to each thing, rad"},
      {"pose_noise", &P::pose_noise, 0.0, 0.5, "of the camera's attitude in each look, rad"},
      {"mount_error", &P::mount_error, 0.0, 0.5, "of the camera's mounting, the same in all looks of one robot, rad"},
      {"mount_drift", &P::mount_drift, 0.0, 0.5, "of how far this error wanders off and back, rad"},
      {"mount_drift_time", &P::mount_drift_time, 1.0, 3600.0, "over which it wanders, s"},
      {"miss_near", &P::miss_near, 0.0, 1.0, "share of things missed nearby"},
      {"miss_far", &P::miss_far, 0.0, 1.0, "share of things missed at the end of range"},
      {"false_ball", &P::false_ball, 0.0, 1.0, "share of looks that show a ball too much"},
      {"false_robot", &P::false_robot, 0.0, 1.0, "share of looks that show a robot too much"},
      {"false_line", &P::false_line, 0.0, 1.0, "share of looks that show a line too much"},
      {"wrong_crossing", &P::wrong_crossing, 0.0, 1.0, "share of crossings taken for another type"},
      {"line_point_spacing", &P::line_point_spacing, 0.02, 1.0, "between line points, m"},
      {"compass_noise", &P::compass_noise, 0.0, 1.0, "of the visual compass, rad"},
      {"compass_miss", &P::compass_miss, 0.0, 1.0, "share of looks without a compass"},
      {"turn_noise", &P::turn_noise, 0.0, 1.0, "of the turn between two looks, rad"},
      {"perception_delay", &P::delay, 0.0, 1.0, "until a look's result is told, s"},
  });
  return table;
}

const ParameterTable<View>& view_parameters() {
  static const ParameterTable<View> table({
      {"view_distance", &View::distance, 0.3, 30.0, "of the spectator, m"},
      {"view_azimuth", &View::azimuth, -360.0, 360.0, "of the spectator, degrees"},
      {"view_elevation", &View::elevation, -90.0, 90.0, "of the spectator, degrees"},
  });
  return table;
}

const ParameterTable<SimulatorParams>& own_parameters() {
  using P = SimulatorParams;
  static const ParameterTable<P> table({
      {"robots", &P::robots, "namespaces of the robots; an empty one puts its topics into the simulator's own"},
      {"types", &P::types, "robot of hl_description, one for all or one for each"},
      {"poses", &P::poses, "start: x (m), y (m), yaw (rad) of each robot; empty: two teams facing each other"},
      {"sides", &P::sides,
       "left attacks +x of the world, right attacks -x; empty: the first half of the robots is left"},
      {"teams", &P::teams, 0, 255, "team number of each robot, for the ground truth"},
      {"players", &P::players, 0, 255,
       "player number of each robot, for the ground truth; 1..9 are painted on chest and back"},
      {"field", &P::field, "preset of hl_description's field.yaml; empty: its default"},
      {"ball", &P::ball, "put a ball on the field"},
      {"lighting", &P::lighting, Words{"indoor", "bright", "dim", "low_sun", "spotlights"}, "in pictures"},
      {"turf_look", &P::turf_look, Words{"fresh", "worn", "striped"}, "in pictures"},
      {"ball_look", &P::ball_look, Words{"classic", "orange", "dotted"}, "in pictures"},
      {"timestep", &P::timestep, 1e-4, 0.01, "of the physics, s"},
      {"rate", &P::rate, 10.0, 1000.0, "of the sensor messages, Hz of simulated time"},
      {"seed", &P::seed, 0, 2147483647, "of all noise"},
      {"paused", &P::paused, "wait for the service ~/pause or ~/step"},
      {"lockstep", &P::lockstep,
       "robots whose motor_goals the world waits for after every sensor message; '*': all, '': none; a robot without "
       "namespace is called 'robot'"},
      {"vision_delay", &P::vision_delay, 0.0, 2.0,
       "of simulated time within which, in lock-step, every picture of a robot must be answered by ball_relative with "
       "its stamp; the world goes no further before, s"},
      {"bus", &P::bus, "robots behind an emulated CM-730, for the driver of the real robot; '*': all, '': none"},
      {"bus_port", &P::bus_port, "where the emulated bus appears; with a namespace, '_' and its name are added"},
      {"bus_grace", &P::bus_grace, 0.001, 1.0,
       "of bus time that passes on an idle wire before the world waits for the driver, s"},
      {"cameras", &P::cameras,
       "robots that have a camera; '*': all, empty list or '': none. Drawn only while somebody listens"},
      {"camera_rate", &P::camera_rate, 0.0, 200.0, "Hz of simulated time; 0: as in robot.yaml"},
      {"perception", &P::perception, Words{"none", "ground_truth"},
       "ground_truth: ball, goal, robots and lines relative to each robot as its camera would see them, without "
       "pictures; none: left to a vision"},
      {"perception_robots", &P::perception_robots,
       "robots that perceive so; '*': all, '': none. The others look through their cameras"},
      {"perception_rate", &P::perception_rate, 1.0, 100.0, "Hz of simulated time"},
      {"shadows", &P::shadows, "in all pictures; costs twice the time"},
      {"smooth_edges", &P::smooth_edges, "in all pictures; costs three times the time"},
      {"record", &P::record, "video file (.mp4, .avi) of the spectator's view"},
      {"film_strip", &P::film_strip, "PNG file of the spectator's view, written at the end"},
      {"strip_interval", &P::strip_interval, 0.05, 3600.0, "of simulated time between the strip's pictures, s"},
      {"window", &P::window, "show the spectator's view in a window"},
      {"follow", &P::follow, "what the spectator looks at: ball, or a robot"},
      {"view_rate", &P::view_rate, 1.0, 100.0, "of the spectator, Hz of simulated time"},
  });
  return table;
}

}  // namespace

View SimulatorParams::initial_view() {
  View view;
  view.distance = 3.0;
  view.azimuth = 70.0;
  view.elevation = -18.0;
  return view;
}

hl_hardware_cm730::BusTime::Params SimulatorParams::bus_time() const {
  hl_hardware_cm730::BusTime::Params time;
  time.factor = real_time_factor;
  time.grace = bus_grace;
  time.patience = bus_patience;
  return time;
}

std::optional<std::string> SimulatorParams::validate() const {
  for (const auto& side : sides) {
    if (side != "left" && side != "right") return "sides: '" + side + "' is neither left nor right";
  }
  if (auto error = goals.validate()) return error;
  if (auto error = limits.validate()) return error;
  if (auto error = percepts.validate()) return "perception: " + *error;
  if (auto error = bus_time().validate()) return "bus: " + *error;
  return std::nullopt;
}

const ParameterTable<SimulatorParams>& simulator_parameters() {
  using P = SimulatorParams;
  static const auto table = ParameterTable<P>({
                                                  {"real_time_factor", &P::real_time_factor, 0.0, 1000.0,
                                                   "simulated per real time; 0: as fast as possible"},
                                                  {"lockstep_timeout", &P::lockstep_timeout, 0.01, 60.0,
                                                   "of real time after which the world goes on without a robot, s"},
                                                  {"bus_patience", &P::bus_patience, 0.01, 60.0,
                                                   "of real time after which the world goes on without the driver, s"},
                                              })
                                .with_at_start([](P& p) -> P& { return p; }, own_parameters())
                                .with_at_start(&P::turf, turf_parameters())
                                .with_at_start(&P::goals, hl_robot_interface::goal_parameters())
                                .with_at_start(&P::limits, hl_robot_interface::health_parameters())
                                .with_at_start(&P::sensors, sensor_parameters())
                                .with_at_start(&P::battery, battery_parameters())
                                .with_at_start(&P::percepts, percept_parameters())
                                .with_at_start(&P::view, view_parameters());
  return table;
}

}  // namespace hl_simulation
