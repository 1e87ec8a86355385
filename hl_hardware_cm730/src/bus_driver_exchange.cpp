// SPDX-License-Identifier: Apache-2.0
// One cycle on the wire: goals out, everything else in.
#include <algorithm>
#include <cmath>

#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace reg = servo_register;

constexpr uint8_t kSlowSize = 8;       // and load, voltage, temperature
constexpr uint8_t kFootSize = 8;       // four cells
constexpr uint64_t kRefreshEvery = 4;  // cycles
constexpr size_t kMaxFollowUps = 3;
constexpr int kRampSteps = 16;         // torque limits written while ramping
constexpr double kLongestStep = 0.05;  // s; after a longer pause a returning servo goes on slowly

int16_t signed_word(const uint8_t* bytes) {
  return static_cast<int16_t>(word(bytes));
}

}  // namespace

int BusDriver::p_gain(const Servo& servo) {
  return std::clamp(static_cast<int>(std::lround(servo.spec.p * servo.command.stiffness)), 0, 254);
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
  return ticks_from_position(servo.spec.servo_from_joint(servo.goal));
}

int BusDriver::torque_limit(const Servo& servo) const {
  double ramp = 1.0;
  if (params_.torque_ramp > 0.0) ramp = std::min(1.0, (port_.now() - servo.ramp_start) / params_.torque_ramp);
  return torque_limit_raw(servo.command.torque_limit * std::ceil(ramp * kRampSteps) / kRampSteps);
}

