// SPDX-License-Identifier: Apache-2.0
#include "simulator_node.hpp"

namespace hl_simulation {
namespace {

using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
using Strings = std::vector<std::string>;

Descriptor fixed(const std::string& description) {
  Descriptor descriptor;
  descriptor.description = description;
  descriptor.read_only = true;
  return descriptor;
}

Descriptor ranged(const std::string& description, double low, double high, bool changeable = false) {
  Descriptor descriptor;
  descriptor.description = description;
  descriptor.read_only = !changeable;
  rcl_interfaces::msg::FloatingPointRange range;
  range.from_value = low;
  range.to_value = high;
  descriptor.floating_point_range.push_back(range);
  return descriptor;
}

}  // namespace

void SimulatorNode::declare_parameters() {
  declare_parameter("robots", Strings{""},
                    fixed("namespaces of the robots; an empty one puts its topics into the simulator's own"));
  declare_parameter("types", Strings{"minibot"}, fixed("robot of hl_description, one for all or one for each"));
  declare_parameter("poses", std::vector<double>{},
                    fixed("start: x (m), y (m), yaw (rad) of each robot; empty: two teams facing each other"));
  declare_parameter(
      "sides", Strings{},
      fixed("'left' attacks +x of the world, 'right' attacks -x; empty: the first half of the robots is left"));
  declare_parameter("teams", std::vector<std::int64_t>{}, fixed("team number of each robot, for the ground truth"));
  declare_parameter("players", std::vector<std::int64_t>{}, fixed("player number of each robot, for the ground truth"));
  declare_parameter("field", std::string(), fixed("preset of hl_description's field.yaml; empty: its default"));
  declare_parameter("ball", true, fixed("put a ball on the field"));
  declare_parameter("lighting", std::string("indoor"), fixed("indoor, bright, dim, low_sun or spotlights"));
  declare_parameter("turf_look", std::string("fresh"), fixed("fresh, worn or striped"));
  declare_parameter("ball_look", std::string("classic"), fixed("classic, orange or dotted"));
  declare_parameter("friction", 0.9, ranged("of the turf", 0.05, 3.0));
  declare_parameter("rolling_friction", 0.04, ranged("deceleration of the ball, of gravity", 0.0, 1.0));
  declare_parameter("rolling_drag", 0.15, ranged("deceleration of the ball per speed, 1/s", 0.0, 10.0));
  declare_parameter("timestep", 0.002, ranged("of the physics, s", 1e-4, 0.01));
  declare_parameter("rate", 125.0, ranged("of the sensor messages, Hz of simulated time", 10.0, 1000.0));
  declare_parameter("real_time_factor", 1.0,
                    ranged("simulated per real time; 0: as fast as possible", 0.0, 1000.0, true));
  declare_parameter("seed", 1, fixed("of all noise"));
  declare_parameter("paused", false, fixed("wait for the service ~/pause or ~/step"));
  declare_parameter("lockstep", Strings{},
                    fixed("robots whose motor_goals the world waits for after every sensor message; '*': all, '': "
                          "none; a robot without namespace is called 'robot'"));
  declare_parameter("lockstep_timeout", 1.0,
                    ranged("s of real time after which the world goes on without a robot", 0.01, 60.0, true));
  declare_parameter("bus", Strings{},
                    fixed("robots behind an emulated CM-730, for the driver of the real robot; '*': all, '': none"));
  declare_parameter("bus_port", std::string("/tmp/cm730"),
                    fixed("where the emulated bus appears; with a namespace, '_' and its name are added"));
  declare_parameter(
      "bus_grace", 0.012,
      ranged("s of bus time that pass on an idle wire before the world waits for the driver", 0.001, 1.0));
  declare_parameter("bus_patience", 0.5,
                    ranged("s of real time after which the world goes on without the driver", 0.01, 60.0, true));
  declare_parameter("stale_limit", 0.5, ranged("s; older motor_goals are refused", 0.01, 10.0));
  declare_parameter("hold_after", 0.5, ranged("s without motor_goals until the pose is held", 0.01, 60.0));
  declare_parameter("soften_after", 10.0, ranged("s without motor_goals until it is held softly", 0.01, 3600.0));
  const SensorSpec sensors;
  declare_parameter("gyro_noise", sensors.gyro_noise, ranged("rad/s", 0.0, 10.0));
  declare_parameter("gyro_bias", sensors.gyro_bias, ranged("rad/s, spread between seeds", 0.0, 10.0));
  declare_parameter("accelerometer_noise", sensors.accelerometer_noise, ranged("m/s^2", 0.0, 100.0));
  declare_parameter("accelerometer_bias", sensors.accelerometer_bias,
                    ranged("m/s^2, spread between seeds", 0.0, 100.0));
  declare_parameter("orientation_noise", sensors.orientation_noise, ranged("rad", 0.0, 1.0));
  declare_parameter("force_noise", sensors.force_noise, ranged("N per foot cell", 0.0, 100.0));
  declare_parameter("sensor_delay", sensors.sensor_delay, ranged("s", 0.0, 0.5));
  declare_parameter("command_delay", sensors.command_delay, ranged("s", 0.0, 0.5));
  declare_parameter("battery_voltage", 12.0, ranged("V at rest", 5.0, 20.0));
  declare_parameter("battery_resistance", 0.04, ranged("ohm", 0.0, 1.0));
  declare_parameter(
      "cameras", Strings{"*"},
      fixed("robots that have a camera; '*': all, empty list or '': none. Drawn only while somebody listens"));
  declare_parameter("camera_rate", 0.0, ranged("Hz of simulated time; 0: as in robot.yaml", 0.0, 200.0));
  const Perception::Params perception;
  declare_parameter("perception", std::string("none"),
                    fixed("'ground_truth': ball, goal, robots and lines relative to each robot as its camera would "
                          "see them, without pictures; 'none': left to a vision"));
  declare_parameter("perception_rate", 15.0, ranged("Hz of simulated time", 1.0, 100.0));
  declare_parameter("ball_range", perception.ball_range, ranged("m, up to which a ball is seen", 0.0, 100.0));
  declare_parameter("robot_range", perception.robot_range, ranged("m, for other robots", 0.0, 100.0));
  declare_parameter("goal_range", perception.goal_range, ranged("m, for goal posts", 0.0, 100.0));
  declare_parameter("line_range", perception.line_range, ranged("m, for field lines", 0.0, 100.0));
  declare_parameter("number_range", perception.number_range, ranged("m, for the number of a robot", 0.0, 100.0));
  declare_parameter("ray_noise", perception.ray_noise, ranged("rad, of the direction to each thing", 0.0, 0.5));
  declare_parameter("pose_noise", perception.pose_noise, ranged("rad, of the camera's attitude, per look", 0.0, 0.5));
  declare_parameter("miss_near", perception.miss_near, ranged("share of things missed nearby", 0.0, 1.0));
  declare_parameter("miss_far", perception.miss_far, ranged("share of things missed at the end of range", 0.0, 1.0));
  declare_parameter("false_ball", perception.false_ball, ranged("share of looks that show a ball too much", 0.0, 1.0));
  declare_parameter("false_robot", perception.false_robot,
                    ranged("share of looks that show a robot too much", 0.0, 1.0));
  declare_parameter("false_line", perception.false_line, ranged("share of looks that show a line too much", 0.0, 1.0));
  declare_parameter("wrong_crossing", perception.wrong_crossing,
                    ranged("share of crossings taken for another type", 0.0, 1.0));
  declare_parameter("line_point_spacing", perception.line_point_spacing, ranged("m between line points", 0.02, 1.0));
  declare_parameter("compass_noise", perception.compass_noise, ranged("rad, of the visual compass", 0.0, 1.0));
  declare_parameter("compass_miss", perception.compass_miss, ranged("share of looks without a compass", 0.0, 1.0));
  declare_parameter("turn_noise", perception.turn_noise, ranged("rad, of the turn between two looks", 0.0, 1.0));
  declare_parameter("perception_delay", perception.delay, ranged("s until a look's result is told", 0.0, 1.0));
  declare_parameter("shadows", false, fixed("in all pictures; costs twice the time"));
  declare_parameter("smooth_edges", false, fixed("in all pictures; costs three times the time"));
  declare_parameter("record", std::string(), fixed("video file (.mp4, .avi) of the spectator's view"));
  declare_parameter("film_strip", std::string(), fixed("PNG file of the spectator's view, written at the end"));
  declare_parameter("strip_interval", 1.0, ranged("s of simulated time between the strip's pictures", 0.05, 3600.0));
  declare_parameter("window", false, fixed("show the spectator's view in a window"));
  declare_parameter("follow", std::string("ball"), fixed("what the spectator looks at: ball, or a robot"));
  declare_parameter("view_distance", 3.0, ranged("m", 0.3, 30.0));
  declare_parameter("view_azimuth", 70.0, ranged("degrees", -360.0, 360.0));
  declare_parameter("view_elevation", -18.0, ranged("degrees", -90.0, 90.0));
  declare_parameter("view_rate", 25.0, ranged("Hz of simulated time", 1.0, 100.0));
}

rcl_interfaces::msg::SetParametersResult SimulatorNode::on_parameters(const std::vector<rclcpp::Parameter>& changes) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  with_world([&] {
    for (const auto& change : changes) {
      if (change.get_name() == "real_time_factor") {
        timing_.real_time_factor = change.as_double();
        if (bus_time_) bus_time_->set_factor(change.as_double());
      }
      if (change.get_name() == "lockstep_timeout") timing_.lockstep_timeout = change.as_double();
      if (change.get_name() == "bus_patience" && bus_time_) bus_time_->set_patience(change.as_double());
    }
  });
  return result;
}

}  // namespace hl_simulation
