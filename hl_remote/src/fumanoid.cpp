// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/fumanoid.hpp"

#include <algorithm>
#include <sstream>

namespace hl_remote::fumanoid {
namespace {

using Payload = std::vector<std::uint8_t>;

constexpr std::uint8_t kAnswer = 1;
constexpr std::uint8_t kRebootMagic = 42;
constexpr char kTimeRequest[] = "TIME";
constexpr std::size_t kStatusSize = 64;

/// Big endian, in the order of the calls.
class Writer {
 public:
  Writer(Operation operation, Direction direction) {
    u16(static_cast<std::uint16_t>(operation));
    u8(direction == Direction::Answer ? kAnswer : 0);
    u8(0);
  }
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u16(std::uint16_t value) {
    u8(static_cast<std::uint8_t>(value >> 8));
    u8(static_cast<std::uint8_t>(value & 0xFF));
  }
  void i16(std::int16_t value) { u16(static_cast<std::uint16_t>(value)); }
  void u32(std::uint32_t value) {
    u16(static_cast<std::uint16_t>(value >> 16));
    u16(static_cast<std::uint16_t>(value & 0xFFFF));
  }
  template <class Sequence>
  void append(const Sequence& values) {
    bytes_.insert(bytes_.end(), values.begin(), values.end());
  }
  void zeros_up_to(std::size_t payload) { bytes_.resize(kHeader + payload, 0); }
  Payload take() { return bytes_.size() > kHeader + kMaxPayload ? Payload{} : std::move(bytes_); }

  static constexpr std::size_t kHeader = 4;

 private:
  Payload bytes_;
};

class Reader {
 public:
  explicit Reader(hl_network::Bytes bytes) : bytes_(bytes) {}
  std::uint8_t u8() {
    if (at_ == bytes_.size) {
      ok_ = false;
      return 0;
    }
    return bytes_.data[at_++];
  }
  std::uint16_t u16() {
    const std::uint8_t high = u8();
    return static_cast<std::uint16_t>(high << 8 | u8());
  }
  std::int16_t i16() { return static_cast<std::int16_t>(u16()); }
  std::uint32_t u32() {
    const std::uint32_t high = u16();
    return high << 16 | u16();
  }
  /// Up to a NUL; nothing if there is none.
  std::optional<std::string> text() {
    const auto* begin = bytes_.data + at_;
    const auto* end = std::find(begin, bytes_.data + bytes_.size, std::uint8_t{0});
    if (end == bytes_.data + bytes_.size) return std::nullopt;
    at_ += static_cast<std::size_t>(end - begin) + 1;
    return std::string(begin, end);
  }
  Payload rest() {
    Payload rest(bytes_.data + at_, bytes_.data + bytes_.size);
    at_ = bytes_.size;
    return rest;
  }
  std::size_t remaining() const { return bytes_.size - at_; }
  /// Everything was there, and nothing is left over.
  bool complete() const { return ok_ && remaining() == 0; }

