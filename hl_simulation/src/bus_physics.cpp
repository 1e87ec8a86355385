// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/bus_physics.hpp"

#include <algorithm>
#include <stdexcept>

namespace hl_simulation {

using hl_hardware_cm730::EmulatorConfig;
using hl_hardware_cm730::ServoCommand;

BusPhysics::BusPhysics(std::shared_ptr<Simulation> simulation, std::size_t robot,
                       const hl_description::RobotConfig& config, double hold)
    : simulation_(std::move(simulation)), robot_(simulation_->robot(robot)), hold_(hold) {
  for (const auto& servo : config.servos) {
    const int joint = robot_.spec().joint_index(servo.joint);
    if (joint < 0)
      throw std::runtime_error("servo " + std::to_string(servo.id) + ": the simulation has no joint '" + servo.joint +
                               "'");
    links_.push_back({static_cast<std::size_t>(joint), servo.offset});
  }
  last_.resize(links_.size());
  states_.resize(links_.size());
  robot_.set_torque(false);
  robot_.hold(true);
  read();
}

void BusPhysics::step(double dt, const std::vector<ServoCommand>& commands) {
  bool all = true;
  for (std::size_t n = 0; n < links_.size() && n < commands.size(); ++n) {
    const ServoCommand& now = commands[n];
    ServoCommand& before = last_[n];
    const std::size_t joint = links_[n].joint;
    all &= now.torque;
    if (now.torque) resting_ = false;
    if (now.torque != robot_.servo(joint).torque_on()) robot_.set_torque(joint, now.torque);
    if (now.p != before.p || now.i != before.i || now.d != before.d) robot_.set_gains(joint, now.p, now.i, now.d);
    if (now.torque) robot_.set_goal(joint, now.goal - links_[n].offset);
    robot_.set_torque_limit(joint, now.torque_limit);
    robot_.set_speed_limit(joint, now.speed_limit);
    before = now;
  }
  if (resting_) return;
  torque_time_ = all ? torque_time_ + dt : 0.0;
  if (held_ && torque_time_ >= hold_) {
    held_ = false;
    robot_.hold(false);
  }
  for (owed_ += dt; owed_ >= simulation_->timestep() - 1e-9; owed_ -= simulation_->timestep()) simulation_->step();
  read();
}

void BusPhysics::read() {
  const Reading& reading = robot_.read();
  for (std::size_t n = 0; n < links_.size(); ++n) {
    const std::size_t joint = links_[n].joint;
    states_[n].position = reading.joints.position[joint] + links_[n].offset;
    states_[n].velocity = reading.joints.velocity[joint];
    states_[n].load = robot_.servo(joint).load();
  }
  for (int k = 0; k < 3; ++k) {
    body_.gyro[k] = reading.imu.angular_velocity[k];
    body_.accel[k] = reading.imu.linear_acceleration[k];
  }
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
