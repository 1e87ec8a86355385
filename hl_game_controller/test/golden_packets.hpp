// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace hl_game_controller::test {

inline void put(std::vector<std::uint8_t>& bytes, std::size_t offset, std::initializer_list<std::uint8_t> values) {
  for (const auto value : values) bytes.at(offset++) = value;
}

/// Team 6 (red, left, 1 goal) against team 11 (blue), PLAYING, first half, direct free kick for team 6 in its prepare
/// phase with 22 s left, 437 s left in the half, player 2 of team 6 picked up with 7 s to go.
inline std::vector<std::uint8_t> free_kick_v12() {
  std::vector<std::uint8_t> bytes(688, 0);
  put(bytes, 0, {0x52, 0x47, 0x6D, 0x65, 0x0C, 0x00, 0x2A, 0x04, 0x00, 0x03, 0x01, 0x06,
                 0x04, 0x06, 0x01, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xB5, 0x01, 0x16, 0x00});
  put(bytes, 24, {0x06, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00});
  put(bytes, 290, {0x00, 0x00, 0x00, 0x00, 0x00, 0x01});
  put(bytes, 296, {0x22, 0x07, 0x00, 0x00, 0x00, 0x00});
  put(bytes, 302, {0x00, 0x00, 0x01, 0x00, 0x00, 0x00});
  for (std::size_t offset = 314; offset <= 350; offset += 6) put(bytes, offset, {0x0E});
  put(bytes, 356, {0x0B, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00});
  return bytes;
}

/// The same game as the Humanoid Soccer League would send it, with a throw-in for team 11.
inline std::vector<std::uint8_t> throw_in_hsl20() {
  std::vector<std::uint8_t> bytes(158, 0);
  put(bytes, 0, {0x52, 0x47, 0x6D, 0x65, 20, 7, 4, 0, 0, 0, 3, 4, 1, 11, 0xB5, 0x01, 0x0A, 0x00});
  put(bytes, 18, {6, 1, 2, 1, 3, 0, 0, 0, 0xD0, 0x04});  // budget 1232
  put(bytes, 28, {0, 0, 0, 10, 9, 1, 13, 0, 0});         // player 2 pushed, player 3 is a substitute
  put(bytes, 88, {11, 0, 4, 255, 1, 0, 0, 0, 0x10, 0x00});
  return bytes;
}

}  // namespace hl_game_controller::test
