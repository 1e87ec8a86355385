// SPDX-License-Identifier: Apache-2.0
#include "robot_interface.hpp"

#include <algorithm>
#include <cmath>

namespace hl_simulation {
namespace {

using hl_hardware_cm730::GoalPlayer;
using humanoid_league_msgs::msg::HardwareState;
using humanoid_league_msgs::srv::InjectFault;

constexpr double kWarmServo = 65.0;     // degC at which a servo counts as hot
constexpr double kLowVoltage = 10.5;    // V
constexpr double kEmptyVoltage = 10.0;  // V

std::vector<GoalPlayer::Joint> joints_of(const RobotSpec& spec) {
  std::vector<GoalPlayer::Joint> joints;
  for (const JointSpec& joint : spec.joints) {
    joints.push_back({joint.name, joint.lower, joint.upper, joint.servo.no_load_speed, joint.servo.stall_torque});
  }
  return joints;
}

template <class Message>
void set_vector(Message& target, const Eigen::Vector3d& v) {
  target.x = v.x();
  target.y = v.y();
  target.z = v.z();
}

}  // namespace

RobotInterface::RobotInterface(rclcpp::Node& node, const Config& config, Robot& robot, WithWorld with_world,
                               std::function<double()> now, std::function<void()> on_goals)
    : SimulatedRobot(node, config, robot),
      with_world_(std::move(with_world)),
      now_(std::move(now)),
      on_goals_(std::move(on_goals)),
      player_(joints_of(robot.spec()), config.goals) {
  for (const JointSpec& joint : robot.spec().joints) p_gains_.push_back(joint.servo.p_gain);
  forget_goals();
  imu_.header.frame_id = robot.spec().imu_frame;
  const SensorSpec& noise = SensorSpec();
  for (int k = 0; k < 3; ++k) {
    imu_.orientation_covariance[4 * k] = noise.orientation_noise * noise.orientation_noise;
    imu_.angular_velocity_covariance[4 * k] = noise.gyro_noise * noise.gyro_noise;
    imu_.linear_acceleration_covariance[4 * k] = noise.accelerometer_noise * noise.accelerometer_noise;
  }
  feet_[0].header.frame_id = robot.spec().left_foot.frame;
  feet_[1].header.frame_id = robot.spec().right_foot.frame;

  const rclcpp::QoS stream = rclcpp::QoS(5);
  const rclcpp::QoS latched = rclcpp::QoS(1).transient_local();
  joint_publisher_ = node.create_publisher<sensor_msgs::msg::JointState>(topic("joint_states"), stream);
  imu_publisher_ = node.create_publisher<sensor_msgs::msg::Imu>(topic("imu/data"), stream);
  foot_publishers_[0] =
      node.create_publisher<humanoid_league_msgs::msg::FootPressure>(topic("foot_pressure_left"), stream);
  foot_publishers_[1] =
      node.create_publisher<humanoid_league_msgs::msg::FootPressure>(topic("foot_pressure_right"), stream);
  state_publisher_ = node.create_publisher<HardwareState>(topic("hardware_state"), rclcpp::QoS(10));
  servo_publisher_ =
      node.create_publisher<humanoid_league_msgs::msg::AdditionalServoData>(topic("servo_data"), rclcpp::QoS(10));
  button_publisher_ = node.create_publisher<humanoid_league_msgs::msg::Buttons>(topic("buttons"), latched);
  diagnostics_publisher_ =
      node.create_publisher<diagnostic_msgs::msg::DiagnosticArray>(topic("diagnostics"), rclcpp::QoS(10));

  listen_to_goals([this](const trajectory_msgs::msg::JointTrajectory& message) { on_motor_goals(message); });
  torque_service_ = node.create_service<humanoid_league_msgs::srv::SetTorque>(
      topic("set_torque"), [this](const std::shared_ptr<humanoid_league_msgs::srv::SetTorque::Request> request,
                                  std::shared_ptr<humanoid_league_msgs::srv::SetTorque::Response> response) {
        with_world_([&] { on_set_torque(*request, *response); });
      });
  led_service_ = node.create_service<humanoid_league_msgs::srv::SetLeds>(
      topic("set_leds"), [this](const std::shared_ptr<humanoid_league_msgs::srv::SetLeds::Request> request,
                                std::shared_ptr<humanoid_league_msgs::srv::SetLeds::Response> response) {
        on_set_leds(*request, *response);
      });
}

void RobotInterface::forget_goals() {
  const std::lock_guard<std::mutex> lock(goals_mutex_);
  player_.forget();
}

void RobotInterface::on_motor_goals(const trajectory_msgs::msg::JointTrajectory& message) {
  const double now = now_();
  const double stamp = to_seconds(message.header.stamp);
  std::optional<std::string> refused;
  {
    const std::lock_guard<std::mutex> lock(goals_mutex_);
    trajectory_.stamp = stamp == 0.0 ? now : stamp;
    trajectory_.joints = message.joint_names;
    trajectory_.points.resize(message.points.size());
    for (std::size_t n = 0; n < message.points.size(); ++n) {
      const auto& from = message.points[n];
      auto& to = trajectory_.points[n];
      to.time = from.time_from_start.sec + 1e-9 * from.time_from_start.nanosec;
      to.positions = from.positions;
      to.velocities = from.velocities;
      to.efforts = from.effort;
    }
    refused = player_.accept(trajectory_, now);
    if (refused) {
      ++refused_;
      last_refusal_ = *refused;
    }
  }
  if (refused) {
    RCLCPP_WARN_THROTTLE(node_.get_logger(), *node_.get_clock(), 2000, "%s: motor_goals refused: %s",
                         topic("motor_goals").c_str(), refused->c_str());
  } else {
    note_goals(trajectory_.stamp);
  }
  on_goals_();
}

void RobotInterface::apply_goals(double now) {
  if (faults_.bus_silent) return;
  const std::lock_guard<std::mutex> lock(goals_mutex_);
  const auto& goals = player_.update(now);
  positions_.resize(goals.size());
  for (std::size_t j = 0; j < goals.size(); ++j) {
    const bool deaf = !goals[j].set || faults_.silent.count(j);
    positions_[j] = deaf ? robot_.servo(j).goal() : goals[j].position;
    if (deaf) continue;
    robot_.set_speed_limit(j, goals[j].speed_limit);
    robot_.set_torque_limit(j, goals[j].torque_limit);
  }
  robot_.set_goals(positions_);
  if (player_.stiffness() != stiffness_) {
    stiffness_ = player_.stiffness();
    for (std::size_t j = 0; j < p_gains_.size(); ++j) {
      const ServoSpec& servo = robot_.servo(j).spec();
      robot_.set_gains(j, static_cast<int>(std::lround(stiffness_ * p_gains_[j])), servo.i_gain, servo.d_gain);
    }
  }
}

void RobotInterface::switch_torque(std::size_t joint, bool on) {
  robot_.set_torque(joint, on);
  const std::lock_guard<std::mutex> lock(goals_mutex_);
  player_.set(joint, robot_.servo(joint).goal());
}

void RobotInterface::on_set_torque(const humanoid_league_msgs::srv::SetTorque::Request& request,
                                   humanoid_league_msgs::srv::SetTorque::Response& response) {
  std::vector<std::string> groups = request.groups;
  if (groups.empty()) groups.push_back("all");
  std::set<std::size_t> joints;
  for (const std::string& group : groups) {
    const auto names = config_.robot.group(group);
    if (names.empty()) {
      response.message =
          "'" + group + "' is neither a joint nor a limb; limbs: head, left_arm, right_arm, left_leg, right_leg, all";
      return;
    }
    for (const std::string& name : names) joints.insert(static_cast<std::size_t>(robot_.spec().joint_index(name)));
  }
  for (const std::size_t joint : joints) {
    if (!faults_.limp.count(joint)) switch_torque(joint, request.on);
    response.joints.push_back(robot_.joint_names()[joint]);
  }
  response.success = true;
  response.message =
      std::string("torque ") + (request.on ? "on: " : "off: ") + std::to_string(joints.size()) + " joints";
}

void RobotInterface::on_set_leds(const humanoid_league_msgs::srv::SetLeds::Request& request,
                                 humanoid_league_msgs::srv::SetLeds::Response& response) {
  static const std::set<std::string> known{"head", "eye", "panel2", "panel3", "panel4"};
  if (request.names.size() != request.colors.size()) {
    response.message = "as many colors as names are needed";
    return;
  }
  for (const std::string& name : request.names) {
    if (!known.count(name)) {
      response.message = "no light is called '" + name + "'; there are head, eye, panel2, panel3, panel4";
      return;
    }
  }
  response.success = true;
  response.message = "set";
}

void RobotInterface::publish_sensors(double now, double simulation_time) {
  if (faults_.bus_silent) return;
  const Reading& reading = robot_.read();
  // The simulation's clock and the node's may differ by an offset; the age of the reading does not.
  const builtin_interfaces::msg::Time stamp = to_stamp(now - (simulation_time - reading.stamp));
  const auto& names = robot_.joint_names();
  joint_state_.header.stamp = stamp;
  joint_state_.name.clear();
  joint_state_.position.clear();
  joint_state_.velocity.clear();
  joint_state_.effort.clear();
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (faults_.silent.count(j)) continue;
    joint_state_.name.push_back(names[j]);
    joint_state_.position.push_back(reading.joints.position[j]);
    joint_state_.velocity.push_back(reading.joints.velocity[j]);
    joint_state_.effort.push_back(reading.joints.effort[j]);
  }
  joint_publisher_->publish(joint_state_);

