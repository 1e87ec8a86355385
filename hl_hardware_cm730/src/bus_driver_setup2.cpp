// SPDX-License-Identifier: Apache-2.0
// Servos of protocol 2.0: brought into a known state, and asked why they complain.
#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr uint8_t kPositionMode = 3;
// Of the hardware error register; voltage, overheating and overload are the same bits as in a status of protocol 1.0.
constexpr uint8_t kElectricalShock = 0x10;
constexpr uint8_t kSwitchedOff = error_bit::kOverheating | kElectricalShock | error_bit::kOverload;
constexpr uint8_t kSameInProtocol1 = error_bit::kVoltage | error_bit::kOverheating | error_bit::kOverload;

}  // namespace

bool BusDriver::set_up_servo2(Servo& servo) {
  const uint8_t id = servo.spec.id;
  const ServoTable& table = servo.spec.table();
  const std::string who = "servo " + std::to_string(id) + " (" + servo.spec.joint + ")";
  Answer identity;
  for (int attempt = 0; attempt < 3 && !identity.ok(); ++attempt) {
    identity = ping(servo);
    if (identity.result == Answer::Result::Lost) return false;
  }
  if (identity.result == Answer::Result::Silent) {
    const Answer other = read(id, common_register::kModel, 2);
    problems_.push_back(
        other.ok() ? who + " speaks protocol 1.0 (" + model_name(static_cast<uint16_t>(word(other.data.data()))) +
                         "), robot.yaml says " + data(servo.spec.model).name + ": write the model that it is"
                   : who + " does not answer: check its cable, id and baud rate (1000000)");
    return false;
  }
  if (!identity.ok()) {
    problems_.push_back("the answers of " + who + " are damaged: two servos with this id, or a bad cable");
    return false;
  }
  const auto model = static_cast<uint16_t>(word(identity.data.data()));
  if (model != data(servo.spec.model).number) {
    problems_.push_back(who + " is a " + model_name(model) + ", robot.yaml says " + data(servo.spec.model).name +
                        ": correct the file or exchange the servo");
    if (const auto known = servo_model(model_name(model)); !known || data(*known).table != &table) return false;
  }

  const auto value = [&](const Register& r, int& into) {
    const Answer answer = read2(id, r.address, r.size);
    if (answer.ok()) into = register_value(answer.data.data(), r.size);
    return answer.ok();
  };
  const auto set_if_different = [&](const Register& r, int wanted) {
    int is = wanted;
    if (!value(r, is)) return false;
    if (is == wanted) return true;
    Bytes bytes(r.size);
    put_register(bytes.data(), r.size, wanted);
    return write2(id, r.address, bytes).ok();
  };
  int torque = 0, goal = 0, position = 0, error = 0;
  if (!value(table.torque_enable, torque) || !value(table.goal_position, goal) || !value(table.position, position) ||
      !value(table.hardware_error, error))
    return false;
  const bool holds = torque != 0;
  if (!holds) {  // EEPROM is written with torque off, and only what differs: it wears out
    if (!set_if_different({table.return_delay, 1}, params_.return_delay) ||
        !set_if_different(table.return_level, params_.return_level))
      problems_.push_back(who + " does not take its return delay or level: the bus is slower");
    if (table.operating_mode.size > 0 && !set_if_different(table.operating_mode, kPositionMode)) {
      problems_.push_back(who + " does not go into position control: set its operating mode to 3");
      return false;
    }
  }
  servo.reading.position = servo.spec.joint_from_servo(position_of(table, position));
  servo.reading.error = static_cast<uint8_t>(error & kSameInProtocol1);
  servo.reading.overloaded = (error & kSwitchedOff) != 0;
  starts(servo, holds, servo.spec.joint_from_servo(position_of(table, goal)));
  return true;
}

/// A status only says that something is wrong; one servo per cycle is asked what it is.
void BusDriver::look_into_alerts() {
  for (auto& servo : servos_) {
    if (!servo.alert || servo.link.dropped) continue;
    servo.alert = false;
    const Register& r = servo.spec.table().hardware_error;
    const Answer answer = read2(servo.spec.id, r.address, r.size);
    if (answer.result == Answer::Result::Lost) return lose_port();
    if (!answer.ok()) return;
    servo.reading.error = static_cast<uint8_t>(answer.data[0] & kSameInProtocol1);
    if (answer.data[0] & kSwitchedOff) report_overload(servo);
    return;
  }
}

}  // namespace hl_hardware_cm730
