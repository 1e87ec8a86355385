// SPDX-License-Identifier: Apache-2.0
// What the driver tells the others, from the bus thread.
#include "cm730_node.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace msg = humanoid_league_msgs::msg;

constexpr double kStatePeriod = 0.1;        // s
constexpr double kServoDataPeriod = 0.5;    // s
constexpr double kDiagnosticsPeriod = 1.0;  // s

}  // namespace

void Cm730Node::publish_cycle() {
  const auto stamp = now();
  joint_states_.header.stamp = stamp;
  joint_states_.name.clear();
  joint_states_.position.clear();
  joint_states_.velocity.clear();
  joint_states_.effort.clear();
  for (size_t i = 0; i < driver_->size(); ++i) {
    const JointReading& reading = driver_->joint(i);
    if (!reading.fresh) continue;  // what is not fresh is left out
    joint_states_.name.push_back(joint_names_[i]);
    joint_states_.position.push_back(reading.position);
    joint_states_.velocity.push_back(reading.velocity);
    joint_states_.effort.push_back(reading.load * data(driver_->spec(i).model).stall_torque);
  }
  if (!joint_states_.name.empty()) joint_publisher_->publish(joint_states_);

  const BoardReading& board = driver_->board();
  if (board.fresh) {
    const Eigen::Vector3d gyro(board.gyro[0], board.gyro[1], board.gyro[2]);
    const Eigen::Vector3d accel(board.accel[0], board.accel[1], board.accel[2]);
    // In simulated time the world may be slower than the port's clock; the system's clock may jump.
    attitude_.update(gyro, accel, get_clock()->ros_time_is_active() ? stamp.seconds() : board.stamp);
    const auto& q = attitude_.orientation();
    imu_.header.stamp = stamp;
    imu_.header.frame_id = "imu_frame";
    imu_.orientation.x = q.x();
    imu_.orientation.y = q.y();
    imu_.orientation.z = q.z();
    imu_.orientation.w = q.w();
    imu_.angular_velocity.x = attitude_.rate().x();
    imu_.angular_velocity.y = attitude_.rate().y();
    imu_.angular_velocity.z = attitude_.rate().z();
    imu_.linear_acceleration.x = accel.x();
    imu_.linear_acceleration.y = accel.y();
    imu_.linear_acceleration.z = accel.z();
    imu_publisher_->publish(imu_);
    if (!buttons_known_ || board.mode_button != last_mode_ || board.start_button != last_start_) {
      msg::Buttons buttons;
      buttons.header.stamp = stamp;
      buttons.mode = last_mode_ = board.mode_button;
      buttons.start = last_start_ = board.start_button;
      buttons_known_ = true;
      button_publisher_->publish(buttons);
    }
  }
  for (size_t side = 0; side < 2; ++side) {
    const FootReading& foot = driver_->foot(side);
    if (!foot.fresh) continue;
    const auto cell = [&](size_t place) {
      return static_cast<float>(foot.cells[static_cast<size_t>(foot_cells_[side][place] - 1)]);
    };
    msg::FootPressure pressure;
    pressure.header.stamp = stamp;
    pressure.header.frame_id = side == 0 ? "l_sole" : "r_sole";
    pressure.front_left = cell(0);
    pressure.front_right = cell(1);
    pressure.back_left = cell(2);
    pressure.back_right = cell(3);
    foot_publishers_[side]->publish(pressure);
  }
}

