// SPDX-License-Identifier: Apache-2.0
// One cycle on the wire: goals out, everything else in.
#include <algorithm>
#include <cmath>

#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr uint16_t kFootSize = 8;  // four cells
constexpr size_t kMaxFollowUps = 3;
constexpr double kFarthest = 16.0 * kPi;  // rad, eight turns
constexpr size_t kTogether = 4;  // bytes around each device's data where all answer in one packet: error, id, check sum

int16_t signed_word(const uint8_t* bytes) {
  return static_cast<int16_t>(word(bytes));
}

}  // namespace

void BusDriver::build_requests() {
  requests_.clear();
  const BoardMap& map = board_map(firmware_.value_or(BoardFirmware::Stock));
  if (!board_.dropped) requests_.push_back({&board_, {map.first, map.size}, kBoardSlot});
  const auto add_servos = [this](Protocol protocol, bool alone) {
    for (const size_t i : order_) {
      Servo& servo = servos_[i];
      const ServoTable& table = servo.spec.table();
      if (servo.link.dropped || table.protocol != protocol || table.bulk_read == alone) continue;
      requests_.push_back(
          {&servo.link, i == slow_turn_ ? table.slow() : table.fast(params_.read_speed), static_cast<int>(i)});
    }
  };
  add_servos(Protocol::V1, false);
  for (size_t side = 0; side < 2; ++side) {
    if (!feet_[side].link.dropped)
      requests_.push_back({&feet_[side].link, {fsr_register::kCell1, kFootSize}, foot_slot(side)});
  }
  add_servos(Protocol::V1, true);
  if (!tables2_.empty()) add_servos(Protocol::V2, false);
  for (auto& request : requests_) request.link->received = false;
}

Protocol BusDriver::protocol_of(const Request& request) const {
  return request.slot < 0 ? Protocol::V1 : servos_[static_cast<size_t>(request.slot)].spec.table().protocol;
}

bool BusDriver::read_alone(const Request& request) const {
  return request.slot >= 0 && !servos_[static_cast<size_t>(request.slot)].spec.table().bulk_read;
}

/// Devices of one protocol answer one after the other; those of the other are asked when they have finished.
size_t BusDriver::chain_end(size_t first) const {
  size_t end = first + 1;
  if (first >= requests_.size() || read_alone(requests_[first])) return std::min(end, requests_.size());
  while (end < requests_.size() && protocol_of(requests_[end]) == protocol_of(requests_[first]) &&
         !read_alone(requests_[end]))
    ++end;
  return end;
}

bool BusDriver::accept(const void* self, uint8_t id, size_t parameters) {
  for (const auto& request : static_cast<const BusDriver*>(self)->requests_) {
    if (request.link->id == id) return parameters == request.block.size || parameters == 0;  // 0: an error report
  }
  return false;
}

void BusDriver::append_read1(size_t first, size_t end) {
  if (read_alone(requests_[first])) {
    const Request& request = requests_[first];
    group_.assign({static_cast<uint8_t>(request.block.address), static_cast<uint8_t>(request.block.size)});
    append_packet1(tx_, request.link->id, instruction::kRead, group_.data(), group_.size());
    return;
  }
  group_.assign(1, 0x00);
  for (size_t i = first; i < end; ++i) {
    const Request& request = requests_[i];
    group_.insert(group_.end(), {static_cast<uint8_t>(request.block.size), request.link->id,
                                 static_cast<uint8_t>(request.block.address)});
  }
  append_packet1(tx_, kBroadcast, instruction::kBulkRead, group_.data(), group_.size());
}