/// One sync write per register block, with only the servos whose value has changed.
void BusDriver::append_writes() {
  const double now = port_.now();
  const auto block = [&](uint8_t address, uint8_t size, auto fill) {
    group_.assign({address, size});
    for (auto& servo : servos_) {
      // One that is silent alone has a problem of its own, and comes back slowly. If all are, the way back to us is
      // broken rather than they.
      const bool farewell =
          address == reg::kGoalPosition && all_servos_silent_ && now - servo.dropped_at < params_.farewell;
      if ((servo.link.dropped && !farewell) || servo.reading.overloaded) continue;
      uint8_t values[4];
      if (!fill(servo, values)) continue;
      group_.push_back(servo.spec.id);
      group_.insert(group_.end(), values, values + size);
    }
    if (group_.size() > 2) append_packet1(tx_, kBroadcast, instruction::kSyncWrite, group_.data(), group_.size());
  };

  block(reg::kDGain, 3, [&](Servo& servo, uint8_t* values) {
    const int p = p_gain(servo);
    if (p == servo.written_p) return false;
    servo.written_p = p;
    values[0] = static_cast<uint8_t>(servo.spec.d);
    values[1] = static_cast<uint8_t>(servo.spec.i);
    values[2] = static_cast<uint8_t>(p);
    return true;
  });
  block(reg::kMovingSpeed, 4, [&](Servo& servo, uint8_t* values) {
    if (servo.command.torque && servo.written_torque != 1) servo.ramp_start = port_.now();
    const int speed = speed_limit_raw(servo.command.speed_limit);
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
}

/// All settings of one servo again, so that a lost packet or a servo that restarted heals within one round.
void BusDriver::append_refresh() {
  refresh_turn_ = (refresh_turn_ + 1) % std::max<size_t>(1, servos_.size());
  if (servos_.empty()) return;
  const Servo& servo = servos_[refresh_turn_];
  if (servo.link.dropped || servo.reading.overloaded) return;
  const bool torque = servo.command.torque;
  const auto size = static_cast<uint8_t>((torque ? reg::kPresentPosition : reg::kGoalPosition) - reg::kTorqueEnable);
  group_.assign({reg::kTorqueEnable, size, servo.spec.id, static_cast<uint8_t>(torque), 0,
                 static_cast<uint8_t>(servo.spec.d), static_cast<uint8_t>(servo.spec.i),
                 static_cast<uint8_t>(p_gain(servo)), 0});
  if (torque) {
    for (const int value : {goal_ticks(servo), speed_limit_raw(servo.command.speed_limit), torque_limit(servo)}) {
      group_.push_back(static_cast<uint8_t>(value));
      group_.push_back(static_cast<uint8_t>(value >> 8));
    }
  }
  append_packet1(tx_, kBroadcast, instruction::kSyncWrite, group_.data(), group_.size());
}

void BusDriver::build_requests() {
  requests_.clear();
  const BoardMap& map = board_map(firmware_.value_or(BoardFirmware::Stock));
  const uint8_t fast_size = params_.read_speed ? 4 : 2;
  if (!board_.dropped) requests_.push_back({&board_, map.first, map.size, kBoardSlot});
  for (const size_t i : order_) {
    Servo& servo = servos_[i];
    if (servo.link.dropped) continue;
    requests_.push_back(
        {&servo.link, reg::kPresentPosition, i == slow_turn_ ? kSlowSize : fast_size, static_cast<int>(i)});
  }
  for (size_t side = 0; side < 2; ++side) {
    if (!feet_[side].link.dropped)
      requests_.push_back({&feet_[side].link, fsr_register::kCell1, kFootSize, foot_slot(side)});
  }
  for (auto& request : requests_) request.link->received = false;
}

bool BusDriver::accept(const void* self, uint8_t id, size_t parameters) {
  for (const auto& request : static_cast<const BusDriver*>(self)->requests_) {
    if (request.link->id == id) return parameters == request.size || parameters == 0;  // 0: an error report
  }
  return false;
}

bool BusDriver::request_rest(size_t first, bool with_writes) {
  tx_.clear();
  if (with_writes) append_writes();
  group_.assign(1, 0x00);
  for (size_t i = first; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    group_.insert(group_.end(), {request.size, request.link->id, request.address});
  }
  if (group_.size() > 1) append_packet1(tx_, kBroadcast, instruction::kBulkRead, group_.data(), group_.size());
  return tx_.empty() || port_.write(tx_.data(), tx_.size());
}

/// Takes the answers from number `first` on; `last` becomes the number after the last good one.
bool BusDriver::receive(size_t first, size_t& last, bool& damaged) {
  last = first;
  damaged = false;
  double deadline = port_.now() + static_cast<double>(tx_.size()) * kSecondsPerByte + params_.reply_gap;
  uint8_t buffer[256];
  while (last < requests_.size()) {
    const int count = port_.read(buffer, sizeof(buffer), deadline);
    if (count < 0) return false;
    if (count == 0) return true;
    deadline = port_.now() + params_.reply_gap;
    damaged = true;  // unless what came is a whole packet
    parser_.feed(buffer, static_cast<size_t>(count));
    Packet packet;
    while (parser_.next(packet)) {
      for (size_t i = last; i < requests_.size(); ++i) {
        if (requests_[i].link->id != packet.id) continue;
        last = i + 1;
        if (packet.size == requests_[i].size) take(requests_[i], packet);
        break;
      }
      damaged = parser_.pending() > 0;
    }
  }
  return true;
}

void BusDriver::take(const Request& request, const Packet& packet) {
  request.link->received = true;
  const double now = port_.now();
  const uint8_t* bytes = packet.parameters.data();
  if (request.slot == kBoardSlot) {
    const BoardMap& map = board_map(*firmware_);
    const auto value = [&](uint8_t address) {
      const uint8_t* raw = bytes + (address - map.first);
      return map.centred ? word(raw) - 512 : signed_word(raw);
    };
    for (size_t axis = 0; axis < 3; ++axis) {
      board_reading_.gyro[axis] = map.gyro_sign[axis] * value(map.gyro[axis]) * params_.gyro_range / map.full_scale;
      board_reading_.accel[axis] = map.accel_sign[axis] * value(map.accel[axis]) * params_.accel_range / map.full_scale;
    }
    const uint8_t buttons = bytes[map.buttons - map.first];
    board_reading_.mode_button = buttons & 1;
    board_reading_.start_button = buttons & 2;
    board_reading_.voltage = bytes[map.voltage - map.first] * 0.1;
    board_reading_.stamp = now;
    return;
  }
  if (request.slot < kBoardSlot) {
    FootReading& reading = feet_[static_cast<size_t>(-2 - request.slot)].reading;
    for (size_t i = 0; i < 4; ++i) reading.cells[i] = word(bytes + 2 * i) * 1e-3;
    reading.stamp = now;
    return;
  }
  Servo& servo = servos_[static_cast<size_t>(request.slot)];
  JointReading& reading = servo.reading;
  const double position = servo.spec.joint_from_servo(position_from_ticks(word(bytes)));
  if (request.size > 2) {
    reading.velocity = servo.spec.direction * speed_from_raw(word(bytes + 2));
  } else if (now > reading.stamp) {
    reading.velocity = (position - reading.position) / (now - reading.stamp);
  }
  reading.position = position;
  reading.stamp = now;
  reading.error = packet.code;
  reading.torque = servo.written_torque == 1;
  if (request.size == kSlowSize) {
    reading.load = servo.spec.direction * load_from_raw(word(bytes + 4));
    reading.voltage = bytes[6] * 0.1;
    reading.temperature = bytes[7];
    reading.slow_stamp = now;
  }
  if (packet.code & error_bit::kOverload && !reading.overloaded) {
    reading.overloaded = true;  // it has switched itself off: leave it so until somebody asks to recover it
    servo.written_torque = 0;
    event(servo.spec.joint + " reports overload and has switched itself off");
  }
}

std::string BusDriver::name(const Request& request) const {
  if (request.slot == kBoardSlot) return "the CM-730";
  if (request.slot < kBoardSlot) return request.slot == foot_slot(0) ? "the left foot board" : "the right foot board";
  const ServoSpec& spec = servos_[static_cast<size_t>(request.slot)].spec;
  return spec.joint + " (servo " + std::to_string(spec.id) + ")";
}

bool BusDriver::exchange() {
  ++counters_.cycles;
  const auto before = parser_.counters();
  if (servos_.size() > 0) slow_turn_ = (slow_turn_ + 1) % servos_.size();
  advance_goals();
  build_requests();
  parser_.clear();
  parser_.expect(&BusDriver::accept, this);
  port_.discard_input();

  size_t first = 0;
  for (size_t round = 0; round <= kMaxFollowUps; ++round) {
    if (round > 0) ++counters_.follow_ups;
    size_t last = 0;
    bool damaged = false;
    if (!request_rest(first, round == 0) || !receive(first, last, damaged)) {
      lose_port();
      return false;
    }
    if (last >= requests_.size()) break;
    // Silence. The next one in the chain did not answer, or what it said was damaged; those behind it still wait.
    ++counters_.silences;
    if (damaged) {
      ++requests_[last].link->damages;
      parser_.clear();
    } else {
      ++requests_[last].link->misses;
    }
    if (last == first && round == 0 && requests_.size() > 1 && silent_cycles_ > 0) break;  // all silent: do not insist
    first = last + 1;
    if (first >= requests_.size()) break;
  }
  const auto& after = parser_.counters();
  counters_.bad_checksums += after.bad_checksums - before.bad_checksums;
  counters_.skipped_bytes += after.skipped_bytes - before.skipped_bytes;

  const bool anything =
      std::any_of(requests_.begin(), requests_.end(), [](const Request& r) { return r.link->received; });
  account(anything);
  if (state_ == BusState::Running && anything) prod();
  return anything;
}

}  // namespace hl_hardware_cm730