  if (!faults_.imu_silent && !imu_.header.frame_id.empty()) {
    imu_.header.stamp = stamp;
    imu_.orientation.w = reading.imu.orientation.w();
    imu_.orientation.x = reading.imu.orientation.x();
    imu_.orientation.y = reading.imu.orientation.y();
    imu_.orientation.z = reading.imu.orientation.z();
    set_vector(imu_.angular_velocity, reading.imu.angular_velocity);
    set_vector(imu_.linear_acceleration, reading.imu.linear_acceleration);
    imu_publisher_->publish(imu_);
  }
  const std::array<const FootReading*, 2> feet{&reading.left_foot, &reading.right_foot};
  for (std::size_t side = 0; side < 2; ++side) {
    if (feet_[side].header.frame_id.empty()) continue;
    feet_[side].header.stamp = stamp;
    feet_[side].front_left = static_cast<float>((*feet[side])[0]);
    feet_[side].front_right = static_cast<float>((*feet[side])[1]);
    feet_[side].back_left = static_cast<float>((*feet[side])[2]);
    feet_[side].back_right = static_cast<float>((*feet[side])[3]);
    foot_publishers_[side]->publish(feet_[side]);
  }
}

HardwareState RobotInterface::hardware_state(double now) const {
  HardwareState state;
  state.header.stamp = to_stamp(now);
  state.voltage = static_cast<float>(faults_.voltage > 0.0 ? faults_.voltage : robot_.voltage());
  state.power_on = true;
  state.imu_ok = !faults_.imu_silent && !faults_.bus_silent && !imu_.header.frame_id.empty();
  state.bus_rate = faults_.bus_silent ? 0.0f : static_cast<float>(config_.publish_rate);
  const auto& names = robot_.joint_names();
  for (std::size_t j = 0; j < names.size(); ++j) {
    const Servo& servo = robot_.servo(j);
    const auto heat = faults_.hot.find(j);
    const double temperature = heat == faults_.hot.end() ? servo.temperature() : heat->second;
    if (faults_.silent.count(j) || faults_.bus_silent) {
      state.joints_missing.push_back(names[j]);
    } else if (servo.torque_on()) {
      state.torque_on = true;
    } else {
      state.joints_limp.push_back(names[j]);
    }
    if (servo.overloaded()) state.joints_overloaded.push_back(names[j]);
    if (temperature >= kWarmServo) state.joints_hot.push_back(names[j]);
  }
  const auto say = [&](std::uint8_t level, const std::string& text) {
    state.level = std::max(state.level, level);
    state.text += (state.text.empty() ? "" : "; ") + text;
  };
  if (faults_.bus_silent) say(HardwareState::ERROR, "the bus does not answer");
  if (state.voltage < kEmptyVoltage) {
    say(HardwareState::ERROR, "battery empty");
  } else if (state.voltage < kLowVoltage) {
    say(HardwareState::WARN, "battery low");
  }
  if (!state.imu_ok) say(HardwareState::WARN, "no IMU data");
  if (!state.joints_missing.empty() && !faults_.bus_silent) say(HardwareState::WARN, "servos do not answer");
  if (!state.joints_overloaded.empty()) say(HardwareState::WARN, "servos overloaded");
  if (!state.joints_hot.empty()) say(HardwareState::WARN, "servos hot");
  return state;
}

