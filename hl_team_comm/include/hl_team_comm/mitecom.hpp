// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hl_network/bytes.hpp"

/// Mitecom, the protocol of mixed teams: 16 bytes of header and pairs of key and value, little endian.
namespace hl_team_comm::mitecom {

enum class Key : std::uint32_t {
  Role = 0x00000000,
  Action = 0x00000001,
  State = 0x00000002,
  PositionX = 0x00010000,           // mm
  PositionY = 0x00010001,           // mm
  Orientation = 0x00010002,         // degrees, 0 = towards the opponent's goal, counter-clockwise
  PositionBelief = 0x00010003,      // 0..255
  BallX = 0x00010004,               // mm, relative to the robot
  BallY = 0x00010005,               // mm
  BallBelief = 0x00010006,          // 0..255; from here on older copies of the protocol number differently
  OpponentGoalX = 0x00010007,       // mm, relative
  OpponentGoalY = 0x00010008,       // mm
  OpponentGoalBelief = 0x00010009,  // 0..255
  OpponentRobots = 0x0001000A,      // four times x, y (mm, on the field), belief
  TeamRobots = 0x00010016,          // three times x, y, belief
  LastCognition = 0x0001001E,
  WalkingSpeed = 0x00020001,     // cm/s
  TimeToBall = 0x00020002,       // s
  KickingDistance = 0x00020003,  // mm
  OffensiveSide = 0x00030001,
  // Range of the teams: what ours adds for its network monitor.
  Sequence = 0x10000000,  // counts messages of one robot
  SendTime = 0x10000001,  // ms, clock of the sender
};

struct Value {
  std::uint32_t key = 0;
  std::int32_t value = 0;
};

constexpr std::size_t kMaxValues = 64;  // twice of what is defined; more is not a mitecom message we know
constexpr std::size_t kHeaderSize = 16;
constexpr std::size_t kMaxMessageSize = kHeaderSize + 8 * kMaxValues;

/// One message. Fixed size, so that reading one allocates nothing.
struct Message {
  std::uint16_t team = 0;
  std::uint16_t robot = 0;  // from 1
  std::size_t count = 0;
  std::array<Value, kMaxValues> values{};

  /// Appends a value; ignored once the message is full.
  void add(Key key, std::int32_t value);
  void add(std::uint32_t key, std::int32_t value);

  /// The last value of that key.
  std::optional<std::int32_t> get(Key key) const { return get(static_cast<std::uint32_t>(key)); }
  std::optional<std::int32_t> get(std::uint32_t key) const;
};

/// Nothing unless magic, version, length and robot number are right.
std::optional<Message> decode(hl_network::Bytes bytes);

/// Returns the number of bytes written, 0 if they do not fit.
std::size_t encode(const Message& message, std::uint8_t* buffer, std::size_t capacity);

/// The keys of the cognition range were renumbered twice without a new version. True if the values show that the
/// sender uses an older numbering, so that everything from `BallBelief` on means something else.
bool uses_old_numbering(const Message& message);

}  // namespace hl_team_comm::mitecom
