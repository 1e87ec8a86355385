// SPDX-License-Identifier: Apache-2.0
// Single questions to single devices.
#include <algorithm>

#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {

namespace reg = servo_register;

namespace {
constexpr int kRebootAttempts = 10;
constexpr double kRebootPause = 0.1;  // s
}  // namespace

BusDriver::Answer BusDriver::transact(const Bytes& packet, uint8_t id, size_t expected) {
  Answer answer;
  parser_.clear();
  parser_.expect(nullptr, nullptr);
  port_.discard_input();
  if (!port_.write(packet.data(), packet.size())) {
    answer.result = Answer::Result::Lost;
    return answer;
  }
  const uint64_t skipped = parser_.counters().skipped_bytes;
  double deadline =
      port_.now() + static_cast<double>(packet.size() + expected + kFrame1) * kSecondsPerByte + params_.reply_gap;
  uint8_t buffer[256];
  for (;;) {
    const int count = port_.read(buffer, sizeof(buffer), deadline);
    if (count < 0) {
      answer.result = Answer::Result::Lost;
      return answer;
    }
    if (count == 0) break;
    parser_.feed(buffer, static_cast<size_t>(count));
    Packet reply;
    while (parser_.next(reply)) {
      if (reply.id != id || (reply.protocol == Protocol::V2 && !reply.status)) continue;
      answer.error = reply.code;
      answer.data.assign(reply.parameters.begin(), reply.parameters.begin() + static_cast<std::ptrdiff_t>(reply.size));
      const bool whole = reply.size == expected;
      answer.result = whole ? Answer::Result::Ok : Answer::Result::Damaged;
      return answer;
    }
  }
  if (parser_.counters().skipped_bytes != skipped || parser_.pending() > 0) answer.result = Answer::Result::Damaged;
  return answer;
}

BusDriver::Answer BusDriver::ping(uint8_t id) {
  return transact(packet1(id, instruction::kPing), id, 0);
}

BusDriver::Answer BusDriver::read(uint8_t id, uint8_t address, uint8_t size) {
  return transact(packet1(id, instruction::kRead, {address, size}), id, size);
}

BusDriver::Answer BusDriver::write(uint8_t id, uint8_t address, const Bytes& data) {
  Bytes parameters;
  parameters.reserve(data.size() + 1);
  parameters.push_back(address);
  parameters.insert(parameters.end(), data.begin(), data.end());
  Answer answer = transact(packet1(id, instruction::kWrite, parameters), id, 0);
  if (answer.result == Answer::Result::Silent && params_.return_level < 2) answer.result = Answer::Result::Ok;
  return answer;
}

BusDriver::Answer BusDriver::ping(const Servo& servo) {
  if (servo.spec.table().protocol == Protocol::V1) return ping(servo.spec.id);
  return transact(packet2(servo.spec.id, instruction::kPing), servo.spec.id, 3);
}

BusDriver::Answer BusDriver::read2(uint8_t id, uint16_t address, uint16_t size) {
  Bytes parameters(4);
  put_word(&parameters[0], address);
  put_word(&parameters[2], size);
  return transact(packet2(id, instruction::kRead, parameters), id, size);
}

BusDriver::Answer BusDriver::write2(uint8_t id, uint16_t address, const Bytes& data) {
  Bytes parameters(2 + data.size());
  put_word(&parameters[0], address);
  std::copy(data.begin(), data.end(), parameters.begin() + 2);
  Answer answer = transact(packet2(id, instruction::kWrite, parameters), id, 0);
  if (answer.ok() && (answer.error & ~error2::kAlert) != 0) answer.result = Answer::Result::Damaged;
  if (answer.result == Answer::Result::Silent && params_.return_level < 2) answer.result = Answer::Result::Ok;
  return answer;
}

bool BusDriver::ping2(uint8_t id, uint16_t& model) {
  const Answer answer = transact(packet2(id, instruction::kPing), id, 3);
  if (!answer.ok()) return false;
  model = static_cast<uint16_t>(word(answer.data.data()));
  return true;
}