 private:
  hl_network::Bytes bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

template <class T>
std::optional<Message> if_complete(const Reader& reader, T message) {
  if (!reader.complete()) return std::nullopt;
  return Message(std::move(message));
}

// --- Writing: one function per message -----------------------------------------------------------------------------

Payload bytes_of(const Log& log) {
  Writer writer(Operation::Log, Direction::Request);
  writer.u8(static_cast<std::uint8_t>(log.level));
  writer.u8(static_cast<std::uint8_t>(log.subsystem));
  writer.append(log.text);
  return writer.take();
}

Payload bytes_of(const Status& status) {
  Writer writer(Operation::Status, Direction::Request);
  writer.u8(status.robot);
  writer.u8(status.version);
  writer.i16(status.orientation);
  for (const auto id : {status.strategy, status.role, status.behavior, status.motion}) writer.u32(id);
  for (const auto length : {status.x, status.y, status.ball_x, status.ball_y}) writer.i16(length);
  for (const auto value :
       {status.battery, status.competition, status.game_state, status.goalkeeper, status.opponent_goal,
        status.own_kickoff, status.kickoff_mode, status.team_colour, status.log_level})
    writer.u8(value);
  writer.u32(status.unix_time);
  writer.u32(status.motion_data);
  writer.u32(status.behavior_data);
  writer.u16(status.role_data);
  writer.u8(status.strategy_data);
  writer.u16(status.seconds_since_go);
  writer.zeros_up_to(kStatusSize);
  return writer.take();
}

Payload bytes_of(const MotorStatus& status) {
  Writer writer(Operation::GetMotorStatus, Direction::Answer);
  for (const auto value : {status.motor, status.voltage_decivolt, status.temperature, status.torque}) writer.u8(value);
  for (const auto value : {status.position, status.speed, status.load}) writer.u16(value);
  writer.u8(status.error);
  return writer.take();
}

Payload bytes_of(const Names& names) {
  Writer writer(names.which, Direction::Answer);
  for (const Named& entry : names.entries) {
    if (entry.name.find('\0') != std::string::npos) return {};
    writer.u32(entry.id);
    writer.append(entry.name);
    writer.u8(0);
  }
  return writer.take();
}

Payload bytes_of(const Image& image) {
  Writer writer(Operation::ImageCapture, Direction::Answer);
  writer.append(image.jpeg);
  return writer.take();
}

Payload bytes_of(const TimeRequest&) {
  Writer writer(Operation::TimeSync, Direction::Request);
  writer.append(std::string(kTimeRequest));
  return writer.take();
}

Payload bytes_of(const ReadySet& order) {
  Writer writer(Operation::ReadySet, Direction::Request);
  writer.u32(order.strategy);
  writer.u32(order.role);
  for (const auto value : {order.mode, order.opponent_goal, order.state, order.goalie, order.team_colour})
    writer.u8(value);
  return writer.take();
}

Payload bytes_of(const SetRole& order) {
  Writer writer(Operation::SetRole, Direction::Request);
  writer.u32(order.role);
  return writer.take();
}

Payload bytes_of(const SwitchMotors& order) {
  Writer writer(order.on ? Operation::EnableMotors : Operation::DisableMotors, Direction::Request);
  writer.append(order.motors);
  return writer.take();
}

Payload bytes_of(const PlayMotion& order) {
  const std::size_t motors = order.moves.empty() ? 0 : order.moves.front().positions.size();
  if (motors > 255 || order.moves.size() > 255) return {};
  Writer writer(Operation::PlayMotion, Direction::Request);
  writer.u8(static_cast<std::uint8_t>(motors));
  writer.u8(static_cast<std::uint8_t>(order.moves.size()));
  for (const Move& move : order.moves) {
    if (move.positions.size() != motors) return {};
    for (const std::int16_t position : move.positions) writer.i16(position);
    writer.i16(move.duration_ms);
  }
  return writer.take();
}

Payload bytes_of(const MotorStatusRequest& request) {
  Writer writer(Operation::GetMotorStatus, Direction::Request);
  writer.u8(request.motor);
  return writer.take();
}

Payload bytes_of(const Plain& plain) {
  return Writer(plain.operation, Direction::Request).take();
}

Payload bytes_of(const SetWalkingSpeed& order) {
  Writer writer(Operation::SetWalkingSpeed, Direction::Request);
  for (const auto speed : {order.forward, order.sideward, order.rotation}) writer.u8(static_cast<std::uint8_t>(speed));
  return writer.take();
}

Payload bytes_of(const SetMotorId& order) {
  Writer writer(Operation::SetMotorId, Direction::Request);
  writer.u8(order.old_id);
  writer.u8(order.new_id);
  return writer.take();
}

Payload bytes_of(const SetMotor& order) {
  if (order.goal && !order.torque) return {};
  Writer writer(Operation::SetMotor, Direction::Request);
  writer.u8(order.motor);
  if (order.torque) writer.u8(*order.torque);
  if (order.goal) writer.u16(*order.goal);
  return writer.take();
}

Payload bytes_of(const SetLogLevel& order) {
  Writer writer(Operation::SetLogLevel, Direction::Request);
  writer.u8(static_cast<std::uint8_t>(order.level));
  return writer.take();
}

Payload bytes_of(const ImageCapture& order) {
  Writer writer(Operation::ImageCapture, Direction::Request);
  writer.u8(order.start);
  writer.u8(order.count);
  writer.u16(order.interval_ms);
  return writer.take();
}

Payload bytes_of(const Reboot&) {
  Writer writer(Operation::Reboot, Direction::Request);
  writer.u8(kRebootMagic);
  return writer.take();
}

Payload bytes_of(const GoToPosition& order) {
  Writer writer(Operation::GoToPosition, Direction::Request);
  for (const auto value : {order.x, order.y, order.angle}) writer.i16(value);
  return writer.take();
}

Payload bytes_of(const LimitTeam& order) {
  if (order.robots.empty()) return {};
  Writer writer(Operation::LimitTeam, Direction::Request);
  writer.append(order.robots);
  return writer.take();
}

Payload bytes_of(const TimeAnswer& answer) {
  Writer writer(Operation::TimeSync, Direction::Answer);
  writer.u32(answer.local_seconds);
  return writer.take();
}

Payload bytes_of(const MotorOffsets& offsets) {
  const bool answer = offsets.direction == Direction::Answer;
  Writer writer(answer ? Operation::GetMotorOffsets : Operation::SetMotorOffsets, offsets.direction);
  for (const MotorOffset& offset : offsets.offsets) {
    writer.u8(offset.motor);
    writer.i16(offset.offset);
  }
  return writer.take();
}

// --- Reading -------------------------------------------------------------------------------------------------------

std::optional<Message> read_log(Reader& reader) {
  const std::uint8_t level = reader.u8();
  const std::uint8_t subsystem = reader.u8();
  if (level > static_cast<int>(LogLevel::Error) || subsystem > static_cast<int>(Subsystem::Vision)) return std::nullopt;
  const Payload text = reader.rest();
  return if_complete(reader, Log{static_cast<LogLevel>(level), static_cast<Subsystem>(subsystem),
                                 std::string(text.begin(), text.end())});
}

std::optional<Message> read_status(Reader& reader) {
  if (reader.remaining() != kStatusSize) return std::nullopt;
  Status status;
  status.robot = reader.u8();
  status.version = reader.u8();
  status.orientation = reader.i16();
  for (auto* id : {&status.strategy, &status.role, &status.behavior, &status.motion}) *id = reader.u32();
  for (auto* length : {&status.x, &status.y, &status.ball_x, &status.ball_y}) *length = reader.i16();
  for (auto* value :
       {&status.battery, &status.competition, &status.game_state, &status.goalkeeper, &status.opponent_goal,
        &status.own_kickoff, &status.kickoff_mode, &status.team_colour, &status.log_level})
    *value = reader.u8();
  status.unix_time = reader.u32();
  status.motion_data = reader.u32();
  status.behavior_data = reader.u32();
  status.role_data = reader.u16();
  status.strategy_data = reader.u8();
  status.seconds_since_go = reader.u16();
  reader.rest();  // unused
  return if_complete(reader, status);
}

std::optional<Message> read_motor_status(Reader& reader, Direction direction) {
  if (direction == Direction::Request) return if_complete(reader, MotorStatusRequest{reader.u8()});
  MotorStatus status;
  for (auto* value : {&status.motor, &status.voltage_decivolt, &status.temperature, &status.torque})
    *value = reader.u8();
  for (auto* value : {&status.position, &status.speed, &status.load}) *value = reader.u16();
  status.error = reader.u8();
  return if_complete(reader, status);
}

std::optional<Message> read_names(Reader& reader, Operation which, Direction direction) {
  if (direction == Direction::Request) return if_complete(reader, Plain{which});
  Names names{which, {}};
  while (reader.remaining() > 0) {
    const std::uint32_t id = reader.u32();
    auto name = reader.text();
    if (!name) return std::nullopt;
    names.entries.push_back({id, std::move(*name)});
  }
  return if_complete(reader, std::move(names));
}

std::optional<Message> read_play_motion(Reader& reader) {
  const std::size_t motors = reader.u8();
  const std::size_t count = reader.u8();
  if (reader.remaining() != count * (motors + 1) * 2) return std::nullopt;
  PlayMotion motion;
  for (std::size_t i = 0; i < count; ++i) {
    Move move;
    for (std::size_t j = 0; j < motors; ++j) move.positions.push_back(reader.i16());
    move.duration_ms = reader.i16();
    motion.moves.push_back(std::move(move));
  }
  return if_complete(reader, std::move(motion));
}

std::optional<Message> read_ready_set(Reader& reader) {
  ReadySet order;
  order.strategy = reader.u32();
  order.role = reader.u32();
  for (auto* value : {&order.mode, &order.opponent_goal, &order.state, &order.goalie, &order.team_colour})
    *value = reader.u8();
  if (order.mode > 5 || order.opponent_goal > 1 || order.state > 1 || order.team_colour > 1) return std::nullopt;
  return if_complete(reader, order);
}

std::optional<Message> read_set_motor(Reader& reader) {
  SetMotor order;
  order.motor = reader.u8();
  if (reader.remaining() > 0) order.torque = reader.u8();
  if (reader.remaining() > 0) order.goal = reader.u16();
  if (order.torque.value_or(0) > 1 || order.goal.value_or(0) > 1023) return std::nullopt;
  return if_complete(reader, order);
}

std::optional<Message> read_set_motor_id(Reader& reader) {
  SetMotorId order;
  order.old_id = reader.u8();
  order.new_id = reader.u8();
  if (order.old_id > 254 || order.new_id < 1 || order.new_id > 253) return std::nullopt;
  return if_complete(reader, order);
}

std::optional<Message> read_image_capture(Reader& reader, Direction direction) {
  if (direction == Direction::Answer) return if_complete(reader, Image{reader.rest()});
  ImageCapture order;
  order.start = reader.u8();
  order.count = reader.u8();
  order.interval_ms = reader.u16();
  if (order.start > 1) return std::nullopt;
  return if_complete(reader, order);
}

std::optional<Message> read_limit_team(Reader& reader) {
  if (reader.remaining() == 0) return std::nullopt;
  LimitTeam order;
  order.robots = reader.rest();
  return if_complete(reader, std::move(order));
}

std::optional<Message> read_time_sync(Reader& reader, Direction direction) {
  if (direction == Direction::Answer) return if_complete(reader, TimeAnswer{reader.u32()});
  const Payload text = reader.rest();
  if (std::string(text.begin(), text.end()) != kTimeRequest) return std::nullopt;
  return Message(TimeRequest{});
}

std::optional<Message> read_offsets(Reader& reader, Operation operation, Direction direction) {
  const bool list = operation == Operation::SetMotorOffsets || direction == Direction::Answer;
  if (!list) return if_complete(reader, Plain{operation});
  MotorOffsets offsets;
  offsets.direction = operation == Operation::SetMotorOffsets ? Direction::Request : Direction::Answer;
  while (reader.remaining() > 0) {
    MotorOffset offset;
    offset.motor = reader.u8();
    offset.offset = reader.i16();
    if (offset.offset < -1023 || offset.offset > 1023) return std::nullopt;
    offsets.offsets.push_back(offset);
  }
  return if_complete(reader, std::move(offsets));
}

std::optional<Message> read_payload(Reader& reader, Operation operation, Direction direction) {
  switch (operation) {
    case Operation::Log:
      return read_log(reader);
    case Operation::Status:
      return read_status(reader);
    case Operation::ReadySet:
      return read_ready_set(reader);
    case Operation::SetRole:
      return if_complete(reader, SetRole{reader.u32()});
    case Operation::DisableMotors:
    case Operation::EnableMotors:
      return if_complete(reader, SwitchMotors{operation == Operation::EnableMotors, reader.rest()});
    case Operation::PlayMotion:
      return read_play_motion(reader);
    case Operation::GetMotorStatus:
      return read_motor_status(reader, direction);
    case Operation::GetStrategies:
    case Operation::GetRoles:
    case Operation::GetBehaviors:
      return read_names(reader, operation, direction);
    case Operation::Abort:
    case Operation::StartGame:
    case Operation::StopGame:
      return if_complete(reader, Plain{operation});
    case Operation::SetWalkingSpeed: {
      SetWalkingSpeed order;
      for (auto* speed : {&order.forward, &order.sideward, &order.rotation})
        *speed = static_cast<std::int8_t>(reader.u8());
      return if_complete(reader, order);
    }
    case Operation::SetMotorId:
      return read_set_motor_id(reader);
    case Operation::SetMotor:
      return read_set_motor(reader);
    case Operation::SetLogLevel: {
      const std::uint8_t level = reader.u8();
      if (level > static_cast<int>(LogLevel::Error)) return std::nullopt;
      return if_complete(reader, SetLogLevel{static_cast<LogLevel>(level)});
    }
    case Operation::ImageCapture:
      return read_image_capture(reader, direction);
    case Operation::Reboot:
      return reader.u8() == kRebootMagic ? if_complete(reader, Reboot{}) : std::nullopt;
    case Operation::GoToPosition: {
      GoToPosition order;
      for (auto* value : {&order.x, &order.y, &order.angle}) *value = reader.i16();
      return if_complete(reader, order);
    }
    case Operation::LimitTeam:
      return read_limit_team(reader);
    case Operation::TimeSync:
      return read_time_sync(reader, direction);
    case Operation::GetMotorOffsets:
    case Operation::SetMotorOffsets:
      return read_offsets(reader, operation, direction);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint8_t> write(const Message& message) {
  return std::visit([](const auto& content) { return bytes_of(content); }, message);
}

std::optional<Message> read(hl_network::Bytes datagram) {
  if (datagram.size < Writer::kHeader || datagram.size > Writer::kHeader + kMaxPayload) return std::nullopt;
  Reader reader(datagram);
  const std::uint16_t operation = reader.u16();
  const std::uint8_t flags = reader.u8();
  reader.u8();  // unused
  if (operation >= kOperations) return std::nullopt;
  return read_payload(reader, static_cast<Operation>(operation),
                      (flags & kAnswer) != 0 ? Direction::Answer : Direction::Request);
}

std::string write_motion_text(const std::vector<Move>& moves) {
  std::ostringstream text;
  for (const Move& move : moves) {
    for (const std::int16_t position : move.positions) text << position << ',';
    text << move.duration_ms << ",\n";
  }
  text << "-1\n";
  return text.str();
}

MotionText read_motion_text(const std::string& text) {
  MotionText motion;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line == "-1") return motion;
    std::vector<std::int16_t> values;
    std::istringstream cells(line);
    std::string cell;
    while (std::getline(cells, cell, ',')) {
      std::istringstream digits(cell);
      int value = 0;
      if (!(digits >> value) || !(digits >> std::ws).eof() || value < -32768 || value > 32767)
        return {{}, "line " + std::to_string(number) + ": '" + cell + "' is no number of 16 bits"};
      values.push_back(static_cast<std::int16_t>(value));
    }
    const std::size_t expected = motion.moves.empty() ? values.size() : motion.moves.front().positions.size() + 1;
    if (values.size() < 2 || values.size() != expected)
      return {{},
              "line " + std::to_string(number) + ": " + std::to_string(values.size()) +
                  " values; a move has one per motor and the duration, as many as the first line"};
    Move move;
    move.duration_ms = values.back();
    values.pop_back();
    move.positions = std::move(values);
    motion.moves.push_back(std::move(move));
  }
  return {{}, "the line -1 that ends a motion is missing"};
}

}  // namespace hl_remote::fumanoid