/// Sync read where all are asked for the same registers, else bulk read.
void BusDriver::append_read2(size_t first, size_t end, Asking asking) {
  const Block& block = requests_[first].block;
  const auto append_words = [this](const Block& b) {
    for (const int value : {b.address, b.size}) {
      group_.push_back(static_cast<uint8_t>(value));
      group_.push_back(static_cast<uint8_t>(value >> 8));
    }
  };
  bool same = true;
  for (size_t i = first; i < end; ++i) same = same && requests_[i].block == block;
  group_.clear();
  if (same) append_words(block);
  for (size_t i = first; i < end; ++i) {
    group_.push_back(requests_[i].link->id);
    if (!same) append_words(requests_[i].block);
  }
  const bool together = asking == Asking::Together;
  const uint8_t sync = together ? instruction::kFastSyncRead : instruction::kSyncRead;
  const uint8_t bulk = together ? instruction::kFastBulkRead : instruction::kBulkRead;
  append_packet2(tx_, kBroadcast, same ? sync : bulk, group_.data(), group_.size());
}

bool BusDriver::fits_together(size_t first, size_t end) const {
  size_t size = 0;
  for (size_t i = first; i < end; ++i) size += requests_[i].block.size + kTogether;
  return end - first > 1 && size < Packet::kCapacity;
}

bool BusDriver::request_rest(size_t first, size_t end, bool with_writes, Asking asking) {
  tx_.clear();
  if (with_writes) append_writes();
  if (first < end) {
    if (protocol_of(requests_[first]) == Protocol::V1)
      append_read1(first, end);
    else
      append_read2(first, end, asking);
  }
  return tx_.empty() || port_.write(tx_.data(), tx_.size());
}

/// Takes the answers from number `first` on; `last` becomes the number after the last good one.
bool BusDriver::receive(size_t first, size_t end, size_t& last, bool& damaged) {
  last = first;
  damaged = false;
  double deadline = port_.now() + static_cast<double>(tx_.size()) * kSecondsPerByte + params_.reply_gap;
  uint8_t buffer[256];
  while (last < end) {
    const int count = port_.read(buffer, sizeof(buffer), deadline);
    if (count < 0) return false;
    if (count == 0) return true;
    deadline = port_.now() + params_.reply_gap;
    damaged = true;  // unless what came is a whole packet
    parser_.feed(buffer, static_cast<size_t>(count));
    Packet packet;
    while (parser_.next(packet)) {
      if (packet.protocol == Protocol::V2 && !packet.status) continue;  // nobody's answer
      if (packet.id == kBroadcast && take_together(first, end, packet)) last = end;
      for (size_t i = last; i < end; ++i) {
        const Request& request = requests_[i];
        if (request.link->id != packet.id || protocol_of(request) != packet.protocol) continue;
        last = i + 1;
        if (packet.size == request.block.size) take(request, packet.code, packet.parameters.data());
        break;
      }
      damaged = parser_.pending() > 0;
    }
  }
  return true;
}

/// One packet with the answers of all: error, id, data and check sum of each, in the order asked for. The packet's own
/// error is the first one's.
bool BusDriver::take_together(size_t first, size_t end, const Packet& packet) {
  constexpr size_t kSum = 2, kHead = 2;  // check sum so far; error and id
  const auto head = [&](size_t i) { return i == first ? size_t{1} : kSum + kHead; };
  size_t at = 0;
  for (size_t i = first; i < end; ++i) {
    const Request& request = requests_[i];
    if (protocol_of(request) != packet.protocol || at + head(i) + request.block.size > packet.size ||
        packet.parameters[at + head(i) - 1] != request.link->id)
      return false;
    at += head(i) + request.block.size;
  }
  if (at != packet.size) return false;
  at = 0;
  for (size_t i = first; i < end; ++i) {
    const uint8_t error = i == first ? packet.code : packet.parameters[at + kSum];
    take(requests_[i], error, packet.parameters.data() + at + head(i));
    at += head(i) + requests_[i].block.size;
  }
  return true;
}

void BusDriver::take(const Request& request, uint8_t error, const uint8_t* bytes) {
  request.link->received = true;
  const double now = port_.now();
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
  request.link->received = take_servo(servos_[static_cast<size_t>(request.slot)], request.block, error, bytes);
}