std::string BusDriver::recover(size_t joint) {
  Servo& servo = servos_[joint];
  const uint8_t id = servo.spec.id;
  if (servo.spec.table().protocol == Protocol::V2) return recover2(servo);
  const Answer maximum = read(id, reg::kMaxTorque, 2);
  if (!maximum.ok()) return "servo " + std::to_string(id) + " (" + servo.spec.joint + ") does not answer";
  const Answer position = read(id, reg::kPresentPosition, 2);
  Answer written = write(id, reg::kTorqueLimit, maximum.data);
  if (!position.ok() || !written.ok()) return "servo " + std::to_string(id) + " did not take the torque limit";
  const Answer check = ping(id);
  if (check.error & (error_bit::kOverload | error_bit::kOverheating)) {
    return "servo " + std::to_string(id) + " (" + servo.spec.joint + ") still reports " +
           (check.error & error_bit::kOverload ? "overload" : "overheating") + "; unload or cool it, then try again";
  }
  servo.reading.overloaded = false;
  servo.reading.error = check.error;
  servo.reading.position = servo.spec.joint_from_servo(position_of(servo.spec.table(), word(position.data.data())));
  start_where_it_stands(servo);
  servo.ramp_start = port_.now();
  servo.written_torque = servo.written_p = servo.written_speed = servo.written_limit = -1;
  event(servo.spec.joint + " recovered");
  return {};
}

/// Only a restart brings a servo of protocol 2.0 back that has switched itself off.
std::string BusDriver::recover2(Servo& servo) {
  const uint8_t id = servo.spec.id;
  const std::string who = "servo " + std::to_string(id) + " (" + servo.spec.joint + ")";
  if (!transact(packet2(id, instruction::kReboot), id, 0).ok()) return who + " does not answer";
  for (int attempt = 0; attempt < kRebootAttempts; ++attempt) {
    port_.sleep_until(port_.now() + kRebootPause);
    if (!ping(servo).ok()) continue;
    if (!set_up_servo(servo)) break;
    if (servo.reading.overloaded)
      return who + " still reports overload or overheating; unload or cool it, then try again";
    event(servo.spec.joint + " recovered");
    return {};
  }
  return who + " does not come back from its restart";
}

std::string BusDriver::change_id(uint8_t old_id, uint8_t new_id) {
  if (new_id > 253 || old_id > 253) return "ids are 0..253";
  if (old_id == new_id) return "old and new id are the same";
  if (old_id == params_.board_id || new_id == params_.board_id) return "the board's id cannot be used";
  if (uint16_t model = 0; ping2(old_id, model))
    return "servo " + std::to_string(old_id) + " (" + model_name(model) +
           ") speaks protocol 2.0: change its id with the maker's tool, such as DYNAMIXEL Wizard";
  // Two servos with one id answer at the same time and damage each other's answers, at least now and then.
  for (int i = 0; i < 10; ++i) {
    const Answer block = read(old_id, 0, 12);
    if (block.result == Answer::Result::Silent) return "no servo answers to id " + std::to_string(old_id);
    if (!block.ok()) {
      return "the answers of id " + std::to_string(old_id) +
             " are damaged: more than one servo has it. Connect only the one to be changed";
    }
  }
  if (ping(new_id).result != Answer::Result::Silent) return "id " + std::to_string(new_id) + " is taken already";
  const Answer torque = read(old_id, reg::kTorqueEnable, 1);
  if (!torque.ok() || torque.data[0] != 0) return "torque is on; switch it off first";
  transact(packet1(old_id, instruction::kWrite, {common_register::kId, new_id}), old_id, 0);
  if (!ping(new_id).ok()) return "the servo did not take the new id";
  event("servo " + std::to_string(old_id) + " is now " + std::to_string(new_id));
  return {};
}

}  // namespace hl_hardware_cm730
