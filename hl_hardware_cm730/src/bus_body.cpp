// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/bus_body.hpp"

namespace hl_hardware_cm730 {

BusBody::FootCells BusBody::usual_cells() {
  FootCells cells{};
  for (size_t side = 0; side < 2; ++side)
    for (size_t place = 0; place < 4; ++place) cells[side][place] = fsr_register::kCellAt[side][place];
  return cells;
}

BusBody::BusBody(BusDriver& driver, const FootCells& cells) : driver_(driver), cells_(cells) {
  frame_.joints.resize(driver_.size());
  report_.joints.resize(driver_.size());
}

const hl_robot_interface::SensorFrame& BusBody::read(double now, double attitude_time) {
  frame_.stamp = now;
  for (size_t i = 0; i < driver_.size(); ++i) {
    const JointReading& reading = driver_.joint(i);
    frame_.joints[i] = {reading.fresh, reading.position, reading.velocity,
                        reading.load * data(driver_.spec(i).model).stall_torque};
  }
  const BoardReading& board = driver_.board();
  frame_.imu.reset();
  frame_.buttons.reset();
  if (board.fresh) {
    const Eigen::Vector3d gyro(board.gyro[0], board.gyro[1], board.gyro[2]);
    const Eigen::Vector3d accel(board.accel[0], board.accel[1], board.accel[2]);
    attitude_.update(gyro, accel, attitude_time);
    frame_.imu = {attitude_.orientation(), attitude_.rate(), accel};
    frame_.buttons = {board.mode_button, board.start_button};
  }
  for (size_t side = 0; side < 2; ++side) {
    const FootReading& foot = driver_.foot(side);
    frame_.feet[side].reset();
    if (!foot.fresh) continue;
    auto& cells = frame_.feet[side].emplace();
    for (size_t place = 0; place < 4; ++place) cells[place] = foot.cells[static_cast<size_t>(cells_[side][place] - 1)];
  }
  return frame_;
}

void BusBody::write(const std::vector<hl_joints::GoalPlayer::Goal>& goals, double stiffness) {
  for (size_t i = 0; i < driver_.size(); ++i) {
    JointCommand& command = driver_.command(i);
    command.stiffness = stiffness;
    if (!goals[i].set) continue;
    command.position = goals[i].position;
    command.speed_limit = goals[i].speed_limit;
    command.torque_limit = goals[i].torque_limit;
  }
}

const hl_robot_interface::BodyReport& BusBody::report(double rate, const std::string& why_not) {
  const BoardReading& board = driver_.board();
  report_.answers = driver_.state() == BusState::Running;
  report_.why_not = why_not;
  report_.imu = !board.missing && board.stamp >= 0.0;
  report_.voltage = board.voltage;
  report_.rate = rate;
  for (size_t i = 0; i < driver_.size(); ++i) {
    const JointReading& reading = driver_.joint(i);
    // One that has just come back is told to hold before it is read again.
    const bool torque = driver_.command(i).torque && (reading.torque || !reading.fresh);
    report_.joints[i] = {reading.missing,     torque,          reading.overloaded,
                         reading.temperature, reading.voltage, reading.error};
  }
  return report_;
}

void BusBody::let_go() {
  for (size_t i = 0; i < driver_.size(); ++i) driver_.command(i).torque = false;
}

}  // namespace hl_hardware_cm730