/// False if it says what no servo can: then it counts as silent.
bool BusDriver::take_servo(Servo& servo, const Block& block, uint8_t error, const uint8_t* bytes) {
  const double now = port_.now();
  const ServoTable& table = servo.spec.table();
  const auto holds = [&](const Register& r) {
    return r.address >= block.address && r.address + r.size <= block.address + block.size;
  };
  const auto value = [&](const Register& r) { return register_value(bytes + (r.address - block.address), r.size); };
  JointReading& reading = servo.reading;
  const double angle = position_of(table, value(table.position));
  if (std::abs(angle) > kFarthest) return false;
  const double position = servo.spec.joint_from_servo(angle);
  if (holds(table.velocity)) {
    reading.velocity = servo.spec.direction * velocity_of(table, value(table.velocity));
  } else if (now > reading.stamp) {
    reading.velocity = (position - reading.position) / (now - reading.stamp);
  }
  reading.position = position;
  reading.stamp = now;
  reading.torque = servo.written_torque == 1;
  if (holds(table.load)) {
    reading.load = servo.spec.direction * load_of(table, value(table.load), data(servo.spec.model).stall_current);
    reading.voltage = value(table.voltage) * 0.1;
    reading.temperature = value(table.temperature);
    reading.slow_stamp = now;
  }
  if (table.protocol == Protocol::V2) {
    servo.alert = (error & error2::kAlert) != 0 && !reading.overloaded;
    if ((error & error2::kAlert) == 0) reading.error = 0;
    return true;
  }
  reading.error = error;
  if (error & error_bit::kOverload) report_overload(servo);
  return true;
}

/// It has switched itself off: left so until somebody asks to recover it.
void BusDriver::report_overload(Servo& servo) {
  if (servo.reading.overloaded) return;
  servo.reading.overloaded = true;
  servo.written_torque = 0;
  event(servo.spec.joint + " reports overload and has switched itself off");
}

std::string BusDriver::name(const Request& request) const {
  if (request.slot == kBoardSlot) return "the CM-730";
  if (request.slot < kBoardSlot) return request.slot == foot_slot(0) ? "the left foot board" : "the right foot board";
  const ServoSpec& spec = servos_[static_cast<size_t>(request.slot)].spec;
  return spec.joint + " (servo " + std::to_string(spec.id) + ")";
}

/// False if the port is lost.
bool BusDriver::read_chain(size_t begin, size_t end) {
  size_t first = begin;
  bool together = params_.fast_read && fits_together(begin, end) && protocol_of(requests_[begin]) == Protocol::V2;
  for (size_t round = 0; round <= kMaxFollowUps; ++round) {
    if (round > 0) ++counters_.follow_ups;
    size_t last = 0;
    bool damaged = false;
    const Asking asking = together ? Asking::Together : Asking::OneByOne;
    const bool with_writes = begin == 0 && round == 0;
    if (!request_rest(first, end, with_writes, asking) || !receive(first, end, last, damaged)) return false;
    if (last >= end) break;
    ++counters_.silences;
    if (together) {  // who spoilt it is only seen one by one
      together = false;
      parser_.clear();
      continue;
    }
    // Silence. The next one in the chain did not answer, or what it said was damaged; those behind it still wait.
    if (damaged) {
      ++requests_[last].link->damages;
      parser_.clear();
    } else {
      ++requests_[last].link->misses;
    }
    if (last == first && round == 0 && end - begin > 1 && silent_cycles_ > 0) break;  // all silent: do not insist
    first = last + 1;
    if (first >= end) break;
  }
  return true;
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

  size_t begin = 0;
  do {
    const size_t end = chain_end(begin);
    if (!read_chain(begin, end)) {
      lose_port();
      return false;
    }
    begin = end;
  } while (begin < requests_.size());
  const auto& after = parser_.counters();
  counters_.bad_checksums += after.bad_checksums - before.bad_checksums;
  counters_.skipped_bytes += after.skipped_bytes - before.skipped_bytes;

  const bool anything =
      std::any_of(requests_.begin(), requests_.end(), [](const Request& r) { return r.link->received; });
  account(anything);
  if (state_ == BusState::Running && anything && !tables2_.empty()) look_into_alerts();
  if (state_ == BusState::Running && anything) prod();
  return anything;
}

}  // namespace hl_hardware_cm730