void RobotInterface::publish_state(double now) {
  constexpr double kStatePeriod = 0.1;  // s
  const HardwareState state = hardware_state(now);
  const bool changed = state.level != last_state_.level || state.torque_on != last_state_.torque_on ||
                       state.joints_missing != last_state_.joints_missing ||
                       state.joints_limp != last_state_.joints_limp || state.joints_hot != last_state_.joints_hot ||
                       state.imu_ok != last_state_.imu_ok;
  if (changed || now >= last_state_time_ + kStatePeriod - 1e-9 || now < last_state_time_) {
    last_state_time_ = now;
    last_state_ = state;
    state_publisher_->publish(state);
  }
  humanoid_league_msgs::msg::Buttons buttons;
  const auto is_down = [&](const char* name) {
    const auto it = pressed_until_.find(name);
    return it != pressed_until_.end() && now < it->second;
  };
  buttons.mode = is_down("mode");
  buttons.start = is_down("start");
  if (!buttons_published_ || buttons.mode != last_buttons_.mode || buttons.start != last_buttons_.start) {
    buttons.header.stamp = to_stamp(now);
    button_publisher_->publish(buttons);
    last_buttons_ = buttons;
    buttons_published_ = true;
  }
}

void RobotInterface::publish_servo_data(double now) {
  if (faults_.bus_silent) return;
  humanoid_league_msgs::msg::AdditionalServoData data;
  data.header.stamp = to_stamp(now);
  const auto& names = robot_.joint_names();
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (faults_.silent.count(j)) continue;
    const Servo& servo = robot_.servo(j);
    const auto heat = faults_.hot.find(j);
    data.joint_names.push_back(names[j]);
    data.voltage.push_back(static_cast<float>(faults_.voltage > 0.0 ? faults_.voltage : robot_.voltage()));
    sensor_msgs::msg::Temperature temperature;
    temperature.header.stamp = data.header.stamp;
    temperature.temperature = heat == faults_.hot.end() ? servo.temperature() : heat->second;
    data.temperature.push_back(temperature);
    constexpr std::uint8_t kOverheating = 4, kOverload = 32;  // bits of protocol 1.0
    data.error.push_back(
        static_cast<std::uint8_t>((servo.overheated() ? kOverheating : 0) | (servo.overloaded() ? kOverload : 0)));
  }
  servo_publisher_->publish(data);
}

