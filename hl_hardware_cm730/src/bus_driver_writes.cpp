// SPDX-License-Identifier: Apache-2.0
// What a cycle writes: goals always, settings when they change and now and then.
#include <algorithm>
#include <cmath>

#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace reg = servo_register;

constexpr uint64_t kRefreshEvery = 4;  // cycles
constexpr int kRampSteps = 16;         // torque limits written while ramping
constexpr int kMargin = 1;             // ticks about its goal in which a servo without gains is content, as delivered
constexpr double kLongestStep = 0.05;  // s; after a longer pause a returning servo goes on slowly

}  // namespace

int BusDriver::p_gain(const Servo& servo) {
  return raw_p_gain(servo.spec.table(), servo.spec.p * servo.command.stiffness);
}

/// A servo that has just come (back) stands where it stands, perhaps far from its goal: it gets there slowly.
void BusDriver::advance_goals() {
  const double now = port_.now();
  const double step = params_.return_speed * std::min(now - last_exchange_, kLongestStep);
  last_exchange_ = now;
  for (auto& servo : servos_) {
    const double wanted = std::clamp(servo.command.position, servo.spec.lower, servo.spec.upper);
    servo.returning = servo.returning && std::abs(wanted - servo.goal) > step;
    servo.goal = servo.returning ? servo.goal + std::copysign(step, wanted - servo.goal) : wanted;
  }
}

int BusDriver::goal_ticks(const Servo& servo) {
  return raw_position(servo.spec.table(), servo.spec.servo_from_joint(servo.goal));
}

int BusDriver::torque_limit(Servo& servo) {
  if (servo.command.torque && servo.written_torque != 1) servo.ramp_start = port_.now();
  double ramp = 1.0;
  if (params_.torque_ramp > 0.0) ramp = std::min(1.0, (port_.now() - servo.ramp_start) / params_.torque_ramp);
  return raw_torque_limit(servo.spec.table(), servo.command.torque_limit * std::ceil(ramp * kRampSteps) / kRampSteps);
}

/// One that is silent alone has a problem of its own, and comes back slowly. If all are, the way back to us is broken
/// rather than they, and they still get goals for a while.
bool BusDriver::reachable(const Servo& servo, bool goal) const {
  const bool farewell = goal && all_servos_silent_ && port_.now() - servo.dropped_at < params_.farewell;
  return (!servo.link.dropped || farewell) && !servo.reading.overloaded;
}

/// One sync write per register block, with only the servos whose value has changed.
void BusDriver::append_writes() {
  const auto block = [&](uint8_t address, uint8_t size, auto fill) {
    group_.assign({address, size});
    for (auto& servo : servos_) {
      if (servo.spec.table().protocol != Protocol::V1 || !reachable(servo, address == reg::kGoalPosition)) continue;
      uint8_t values[4];
      if (!fill(servo, values)) continue;
      group_.push_back(servo.spec.id);
      group_.insert(group_.end(), values, values + size);
    }
    if (group_.size() > 2) append_packet1(tx_, kBroadcast, instruction::kSyncWrite, group_.data(), group_.size());
  };

  const auto changed_p = [](Servo& servo, bool compliance) {
    const int p = p_gain(servo);
    if (servo.spec.table().compliance != compliance || p == servo.written_p) return false;
    servo.written_p = p;
    return true;
  };
  block(reg::kDGain, 3, [&](Servo& servo, uint8_t* values) {
    if (!changed_p(servo, false)) return false;
    values[0] = static_cast<uint8_t>(servo.spec.d);
    values[1] = static_cast<uint8_t>(servo.spec.i);
    values[2] = static_cast<uint8_t>(servo.written_p);
    return true;
  });
  block(reg::kPGain, 2, [&](Servo& servo, uint8_t* values) {
    if (!changed_p(servo, true)) return false;
    values[0] = values[1] = static_cast<uint8_t>(servo.written_p);  // slopes to both sides
    return true;
  });
  block(reg::kMovingSpeed, 4, [&](Servo& servo, uint8_t* values) {
    const int speed = raw_speed_limit(servo.spec.table(), servo.command.speed_limit);
    const int limit = torque_limit(servo);
    if (speed == servo.written_speed && limit == servo.written_limit) return false;
    put_word(values, servo.written_speed = speed);
    put_word(values + 2, servo.written_limit = limit);
    return true;
  });
  block(reg::kGoalPosition, 2, [&](Servo& servo, uint8_t* values) {
    if (!servo.command.torque) return false;  // a goal would switch torque on
    put_word(values, goal_ticks(servo));
    return true;
  });
  block(reg::kTorqueEnable, 1, [&](Servo& servo, uint8_t* values) {
    const int torque = servo.command.torque ? 1 : 0;
    if (torque == servo.written_torque) return false;
    servo.written_torque = torque;
    values[0] = static_cast<uint8_t>(torque);
    return true;
  });
  if (counters_.cycles % kRefreshEvery == 0) append_refresh();
  for (const ServoTable* table : tables2_) append_writes2(*table);
}

