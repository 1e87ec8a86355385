// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/bus_servos.hpp"

#include <algorithm>
#include <stdexcept>

namespace hl_simulation {

using hl_hardware_cm730::EmulatorConfig;
using hl_hardware_cm730::ServoCommand;

BusServos::BusServos(DrivenBody& body, const hl_description::RobotConfig& config, double hold)
    : robot_(body), hold_(hold) {
  for (const auto& servo : config.servos) {
    const int joint = robot_.spec().joint_index(servo.joint);
    if (joint < 0)
      throw std::runtime_error("servo " + std::to_string(servo.id) + ": the simulation has no joint '" + servo.joint +
                               "'");
    links_.push_back({static_cast<std::size_t>(joint), servo.direction(), servo.offset});
  }
  last_.resize(links_.size());
  states_.resize(links_.size());
  jumped();
  held_ = true;
  robot_.hold(true);
  read();
}

void BusServos::jumped() {
  held_ = false;
  for (ServoCommand& command : last_) command.p = command.i = command.d = -1;  // no register has this value
}

void BusServos::apply(std::size_t servo, const ServoCommand& command) {
  const std::size_t joint = links_[servo].joint;
  ServoCommand& last = last_[servo];
  // Not compared with the servo: it may have shut itself down, and stays so until the bus switches it off and on.
  if (command.torque != last.torque || last.p < 0) robot_.set_torque(joint, command.torque);
  if (command.p != last.p || command.i != last.i || command.d != last.d)
    robot_.set_gains(joint, command.p, command.i, command.d);
  if (command.torque) robot_.set_goal(joint, links_[servo].direction * (command.goal - links_[servo].offset));
  robot_.set_torque_limit(joint, command.torque_limit);
  robot_.set_speed_limit(joint, command.speed_limit);
  last = command;
}

void BusServos::step(double dt, const std::vector<ServoCommand>& commands) {
  bool all = true;
  for (const ServoCommand& command : commands) {
    all &= command.torque;
    if (command.torque) resting_ = false;
  }
  if (!resting_) {
    for (std::size_t n = 0; n < links_.size() && n < commands.size(); ++n) apply(n, commands[n]);
  }
  torque_time_ = all ? torque_time_ + dt : 0.0;
  if (held_ && torque_time_ >= hold_) {
    held_ = false;
    robot_.hold(false);
  }
}

void BusServos::read() {
  const Reading& reading = robot_.read();
  for (std::size_t n = 0; n < links_.size(); ++n) {
    const std::size_t joint = links_[n].joint;
    states_[n].position = links_[n].direction * reading.joints.position[joint] + links_[n].offset;
    states_[n].velocity = links_[n].direction * reading.joints.velocity[joint];
    const Servo& servo = robot_.servo(joint);
    states_[n].load = links_[n].direction * servo.load();
    states_[n].temperature = servo.temperature();
    states_[n].shut_down = last_[n].p >= 0 && last_[n].torque && !servo.torque_on();
  }
  for (int k = 0; k < 3; ++k) {
    body_.gyro[k] = reading.imu.angular_velocity[k];
    body_.accel[k] = reading.imu.linear_acceleration[k];
  }
  body_.voltage = robot_.voltage();
  body_.feet = {reading.left_foot, reading.right_foot};
}

EmulatorConfig emulator_config(const hl_description::RobotConfig& config) {
  EmulatorConfig bus;
  bus.board_id = static_cast<std::uint8_t>(config.controller_id);
  for (const auto& servo : config.servos) {
    EmulatorConfig::Servo entry;
    entry.id = static_cast<std::uint8_t>(servo.id);
    const auto model = hl_hardware_cm730::servo_model(servo.model);
    if (!model) throw std::runtime_error(servo.joint + ": the emulated bus has no servo '" + servo.model + "'");
    entry.model = *model;
    bus.servos.push_back(entry);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    bus.foot_ids[side] = static_cast<std::uint8_t>(config.foot_sensors[side] ? config.foot_sensors[side]->id : 0);
  }
  return bus;
}

}  // namespace hl_simulation
