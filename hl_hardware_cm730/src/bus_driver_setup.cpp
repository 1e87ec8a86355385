// SPDX-License-Identifier: Apache-2.0
// Finding the devices and bringing them into a known state.
#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {

namespace reg = servo_register;

bool BusDriver::write_if_different(uint8_t id, uint8_t address, uint8_t is, uint8_t wanted) {
  return is == wanted || write(id, address, {wanted}).ok();
}

bool BusDriver::set_up_board() {
  Answer answer;
  for (int attempt = 0; attempt < 3 && !answer.ok(); ++attempt) {
    answer = ping(params_.board_id);
    if (answer.result == Answer::Result::Lost) return false;
  }
  const std::string id = std::to_string(params_.board_id);
  if (!answer.ok()) {
    uint16_t model = 0;
    if (answer.result == Answer::Result::Damaged) {
      problems_.push_back("something answers, but not as a CM-730 with id " + id +
                          " at 1 Mbaud: wrong device, or another baud rate");
    } else if (ping2(params_.board_id, model)) {
      problems_.push_back("the device with id " + id + " speaks protocol 2.0 (" + model_name(model) +
                          "), which a CM-730 does not: wrong device");
    } else {
      problems_.push_back("no CM-730 (id " + id +
                          ") answers: is the robot switched on, the cable plugged in, the port the right one, the baud "
                          "rate 1000000?");
    }
    return false;
  }
  const Answer identity = read(params_.board_id, common_register::kModel, 3);
  if (!identity.ok()) {
    problems_.push_back("the CM-730 answers a ping but not a read: bad cable?");
    return false;
  }
  const auto model = static_cast<uint16_t>(word(identity.data.data()));
  if (model != kStockBoard.model && model != kNimbroBoard.model) {
    problems_.push_back("device " + id + " is a " + model_name(model) +
                        ", not a CM-730: check controller_id in robot.yaml");
    return false;
  }
  firmware_ = model == kStockBoard.model ? BoardFirmware::Stock : BoardFirmware::NimbRo;
  if (*firmware_ == BoardFirmware::Stock && identity.data[2] < 0x12) {
    problems_.push_back("CM-730 firmware " + std::to_string(identity.data[2]) +
                        " has no bulk read: update it to 19 (0x13) with ROBOTIS' tool");
    return false;
  }
  const Answer power = read(params_.board_id, kBoardPower, 1);
  if (!power.ok()) return false;
  if (power.data[0] == 0) {
    if (!write(params_.board_id, kBoardPower, {1}).ok()) return false;
    port_.sleep_until(port_.now() + params_.power_on_delay);
  }
  board_.dropped = board_reading_.missing = false;
  board_.misses = 0;
  return true;
}

void BusDriver::start_where_it_stands(Servo& servo) {
  servo.command.position = servo.goal = servo.reading.position;
  servo.returning = true;
}

/// It goes on from `goal` (rad, of the joint) if it holds, else from where it stands.
void BusDriver::starts(Servo& servo, bool holds, double goal) {
  servo.reading.stamp = port_.now();
  start_where_it_stands(servo);
  if (holds) servo.command.position = servo.goal = goal;  // under load it stands a little below: it would sag each time
  servo.written_torque = holds ? 1 : 0;
  servo.written_p = servo.written_speed = servo.written_limit = -1;
  // A servo that holds already is not let go; one that does not is ramped up.
  servo.ramp_start = holds ? port_.now() - params_.torque_ramp : port_.now();
  servo.alert = false;
  servo.link.dropped = servo.reading.missing = false;
  servo.link.misses = servo.link.answers = servo.link.damages = 0;
}

bool BusDriver::set_up_servo(Servo& servo) {
  return servo.spec.table().protocol == Protocol::V1 ? set_up_servo1(servo) : set_up_servo2(servo);
}

bool BusDriver::set_up_servo1(Servo& servo) {
  const uint8_t id = servo.spec.id;
  const std::string who = "servo " + std::to_string(id) + " (" + servo.spec.joint + ")";
  Answer identity;
  for (int attempt = 0; attempt < 3 && !identity.ok(); ++attempt) {
    identity = read(id, 0, 18);
    if (identity.result == Answer::Result::Lost) return false;
  }
  uint16_t model = 0;
  if (identity.result == Answer::Result::Silent) {
    problems_.push_back(ping2(id, model) ? who + " speaks protocol 2.0 (" + model_name(model) + "), robot.yaml says " +
                                               data(servo.spec.model).name + ": write the model that it is"
                                         : who + " does not answer: check its cable and id");
    return false;
  }
  if (!identity.ok()) {
    problems_.push_back("the answers of " + who + " are damaged: two servos with this id, or a bad cable");
    return false;
  }
  model = static_cast<uint16_t>(word(identity.data.data()));
  if (model != data(servo.spec.model).number) {
    problems_.push_back(who + " is a " + model_name(model) + ", robot.yaml says " + data(servo.spec.model).name +
                        ": correct the file or exchange the servo");
  }
  const Answer state = read(id, reg::kTorqueEnable, 20);  // 24..43
  if (!state.ok()) return false;
  const bool holds = state.data[0] != 0;
  if (!holds) {  // EEPROM is written with torque off, and only what differs: it wears out
    write_if_different(id, common_register::kReturnDelay, identity.data[common_register::kReturnDelay],
                       params_.return_delay);
    write_if_different(id, common_register::kReturnLevel, identity.data[common_register::kReturnLevel],
                       params_.return_level);
  } else if (identity.data[common_register::kReturnDelay] != params_.return_delay) {
    problems_.push_back(who + " holds torque, so its return delay of " +
                        std::to_string(2 * identity.data[common_register::kReturnDelay]) +
                        " us stays: the bus is slower until the next start without torque");
  }

  const auto position_at = [&](uint8_t address) {
    return servo.spec.joint_from_servo(
        position_of(servo.spec.table(), word(&state.data[address - reg::kTorqueEnable])));
  };
  servo.reading.position = position_at(reg::kPresentPosition);
  servo.reading.error = state.error;
  servo.reading.overloaded = (state.error & error_bit::kOverload) != 0;
  starts(servo, holds, position_at(reg::kGoalPosition));
  return true;
}

void BusDriver::set_up_feet() {
  for (auto& foot : feet_) {
    foot.link.dropped = true;
    foot.reading.present = false;
    if (foot.link.id == 0) continue;
    const Answer identity = read(foot.link.id, 0, 6);
    if (!identity.ok()) continue;  // most robots have none: no problem, just no data
    write_if_different(foot.link.id, common_register::kReturnDelay, identity.data[common_register::kReturnDelay],
                       params_.return_delay);
    foot.link.dropped = false;
    foot.link.misses = 0;
    foot.reading.present = true;
  }
}

bool BusDriver::set_up() {
  problems_.clear();
  if (!set_up_board()) return false;
  bool any = false;
  for (auto& servo : servos_) {
    const bool ok = set_up_servo(servo);
    any |= ok;
    servo.link.dropped = servo.reading.missing = !ok;
  }
  set_up_feet();
  if (!any && !servos_.empty()) problems_.push_back("no servo answers: is the servo supply fused or unplugged?");
  silent_cycles_ = servo_silence_ = 0;
  next_prod_ = port_.now() + params_.prod_period;
  return true;
}

}  // namespace hl_hardware_cm730