void Cm730Node::publish_state() {
  next_state_ = port_->now() + kStatePeriod;
  state_.header.stamp = now();
  state_.joints_missing.clear();
  state_.joints_limp.clear();
  state_.joints_overloaded.clear();
  state_.joints_hot.clear();
  state_.torque_on = false;
  const bool running = driver_->state() == BusState::Running;
  for (size_t i = 0; i < driver_->size(); ++i) {
    const JointReading& reading = driver_->joint(i);
    if (reading.missing || !running)
      state_.joints_missing.push_back(joint_names_[i]);
    else if (!driver_->command(i).torque || reading.overloaded)
      state_.joints_limp.push_back(joint_names_[i]);
    if (reading.overloaded) state_.joints_overloaded.push_back(joint_names_[i]);
    if (reading.temperature >= active_limits_.warn_temperature) state_.joints_hot.push_back(joint_names_[i]);
    state_.torque_on |= running && reading.torque;
  }
  const BoardReading& board = driver_->board();
  state_.imu_ok = running && !board.missing && board.stamp >= 0.0;
  state_.power_on = running;
  state_.voltage = running ? static_cast<float>(board.voltage) : -1.0f;
  state_.bus_rate = static_cast<float>(cycle_rate_);
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (!running) add(port_->error().empty() ? "the bus does not answer" : port_->error());
  if (running && !state_.joints_missing.empty())
    add(std::to_string(state_.joints_missing.size()) + " joints do not answer");
  if (running && board.missing) add("the IMU does not answer");
  if (!state_.joints_overloaded.empty()) add("overload: " + state_.joints_overloaded.front());
  if (!state_.joints_hot.empty()) add("hot: " + state_.joints_hot.front());
  if (running && board.voltage >= 0.0 && board.voltage < active_limits_.warn_voltage) add("the battery is low");
  state_.text = text;
  const bool error =
      !running || board.missing || state_.joints_missing.size() == driver_->size() || shutdown_since_ >= 0.0;
  state_.level = error ? msg::HardwareState::ERROR : text.empty() ? msg::HardwareState::OK : msg::HardwareState::WARN;
  state_publisher_->publish(state_);
}

void Cm730Node::publish_servo_data() {
  next_servo_data_ = port_->now() + kServoDataPeriod;
  msg::AdditionalServoData servo;
  const auto stamp = now();
  servo.header.stamp = stamp;
  servo.joint_names = joint_names_;
  for (size_t i = 0; i < driver_->size(); ++i) {
    const JointReading& reading = driver_->joint(i);
    servo.voltage.push_back(static_cast<float>(reading.voltage));
    sensor_msgs::msg::Temperature temperature;
    temperature.header.stamp = stamp;
    temperature.temperature = reading.temperature;
    servo.temperature.push_back(temperature);
    servo.error.push_back(reading.error);
  }
  servo_publisher_->publish(servo);
}

void Cm730Node::publish_diagnostics() {
  next_diagnostics_ = port_->now() + kDiagnosticsPeriod;
  diagnostic_msgs::msg::DiagnosticArray array;
  array.header.stamp = now();
  diagnostic_msgs::msg::DiagnosticStatus status;
  status.name = std::string(get_fully_qualified_name()) + ": bus";
  status.hardware_id = port_name_;
  status.level = state_.level;
  status.message = state_.text.empty() ? "runs" : state_.text;
  const auto value = [&](const std::string& key, const std::string& text) {
    diagnostic_msgs::msg::KeyValue pair;
    pair.key = key;
    pair.value = text;
    status.values.push_back(pair);
  };
  const BusCounters& c = driver_->counters();
  for (const auto& [key, count] :
       {std::pair("cycles", c.cycles), std::pair("incomplete cycles", c.incomplete_cycles),
        std::pair("missed cycles", missed_cycles_), std::pair("bad check sums", c.bad_checksums),
        std::pair("stray bytes", c.skipped_bytes), std::pair("silences", c.silences),
        std::pair("second requests", c.follow_ups), std::pair("devices dropped", c.drops),
        std::pair("devices taken back", c.readmissions), std::pair("rests of the bus", c.rests),
        std::pair("port losses", c.port_losses), std::pair("supply losses", c.power_losses)}) {
    value(key, std::to_string(count));
  }
  value("cycle rate, Hz", std::to_string(cycle_rate_));
  value("gyro bias known", attitude_.calibrated() ? "yes" : "not yet: keep the robot still");
  {
    std::lock_guard<std::mutex> lock(goals_mutex_);
    value("goals refused", std::to_string(goals_refused_));
    value("last refusal", last_refusal_);
    value("goals clipped", std::to_string(player_->clipped()));
  }
  for (const auto& problem : driver_->problems()) value("problem", problem);
  array.status.push_back(status);
  diagnostics_publisher_->publish(array);
}

}  // namespace hl_hardware_cm730