void RobotInterface::publish_diagnostics(double now) {
  diagnostic_msgs::msg::DiagnosticArray array;
  array.header.stamp = to_stamp(now);
  diagnostic_msgs::msg::DiagnosticStatus status;
  status.name = "simulator: " + (config_.name.empty() ? robot_.name() : config_.name);
  status.hardware_id = "MuJoCo";
  const HardwareState state = hardware_state(now);
  status.level = state.level;
  status.message = state.text.empty() ? "ok" : state.text;
  const auto add = [&](const char* key, const std::string& value) {
    diagnostic_msgs::msg::KeyValue pair;
    pair.key = key;
    pair.value = value;
    status.values.push_back(pair);
  };
  {
    const std::lock_guard<std::mutex> lock(goals_mutex_);
    add("goals refused", std::to_string(refused_));
    if (!last_refusal_.empty()) add("last refusal", last_refusal_);
    add("goals clipped", std::to_string(player_.clipped()));
  }
  add("voltage", std::to_string(state.voltage));
  add("current", std::to_string(robot_.current()));
  array.status.push_back(status);
  diagnostics_publisher_->publish(array);
}

void RobotInterface::press(const std::string& button, double until) {
  pressed_until_[button] = until;
}

std::optional<std::string> RobotInterface::inject(const InjectFault::Request& request) {
  std::optional<std::size_t> joint;
  if (!request.joint.empty()) {
    const int index = robot_.spec().joint_index(request.joint);
    if (index < 0) return "no joint is called '" + request.joint + "'";
    joint = static_cast<std::size_t>(index);
  }
  if (!std::isfinite(request.value)) return std::string("value is not a number");
  const bool of_servo = request.fault == InjectFault::Request::SERVO_SILENT ||
                        request.fault == InjectFault::Request::SERVO_LIMP ||
                        request.fault == InjectFault::Request::SERVO_HOT;
  if (of_servo && !joint) return std::string("this fault needs a joint");
  switch (request.fault) {
    case InjectFault::Request::NONE: {
      const auto limp = faults_.limp;
      if (joint) {
        faults_.silent.erase(*joint);
        faults_.limp.erase(*joint);
        faults_.hot.erase(*joint);
      } else {
        faults_ = Faults();
      }
      for (const std::size_t j : limp) {
        if (!faults_.limp.count(j)) switch_torque(j, true);
      }
      break;
    }
    case InjectFault::Request::SERVO_SILENT:
      faults_.silent.insert(*joint);
      break;
    case InjectFault::Request::SERVO_LIMP:
      faults_.limp.insert(*joint);
      switch_torque(*joint, false);
      break;
    case InjectFault::Request::SERVO_HOT:
      faults_.hot[*joint] = request.value;
      break;
    case InjectFault::Request::IMU_SILENT:
      faults_.imu_silent = true;
      break;
    case InjectFault::Request::LOW_VOLTAGE:
      faults_.voltage = request.value;
      break;
    case InjectFault::Request::BUS_SILENT:
      faults_.bus_silent = true;
      break;
    default:
      return "fault " + std::to_string(request.fault) + " is not known";
  }
  return std::nullopt;
}

}  // namespace hl_simulation
