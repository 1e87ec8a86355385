// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hl_network/bytes.hpp"

namespace hl_game_controller {

/// What a robot of the Humanoid League may say.
enum class ReturnMessage : std::uint8_t {
  ManualPenalise = 0,
  ManualUnpenalise = 1,
  Alive = 2,
  Goalkeeper = 3,
  GameInterruptionReady = 4,
};

constexpr std::size_t kMaxReturnPacketSize = 32;

/// A robot's answer: version 2 for the Humanoid League (8 bytes), version 4 for the soccer league (32 bytes).
struct ReturnPacket {
  std::uint8_t version = 2;
  std::uint8_t team = 0;
  std::uint8_t player = 0;                       // from 1
  ReturnMessage message = ReturnMessage::Alive;  // version 2
  bool fallen = false;                           // version 4, as all below
  std::array<float, 3> pose{};                   // m, m, rad on the field (own team's view)
  float ball_age = -1.0F;                        // s since the ball was seen, -1 never
  std::array<float, 2> ball{};                   // m, relative to the robot
};

/// Writes the packet in its version; returns the number of bytes, 0 if it does not fit or the version is unknown.
std::size_t encode(const ReturnPacket& packet, std::uint8_t* buffer, std::size_t capacity);

/// Nothing unless magic, version and length agree and the player number is one.
std::optional<ReturnPacket> decode_return(hl_network::Bytes bytes);

}  // namespace hl_game_controller