/// All settings of one servo again, so that a lost packet or a servo that restarted heals within one round.
void BusDriver::append_refresh() {
  refresh_turn_ = (refresh_turn_ + 1) % std::max<size_t>(1, servos_.size());
  if (servos_.empty()) return;
  Servo& servo = servos_[refresh_turn_];
  if (servo.link.dropped || servo.reading.overloaded) return;
  if (servo.spec.table().protocol == Protocol::V2) {
    servo.refresh = true;
    return;
  }
  const bool torque = servo.command.torque;
  const bool compliance = servo.spec.table().compliance;
  const auto p = static_cast<uint8_t>(p_gain(servo));
  const auto d = static_cast<uint8_t>(compliance ? kMargin : servo.spec.d);
  const auto i = static_cast<uint8_t>(compliance ? kMargin : servo.spec.i);
  const auto size = static_cast<uint8_t>((torque ? reg::kPresentPosition : reg::kGoalPosition) - reg::kTorqueEnable);
  group_.assign(
      {reg::kTorqueEnable, size, servo.spec.id, static_cast<uint8_t>(torque), 0, d, i, p, compliance ? p : uint8_t{0}});
  if (torque) {
    for (const int value :
         {goal_ticks(servo), raw_speed_limit(servo.spec.table(), servo.command.speed_limit), torque_limit(servo)}) {
      group_.push_back(static_cast<uint8_t>(value));
      group_.push_back(static_cast<uint8_t>(value >> 8));
    }
  }
  append_packet1(tx_, kBroadcast, instruction::kSyncWrite, group_.data(), group_.size());
}

/// The same for the servos of protocol 2.0 with these registers.
void BusDriver::append_writes2(const ServoTable& table) {
  const auto write = [&](const Register& first, uint8_t size, bool goal, auto fill) {
    group_.resize(4);
    put_word(&group_[0], first.address);
    put_word(&group_[2], size);
    for (auto& servo : servos_) {
      if (&servo.spec.table() != &table || !reachable(servo, goal)) continue;
      uint8_t values[8] = {};
      if (!fill(servo, values)) continue;
      group_.push_back(servo.spec.id);
      group_.insert(group_.end(), values, values + size);
    }
    if (group_.size() > 4) append_packet2(tx_, kBroadcast, instruction::kSyncWrite, group_.data(), group_.size());
  };
  const auto changed = [](const Servo& servo, int& written, int wanted) {
    if (written == wanted && !servo.refresh) return false;
    written = wanted;
    return true;
  };

  write(table.d_gain, static_cast<uint8_t>(3 * table.d_gain.size), false, [&](Servo& servo, uint8_t* values) {
    if (!changed(servo, servo.written_p, p_gain(servo))) return false;
    const uint8_t size = table.d_gain.size;
    put_register(values, size, servo.spec.d);
    put_register(values + size, size, servo.spec.i);
    put_register(values + 2 * size, size, servo.written_p);
    return true;
  });
  write(table.torque_limit, table.torque_limit.size, false, [&](Servo& servo, uint8_t* values) {
    if (!changed(servo, servo.written_limit, torque_limit(servo))) return false;
    put_register(values, table.torque_limit.size, servo.written_limit);
    return true;
  });
  write(table.speed_limit, table.speed_limit.size, false, [&](Servo& servo, uint8_t* values) {
    if (!changed(servo, servo.written_speed, raw_speed_limit(table, servo.command.speed_limit))) return false;
    put_register(values, table.speed_limit.size, servo.written_speed);
    return true;
  });
  write(table.goal_position, table.goal_position.size, true, [&](Servo& servo, uint8_t* values) {
    if (!servo.command.torque) return false;
    put_register(values, table.goal_position.size, goal_ticks(servo));
    return true;
  });
  write(table.torque_enable, table.torque_enable.size, false, [&](Servo& servo, uint8_t* values) {
    if (!changed(servo, servo.written_torque, servo.command.torque ? 1 : 0)) return false;
    put_register(values, table.torque_enable.size, servo.written_torque);
    servo.refresh = false;
    return true;
  });
}

}  // namespace hl_hardware_cm730
