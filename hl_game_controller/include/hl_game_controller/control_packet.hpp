// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hl_network/bytes.hpp"

namespace hl_game_controller {

/// The packet layouts that are met on a field. Version 12 of the Humanoid League has three of them, told apart only by
/// their length; the Humanoid Soccer League (HSL) is the merged league of 2026.
enum class Dialect : std::uint8_t { V8, V9, V10, V11, V12Size640, V12Size664, V12, Hsl19, Hsl20 };

enum class State : std::uint8_t { Initial = 0, Ready = 1, Set = 2, Playing = 3, Finished = 4 };

enum class GamePhase : std::uint8_t { Normal = 0, PenaltyShootOut = 1, Overtime = 2, Timeout = 3 };

enum class SetPlay : std::uint8_t {
  None = 0,
  DirectFreeKick = 4,  // numbers of version 12
  IndirectFreeKick = 5,
  PenaltyKick = 6,
  CornerKick = 7,
  GoalKick = 8,
  ThrowIn = 9,
};

/// What the referee expects during a set play.
enum class SetPlayPhase : std::uint8_t { Called = 0, Prepare = 1, Execute = 2 };

/// Reasons to be off the field, with the numbers of version 12. Whatever is not `None` forbids to play.
enum class Penalty : std::uint8_t {
  None = 0,
  Substitute = 14,
  Manual = 15,
  BallManipulation = 30,
  PhysicalContact = 31,
  IllegalAttack = 32,
  IllegalDefense = 33,
  PickupOrIncapable = 34,
  Service = 35,
  // reasons only the soccer league knows
  IllegalPositioning = 40,
  MotionInSet = 41,
  MotionInStop = 42,
  LocalGameStuck = 43,
  LeavingTheField = 44,
  Cautioned = 45,
  SentOff = 46,
  Unknown = 255,
};

constexpr std::uint8_t kDroppedBall = 255;  // "team" that has a kick-off which nobody has; 128 on some wires
constexpr std::size_t kMaxPlayers = 20;
constexpr std::size_t kMaxControlPacketSize = 688;
constexpr std::size_t kMaxCoachMessage = 253;
constexpr std::uint16_t kNeverDroppedIn = 0xFFFF;

struct PlayerInfo {
  Penalty penalty = Penalty::None;
  std::uint8_t seconds_till_unpenalized = 0;  // 0 also means: the clock has not been started yet
  std::uint8_t warnings = 0;
  std::uint8_t yellow_cards = 0;
  std::uint8_t red_cards = 0;
  bool goalkeeper = false;
};

struct TeamInfo {
  std::uint8_t number = 0;
  std::uint8_t colour = 0;             // BLUE 0, RED 1, YELLOW 2, BLACK 3, WHITE 4, GREEN 5, ORANGE 6, ...
  std::uint8_t goalkeeper_colour = 0;  // soccer league only
  std::uint8_t score = 0;
  std::uint8_t penalty_shot = 0;                       // shots taken in the shoot-out
  std::uint16_t single_shots = 0;                      // bit i: shot i scored
  std::optional<std::uint16_t> message_budget;         // soccer league only: messages left for the team
  std::array<char, kMaxCoachMessage> coach_message{};  // zero-padded
  std::array<PlayerInfo, kMaxPlayers> players{};       // player number p is at p - 1
};

/// What the referee says, in one form for every dialect.
struct ControlPacket {
  Dialect dialect = Dialect::V12;
  std::uint8_t packet_number = 0;
  std::uint8_t players_per_team = 0;
  std::uint8_t game_type = 0;  // never decide anything by it: its meaning changed without a new version
  State state = State::Initial;
  bool first_half = true;
  bool stopped = false;            // soccer league only
  std::uint8_t kick_off_team = 0;  // team number, or kDroppedBall
  GamePhase phase = GamePhase::Normal;
  SetPlay set_play = SetPlay::None;
  std::uint8_t set_play_team = 0;  // team number that executes it; 0 if none
  SetPlayPhase set_play_phase = SetPlayPhase::Called;
  std::uint8_t drop_in_team = 0;
  std::uint16_t drop_in_time = kNeverDroppedIn;  // s since the last drop-in
  std::int16_t seconds_remaining = 0;            // of the half; negative in added time
  std::int16_t secondary_time = 0;               // s, of whatever shorter clock runs; 0 if none
  std::array<TeamInfo, 2> teams{};               // left and right of the referee's table, not home and away

  const TeamInfo* team(std::uint8_t number) const;
};

/// Number of players the dialect carries per team.
std::size_t player_slots(Dialect dialect);

std::size_t packet_size(Dialect dialect);

std::string_view name(Dialect dialect);
std::string_view name(State state);
std::string_view name(SetPlay set_play);
std::string_view name(Penalty penalty);

/// Why bytes are not a control packet.
enum class DecodeError : std::uint8_t { None, NotAControlPacket, UnknownVersion, WrongSize };
std::string_view text(DecodeError error);

/// Recognises a packet by magic, version and size, and reads it into `packet`, which is untouched on error. Values
/// outside their enumeration become the safe one (Finished, Unknown). Allocates nothing.
DecodeError decode(hl_network::Bytes bytes, ControlPacket& packet);

/// Writes `packet` in its dialect; returns the number of bytes, 0 if `capacity` is too small.
std::size_t encode(const ControlPacket& packet, std::uint8_t* buffer, std::size_t capacity);

}  // namespace hl_game_controller
