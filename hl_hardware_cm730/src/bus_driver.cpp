// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/bus_driver.hpp"

#include <algorithm>
#include <cmath>

namespace hl_hardware_cm730 {
namespace {

namespace reg = servo_register;

constexpr uint8_t kSlowSize = 8;       // and load, voltage, temperature
constexpr uint8_t kFootSize = 8;       // four cells
constexpr uint64_t kRefreshEvery = 4;  // cycles
constexpr size_t kMaxFollowUps = 3;
constexpr int kRampSteps = 16;  // torque limits written while ramping
constexpr size_t kBufferSize = 2048;

int board_slot() {
  return -1;
}
int foot_slot(size_t side) {
  return -2 - static_cast<int>(side);
}

int16_t signed_word(const uint8_t* bytes) {
  return static_cast<int16_t>(word(bytes));
}

}  // namespace

std::optional<std::string> BusDriver::Params::validate() const {
  const auto bad = [](const char* name, double value, const char* range) {
    return std::string(name) + " is " + std::to_string(value) + ", must be " + range;
  };
  if (!(gyro_range > 0.1 && gyro_range < 100.0)) return bad("gyro_range", gyro_range, "0.1..100 rad/s");
  if (!(accel_range > 1.0 && accel_range < 1000.0)) return bad("accel_range", accel_range, "1..1000 m/s^2");
  if (!(reply_gap >= 0.2e-3 && reply_gap <= 0.1)) return bad("reply_gap", reply_gap, "0.0002..0.1 s");
  if (drop_after < 1) return bad("drop_after", drop_after, "at least 1");
  if (readmit_after < 1) return bad("readmit_after", readmit_after, "at least 1");
  if (rest_after < 1) return bad("rest_after", rest_after, "at least 1");
  if (!(prod_period >= 0.01)) return bad("prod_period", prod_period, "at least 0.01 s");
  if (!(rest_time >= 0.1)) return bad("rest_time", rest_time, "at least 0.1 s: devices need that to resynchronise");
  if (!(torque_ramp >= 0.0 && torque_ramp <= 60.0)) return bad("torque_ramp", torque_ramp, "0..60 s");
  if (return_level < 1 || return_level > 2) return bad("return_level", return_level, "1 or 2");
  return std::nullopt;
}

BusDriver::BusDriver(BusPort& port, std::vector<ServoSpec> servos, const Params& params)
    : port_(port), params_(params) {
  board_.id = params_.board_id;
  for (auto& spec : servos) {
    Servo servo;
    servo.link.id = spec.id;
    servo.spec = std::move(spec);
    order_.push_back(servos_.size());
    servos_.push_back(std::move(servo));
  }
  for (size_t side = 0; side < 2; ++side) feet_[side].link.id = params_.foot_ids[side];
  tx_.reserve(kBufferSize);
  group_.reserve(kBufferSize);
  requests_.reserve(servos_.size() + 3);
}

std::vector<std::string> BusDriver::take_events() {
  std::vector<std::string> events;
  events.swap(events_);
  return events;
}

// ---- single transactions ------------------------------------------------------------------------------------------

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
      const bool whole = reply.protocol == Protocol::V2 || reply.size == expected;
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

bool BusDriver::ping2(uint8_t id, uint16_t& model) {
  const Answer answer = transact(packet2(id, instruction::kPing), id, 3);
  if (!answer.ok() || answer.data.size() < 3) return false;
  model = static_cast<uint16_t>(word(answer.data.data()));
  return true;
}

std::string BusDriver::recover(size_t joint) {
  Servo& servo = servos_[joint];
  const uint8_t id = servo.spec.id;
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
  servo.command.position = position_from_ticks(word(position.data.data())) - servo.spec.offset;
  servo.ramp_start = port_.now();
  servo.written_torque = servo.written_p = servo.written_speed = servo.written_limit = -1;
  event(servo.spec.joint + " recovered");
  return {};
}

std::string BusDriver::change_id(uint8_t old_id, uint8_t new_id) {
  if (new_id > 253 || old_id > 253) return "ids are 0..253";
  if (old_id == new_id) return "old and new id are the same";
  if (old_id == params_.board_id || new_id == params_.board_id) return "the board's id cannot be used";
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

// ---- setting up ---------------------------------------------------------------------------------------------------

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

bool BusDriver::set_up_servo(Servo& servo) {
  const uint8_t id = servo.spec.id;
  const std::string who = "servo " + std::to_string(id) + " (" + servo.spec.joint + ")";
  Answer identity;
  for (int attempt = 0; attempt < 3 && !identity.ok(); ++attempt) {
    identity = read(id, 0, 18);
    if (identity.result == Answer::Result::Lost) return false;
  }
  uint16_t model = 0;
  if (identity.result == Answer::Result::Silent) {
    problems_.push_back(ping2(id, model) ? who + " speaks protocol 2.0 (" + model_name(model) +
                                               "): flash firmware with protocol 1.0, a CM-730 bus cannot mix"
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

  const uint8_t* ram = state.data.data();
  servo.reading.position =
      position_from_ticks(word(ram + reg::kPresentPosition - reg::kTorqueEnable)) - servo.spec.offset;
  servo.reading.stamp = port_.now();
  servo.reading.error = state.error;
  servo.reading.overloaded = (state.error & error_bit::kOverload) != 0;
  servo.command.position = servo.reading.position;  // start where it stands
  servo.written_torque = holds ? 1 : 0;
  servo.written_p = servo.written_speed = servo.written_limit = -1;
  // A servo that holds already is not let go; one that does not is ramped up.
  servo.ramp_start = holds ? port_.now() - params_.torque_ramp : port_.now();
  servo.link.dropped = servo.reading.missing = false;
  servo.link.misses = servo.link.answers = servo.link.damages = 0;
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

// ---- the cycle ----------------------------------------------------------------------------------------------------

bool BusDriver::cycle() {
  const double now = port_.now();
  switch (state_) {
    case BusState::Disconnected:
      if (now < next_attempt_) port_.sleep_until(next_attempt_);
      next_attempt_ = port_.now() + params_.reopen_period;
      if (!port_.open()) {
        if (port_.error() != last_open_error_) event(last_open_error_ = port_.error());
        return false;
      }
      last_open_error_.clear();
      ++counters_.port_openings;
      if (!set_up()) {
        port_.close();
        return false;
      }
      event(was_lost_ ? "the port is back, the bus runs again" : "the bus runs");
      was_lost_ = false;
      state_ = BusState::Running;
      return false;

    case BusState::Resting:
      port_.sleep_until(now + params_.rest_time);
      port_.discard_input();
      parser_.clear();
      if (ping(params_.board_id).ok() && set_up()) {
        failed_pings_ = 0;
        event("the bus answers again");
        state_ = BusState::Running;
      } else if (++failed_pings_ >= 3) {  // perhaps the adapter itself hangs
        failed_pings_ = 0;
        lose_port();
      }
      return false;

    case BusState::Running:
      return exchange();
  }
  return false;
}

void BusDriver::lose_port() {
  ++counters_.port_losses;
  event("the port is lost: " + (port_.error().empty() ? std::string("no answer from the board") : port_.error()));
  port_.close();
  was_lost_ = true;
  state_ = BusState::Disconnected;
  next_attempt_ = port_.now() + params_.reopen_period;
  board_reading_.fresh = false;
  board_reading_.missing = true;
  for (auto& servo : servos_) {
    servo.reading.fresh = false;
    servo.reading.missing = true;
  }
}

int BusDriver::p_gain(const Servo& servo) {
  return std::clamp(static_cast<int>(std::lround(servo.spec.p * servo.command.stiffness)), 0, 254);
}

int BusDriver::goal_ticks(const Servo& servo) {
  return ticks_from_position(std::clamp(servo.command.position, servo.spec.lower, servo.spec.upper) +
                             servo.spec.offset);
}

int BusDriver::torque_limit(const Servo& servo) const {
  double ramp = 1.0;
  if (params_.torque_ramp > 0.0) ramp = std::min(1.0, (port_.now() - servo.ramp_start) / params_.torque_ramp);
  return torque_limit_raw(servo.command.torque_limit * std::ceil(ramp * kRampSteps) / kRampSteps);
}

/// One sync write per register block, with only the servos whose value has changed.
void BusDriver::append_writes() {
  const auto block = [&](uint8_t address, uint8_t size, auto fill) {
    group_.assign({address, size});
    for (auto& servo : servos_) {
      if (servo.link.dropped || servo.reading.overloaded) continue;
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
  if (!board_.dropped) requests_.push_back({&board_, map.first, map.size, board_slot()});
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
  if (request.slot == board_slot()) {
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
  if (request.slot < board_slot()) {
    FootReading& reading = feet_[static_cast<size_t>(-2 - request.slot)].reading;
    for (size_t i = 0; i < 4; ++i) reading.cells[i] = word(bytes + 2 * i) * 1e-3;
    reading.stamp = now;
    return;
  }
  Servo& servo = servos_[static_cast<size_t>(request.slot)];
  JointReading& reading = servo.reading;
  const double position = position_from_ticks(word(bytes)) - servo.spec.offset;
  if (request.size > 2) {
    reading.velocity = speed_from_raw(word(bytes + 2));
  } else if (now > reading.stamp) {
    reading.velocity = (position - reading.position) / (now - reading.stamp);
  }
  reading.position = position;
  reading.stamp = now;
  reading.error = packet.code;
  reading.torque = servo.written_torque == 1;
  if (request.size == kSlowSize) {
    reading.load = load_from_raw(word(bytes + 4));
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
  if (request.slot == board_slot()) return "the CM-730";
  if (request.slot < board_slot()) return request.slot == foot_slot(0) ? "the left foot board" : "the right foot board";
  const ServoSpec& spec = servos_[static_cast<size_t>(request.slot)].spec;
  return spec.joint + " (servo " + std::to_string(spec.id) + ")";
}

bool BusDriver::exchange() {
  ++counters_.cycles;
  const auto before = parser_.counters();
  if (servos_.size() > 0) slow_turn_ = (slow_turn_ + 1) % servos_.size();
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

void BusDriver::account(bool anything) {
  bool complete = true;
  bool any_servo = false, wants_servo = false;
  for (const auto& request : requests_) {
    complete &= request.link->received;
    if (request.slot >= 0) {
      wants_servo = true;
      any_servo |= request.link->received;
    }
    if (request.link->received) request.link->misses = request.link->damages = 0;
  }
  if (!complete) ++counters_.incomplete_cycles;
  board_reading_.fresh = board_.received && !board_.dropped;
  for (auto& servo : servos_) servo.reading.fresh = !servo.link.dropped && servo.link.received;
  for (auto& foot : feet_) foot.reading.fresh = !foot.link.dropped && foot.link.received;

  if (!anything) {
    for (auto& request : requests_) request.link->misses = 0;  // the bus is to blame, not the devices
    if (++silent_cycles_ >= params_.rest_after) {
      silent_cycles_ = 0;
      ++counters_.rests;
      event("the whole bus is silent: it gets a rest");
      state_ = BusState::Resting;
    }
    return;
  }
  silent_cycles_ = 0;

  if (board_.received && wants_servo && !any_servo) {
    if (++servo_silence_ >= params_.drop_after) check_power();
  } else {
    servo_silence_ = 0;
  }
  if (state_ != BusState::Running) return;
  for (const auto& request : requests_) {
    Link& link = *request.link;
    if (link.misses < params_.drop_after) continue;
    link.dropped = true;
    link.misses = link.answers = 0;
    ++counters_.drops;
    if (request.slot == board_slot()) {
      board_reading_.missing = true;
    } else if (request.slot >= 0) {
      const auto slot = static_cast<size_t>(request.slot);
      servos_[slot].reading.missing = true;
      servos_[slot].reading.fresh = false;
      // If it comes back and falters again, it shall disturb nobody.
      std::stable_partition(order_.begin(), order_.end(), [&](size_t i) { return i != slot; });
    }
    event(name(request) + " does not answer any more and is left out");
  }
}

/// The board answers, no servo does: their supply may have gone.
void BusDriver::check_power() {
  servo_silence_ = 0;
  const Answer power = read(params_.board_id, kBoardPower, 1);
  if (!power.ok() || power.data[0] != 0) return;
  ++counters_.power_losses;
  event("the servos' supply was off and is switched on again");
  if (!set_up()) state_ = BusState::Resting;
}

void BusDriver::prod() {
  if (port_.now() < next_prod_) return;
  next_prod_ = port_.now() + params_.prod_period;
  const size_t count = servos_.size() + 1 + feet_.size();
  for (size_t k = 0; k < count; ++k) {
    const size_t turn = (prod_turn_ + k) % count;
    Link* link = turn < servos_.size()    ? &servos_[turn].link
                 : turn == servos_.size() ? &board_
                                          : &feet_[turn - servos_.size() - 1].link;
    if (!link->dropped || link->id == 0) continue;
    prod_turn_ = turn;  // stay with one that begins to answer
    const Answer answer = ping(link->id);
    if (answer.result == Answer::Result::Lost) return lose_port();
    if (!answer.ok()) {
      link->answers = 0;
      prod_turn_ = turn + 1;
      return;
    }
    if (++link->answers < params_.readmit_after) {
      next_prod_ = port_.now();  // ask again in the next cycle
      return;
    }
    prod_turn_ = turn + 1;
    link->answers = 0;
    if (turn < servos_.size()) {
      Servo& servo = servos_[turn];
      if (!set_up_servo(servo)) return;
      event(servo.spec.joint + " (servo " + std::to_string(servo.spec.id) + ") answers again");
    } else if (turn == servos_.size()) {
      if (!set_up_board()) return;
      event("the CM-730 answers again");
    } else {
      link->dropped = false;
      feet_[turn - servos_.size() - 1].reading.present = true;
      event("a foot board answers");
    }
    link->misses = 0;
    ++counters_.readmissions;
    return;
  }
}

}  // namespace hl_hardware_cm730
