// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/control_packet.hpp"

#include <algorithm>
#include <cstring>

namespace hl_game_controller {
namespace {

using hl_network::ByteReader;
using hl_network::ByteWriter;

constexpr char kMagic[4] = {'R', 'G', 'm', 'e'};

/// What distinguishes the dialects. All Humanoid League layouts are one sequence of fields, some of them left out.
struct Layout {
  Dialect dialect;
  std::uint16_t size;
  std::uint8_t version;
  std::string_view name;
  bool soccer_league;
  bool wide_version;          // u16 instead of u8
  bool game_type;             // present
  bool set_play_info;         // four bytes with team and phase of a set play
  bool coach_sequence;        // present
  std::uint8_t coach_length;  // bytes
  std::uint8_t player_size;   // bytes per player
};

constexpr std::array<Layout, 9> kLayouts{{
    {Dialect::V8, 158, 8, "Humanoid League v8", false, false, false, false, false, 40, 2},
    {Dialect::V9, 244, 9, "Humanoid League v9", false, true, true, false, true, 81, 2},
    {Dialect::V10, 588, 10, "Humanoid League v10", false, true, true, false, true, 253, 2},
    {Dialect::V11, 592, 11, "Humanoid League v11", false, true, true, true, true, 253, 2},
    {Dialect::V12Size640, 640, 12, "Humanoid League v12 (640 bytes)", false, true, true, true, true, 253, 4},
    {Dialect::V12Size664, 664, 12, "Humanoid League v12 (664 bytes)", false, true, true, true, true, 253, 5},
    {Dialect::V12, 688, 12, "Humanoid League v12", false, true, true, true, true, 253, 6},
    {Dialect::Hsl19, 198, 19, "Humanoid Soccer League v19", true, false, false, false, false, 0, 4},
    {Dialect::Hsl20, 158, 20, "Humanoid Soccer League v20", true, false, false, false, false, 0, 3},
}};

const Layout& layout_of(Dialect dialect) {
  return kLayouts[static_cast<std::size_t>(dialect)];
}

constexpr std::size_t kHumanoidLeaguePlayers = 11;

// --- Codes that differ between dialects ------------------------------------------------------------------------------

template <std::size_t N>
using Codes = std::array<Penalty, N>;  // index = code on the wire

// Ball holding and arms/hands are one reason here, and so are incapable and pick-up.
constexpr Codes<12> kHsl19Penalties{Penalty::None,
                                    Penalty::IllegalPositioning,
                                    Penalty::MotionInSet,
                                    Penalty::LocalGameStuck,
                                    Penalty::PickupOrIncapable,
                                    Penalty::PickupOrIncapable,
                                    Penalty::BallManipulation,
                                    Penalty::LeavingTheField,
                                    Penalty::BallManipulation,
                                    Penalty::PhysicalContact,
                                    Penalty::SentOff,
                                    Penalty::Substitute};
constexpr Codes<14> kHsl20Penalties{Penalty::None,
                                    Penalty::IllegalPositioning,
                                    Penalty::MotionInSet,
                                    Penalty::MotionInStop,
                                    Penalty::LocalGameStuck,
                                    Penalty::PickupOrIncapable,
                                    Penalty::PickupOrIncapable,
                                    Penalty::BallManipulation,
                                    Penalty::LeavingTheField,
                                    Penalty::BallManipulation,
                                    Penalty::PhysicalContact,
                                    Penalty::Cautioned,
                                    Penalty::SentOff,
                                    Penalty::Substitute};

template <std::size_t N>
Penalty penalty_at(const Codes<N>& codes, std::uint8_t code) {
  return code < N ? codes[code] : Penalty::Unknown;
}

template <std::size_t N>
std::uint8_t code_in(const Codes<N>& codes, Penalty penalty) {
  const auto found = std::find(codes.begin(), codes.end(), penalty);
  return found == codes.end() ? std::uint8_t{1} : static_cast<std::uint8_t>(found - codes.begin());
}

/// Before version 11 the league's own penalties were 1..6; since then 30..35.
constexpr std::uint8_t kPenaltyShift = 29;
constexpr std::uint8_t kPickupThenService = 7;  // before version 11: picked up, and kept out for service

Penalty humanoid_penalty(std::uint8_t code) {
  switch (static_cast<Penalty>(code)) {
    case Penalty::None:
    case Penalty::Substitute:
    case Penalty::Manual:
    case Penalty::BallManipulation:
    case Penalty::PhysicalContact:
    case Penalty::IllegalAttack:
    case Penalty::IllegalDefense:
    case Penalty::PickupOrIncapable:
    case Penalty::Service:
      return static_cast<Penalty>(code);
    default:
      return Penalty::Unknown;
  }
}

Penalty penalty_from(const Layout& layout, std::uint8_t code) {
  if (layout.dialect == Dialect::Hsl19) return penalty_at(kHsl19Penalties, code);
  if (layout.dialect == Dialect::Hsl20) return penalty_at(kHsl20Penalties, code);
  if (layout.version < 11 && code >= 1 && code <= 6) return static_cast<Penalty>(code + kPenaltyShift);
  if (layout.version < 11 && code == kPickupThenService) return Penalty::Service;
  return humanoid_penalty(code);
}

std::uint8_t code_of(const Layout& layout, Penalty penalty) {
  if (layout.dialect == Dialect::Hsl19) return code_in(kHsl19Penalties, penalty);
  if (layout.dialect == Dialect::Hsl20) return code_in(kHsl20Penalties, penalty);
  const auto code = static_cast<std::uint8_t>(penalty);
  const bool shifted = layout.version < 11 && penalty >= Penalty::BallManipulation && penalty <= Penalty::Service;
  if (shifted) return static_cast<std::uint8_t>(code - kPenaltyShift);
  return humanoid_penalty(code) == penalty ? code : static_cast<std::uint8_t>(Penalty::Unknown);
}

constexpr std::array<SetPlay, 7> kSoccerSetPlays{
    SetPlay::None,    SetPlay::DirectFreeKick, SetPlay::IndirectFreeKick, SetPlay::PenaltyKick,
    SetPlay::ThrowIn, SetPlay::GoalKick,       SetPlay::CornerKick};

State state_from(std::uint8_t code) {
  return code <= static_cast<std::uint8_t>(State::Finished) ? static_cast<State>(code) : State::Finished;
}

GamePhase phase_from(std::uint8_t code) {
  return code <= static_cast<std::uint8_t>(GamePhase::Timeout) ? static_cast<GamePhase>(code) : GamePhase::Normal;
}

SetPlayPhase set_play_phase_from(std::uint8_t code) {
  return code <= static_cast<std::uint8_t>(SetPlayPhase::Execute) ? static_cast<SetPlayPhase>(code)
                                                                  : SetPlayPhase::Called;
}

/// The secondary state holds either the phase of the game or the set play that hides it.
void secondary_state_from(const Layout& layout, std::uint8_t code, ControlPacket& packet) {
  if (code <= static_cast<std::uint8_t>(GamePhase::Timeout)) {
    packet.phase = phase_from(code);
  } else if (layout.dialect == Dialect::V11) {  // 4 free kick, 5 penalty kick
    packet.set_play = code == 4 ? SetPlay::DirectFreeKick : code == 5 ? SetPlay::PenaltyKick : SetPlay::None;
  } else if (code <= static_cast<std::uint8_t>(SetPlay::ThrowIn)) {
    packet.set_play = static_cast<SetPlay>(code);
  }
}

std::uint8_t secondary_state_of(const Layout& layout, const ControlPacket& packet) {
  if (packet.set_play == SetPlay::None || layout.version < 11) return static_cast<std::uint8_t>(packet.phase);
  if (layout.dialect == Dialect::V11) return packet.set_play == SetPlay::PenaltyKick ? 5 : 4;
  return static_cast<std::uint8_t>(packet.set_play);
}

constexpr std::uint8_t kJavaDroppedBall = 128;  // -128 as a Java byte
constexpr std::uint8_t kColourDroppedBall = 2;  // while teams were named by colour
constexpr std::uint8_t kLastColourIndex = 1;

/// Until early 2015 teams were named by colour, since then by number.
bool names_by_number(const Layout& layout, std::uint8_t code, const ControlPacket& packet) {
  return layout.version > 9 || (layout.version == 9 && packet.team(code) != nullptr);
}

std::uint8_t team_of_colour(std::uint8_t colour, const ControlPacket& packet, std::uint8_t otherwise) {
  for (const auto& team : packet.teams) {
    if (team.colour == colour) return team.number;
  }
  return otherwise;
}

/// By colour: 0, 1, 2 = dropped ball.
std::uint8_t kick_off_team_from(const Layout& layout, std::uint8_t code, const ControlPacket& packet) {
  if (names_by_number(layout, code, packet))
    return code == kJavaDroppedBall && packet.team(code) == nullptr ? kDroppedBall : code;
  return code > kLastColourIndex ? kDroppedBall : team_of_colour(code, packet, kDroppedBall);
}

std::uint8_t drop_in_team_from(const Layout& layout, std::uint8_t code, const ControlPacket& packet) {
  if (names_by_number(layout, code, packet)) return code;
  return packet.drop_in_time == kNeverDroppedIn ? 0 : team_of_colour(code, packet, 0);
}

std::uint8_t drop_in_code_of(const Layout& layout, const ControlPacket& packet) {
  if (layout.version >= 9) return packet.drop_in_team;
  const auto* team = packet.team(packet.drop_in_team);
  return team == nullptr ? 0 : team->colour;
}

std::uint8_t kick_off_code_of(const Layout& layout, const ControlPacket& packet) {
  if (layout.version >= 9) return packet.kick_off_team;
  const auto* team = packet.team(packet.kick_off_team);
  return team == nullptr ? kColourDroppedBall : team->colour;
}

// --- Humanoid League -------------------------------------------------------------------------------------------------

void read_player(ByteReader& reader, const Layout& layout, PlayerInfo& player) {
  player.penalty = penalty_from(layout, reader.u8());
  player.seconds_till_unpenalized = reader.u8();
  if (layout.player_size >= 6) player.warnings = reader.u8();
  if (layout.player_size >= 4) {
    player.yellow_cards = reader.u8();
    player.red_cards = reader.u8();
  }
  if (layout.player_size >= 5) player.goalkeeper = reader.u8() != 0;
}

void write_player(ByteWriter& writer, const Layout& layout, const PlayerInfo& player) {
  writer.u8(code_of(layout, player.penalty));
  writer.u8(player.seconds_till_unpenalized);
  if (layout.player_size >= 6) writer.u8(player.warnings);
  if (layout.player_size >= 4) {
    writer.u8(player.yellow_cards);
    writer.u8(player.red_cards);
  }
  if (layout.player_size >= 5) writer.u8(player.goalkeeper ? 1 : 0);
}

void read_humanoid_league(ByteReader& reader, const Layout& layout, ControlPacket& packet) {
  packet.packet_number = reader.u8();
  packet.players_per_team = reader.u8();
  if (layout.game_type) packet.game_type = reader.u8();
  packet.state = state_from(reader.u8());
  packet.first_half = reader.u8() != 0;
  const std::uint8_t kick_off = reader.u8();
  secondary_state_from(layout, reader.u8(), packet);
  if (layout.set_play_info) {
    const std::uint8_t team = reader.u8();
    const std::uint8_t phase = reader.u8();
    reader.skip(2);
    if (packet.set_play != SetPlay::None) {
      packet.set_play_team = team == kJavaDroppedBall ? kDroppedBall : team;
      packet.set_play_phase = set_play_phase_from(phase);
    }
  }
  const std::uint8_t drop_in = reader.u8();
  packet.drop_in_time = reader.u16();
  packet.seconds_remaining = reader.i16();
  packet.secondary_time = reader.i16();
  for (auto& team : packet.teams) {
    team.number = reader.u8();
    team.colour = reader.u8();
    team.score = reader.u8();
    team.penalty_shot = reader.u8();
    team.single_shots = reader.u16();
    if (layout.coach_sequence) reader.skip(1);
    reader.copy(team.coach_message.data(), layout.coach_length);
    reader.skip(layout.player_size);  // the coach
    for (std::size_t i = 0; i < kHumanoidLeaguePlayers; ++i) read_player(reader, layout, team.players[i]);
  }
  packet.kick_off_team = kick_off_team_from(layout, kick_off, packet);
  packet.drop_in_team = drop_in_team_from(layout, drop_in, packet);
}

void write_humanoid_league(ByteWriter& writer, const Layout& layout, const ControlPacket& packet) {
  writer.u8(packet.packet_number);
  writer.u8(packet.players_per_team);
  if (layout.game_type) writer.u8(packet.game_type);
  writer.u8(static_cast<std::uint8_t>(packet.state));
  writer.u8(packet.first_half ? 1 : 0);
  writer.u8(kick_off_code_of(layout, packet));
  writer.u8(secondary_state_of(layout, packet));
  if (layout.set_play_info) {
    const bool active = packet.set_play != SetPlay::None;
    writer.u8(active ? packet.set_play_team : 0);
    writer.u8(active ? static_cast<std::uint8_t>(packet.set_play_phase) : 0);
    writer.zeros(2);
  }
  writer.u8(drop_in_code_of(layout, packet));
  writer.u16(packet.drop_in_time);
  writer.i16(packet.seconds_remaining);
  writer.i16(packet.secondary_time);
  for (const auto& team : packet.teams) {
    writer.u8(team.number);
    writer.u8(team.colour);
    writer.u8(team.score);
    writer.u8(team.penalty_shot);
    writer.u16(team.single_shots);
    if (layout.coach_sequence) writer.u8(0);
    writer.copy(team.coach_message.data(), layout.coach_length);
    writer.zeros(layout.player_size);  // the coach
    for (std::size_t i = 0; i < kHumanoidLeaguePlayers; ++i) write_player(writer, layout, team.players[i]);
  }
}

// --- Humanoid Soccer League ------------------------------------------------------------------------------------------

constexpr std::uint8_t kSoccerNoTeam = 255;

void read_soccer_league(ByteReader& reader, const Layout& layout, ControlPacket& packet) {
  packet.packet_number = reader.u8();
  packet.players_per_team = reader.u8();
  packet.game_type = reader.u8();
  packet.stopped = reader.u8() != 0;
  packet.phase = phase_from(reader.u8());
  packet.state = state_from(reader.u8());
  const std::uint8_t set_play = reader.u8();
  packet.first_half = reader.u8() != 0;
  packet.kick_off_team = reader.u8();  // 255: none, which is our dropped ball
  if (set_play < kSoccerSetPlays.size() && set_play != 0) {
    packet.set_play = kSoccerSetPlays[set_play];
    packet.set_play_team = packet.kick_off_team;
    // This protocol has no phases: the state says whether the ball may be played.
    packet.set_play_phase = packet.state == State::Playing && !packet.stopped ? SetPlayPhase::Execute
                            : packet.state == State::Ready                    ? SetPlayPhase::Prepare
                                                                              : SetPlayPhase::Called;
  }
  packet.seconds_remaining = reader.i16();
  packet.secondary_time = reader.i16();
  for (auto& team : packet.teams) {
    team.number = reader.u8();
    team.colour = reader.u8();
    team.goalkeeper_colour = reader.u8();
    const std::uint8_t goalkeeper = reader.u8();
    team.score = reader.u8();
    team.penalty_shot = reader.u8();
    team.single_shots = reader.u16();
    team.message_budget = reader.u16();
    for (std::size_t i = 0; i < kMaxPlayers; ++i) {
      auto& player = team.players[i];
      player.penalty = penalty_from(layout, reader.u8());
      player.seconds_till_unpenalized = reader.u8();
      if (layout.player_size >= 4) player.warnings = reader.u8();
      player.yellow_cards = reader.u8();
      player.goalkeeper = goalkeeper == i + 1;
    }
  }
}

void write_soccer_league(ByteWriter& writer, const Layout& layout, const ControlPacket& packet) {
  writer.u8(packet.packet_number);
  writer.u8(packet.players_per_team);
  writer.u8(packet.game_type);
  writer.u8(packet.stopped ? 1 : 0);
  writer.u8(static_cast<std::uint8_t>(packet.phase));
  writer.u8(static_cast<std::uint8_t>(packet.state));
  const auto found = std::find(kSoccerSetPlays.begin(), kSoccerSetPlays.end(), packet.set_play);
  writer.u8(static_cast<std::uint8_t>(found - kSoccerSetPlays.begin()));
  writer.u8(packet.first_half ? 1 : 0);
  writer.u8(packet.set_play == SetPlay::None ? packet.kick_off_team : packet.set_play_team);
  writer.i16(packet.seconds_remaining);
  writer.i16(packet.secondary_time);
  for (const auto& team : packet.teams) {
    const auto keeper =
        std::find_if(team.players.begin(), team.players.end(), [](const PlayerInfo& p) { return p.goalkeeper; });
    writer.u8(team.number);
    writer.u8(team.colour);
    writer.u8(team.goalkeeper_colour);
    writer.u8(keeper == team.players.end() ? kSoccerNoTeam
                                           : static_cast<std::uint8_t>(keeper - team.players.begin() + 1));
    writer.u8(team.score);
    writer.u8(team.penalty_shot);
    writer.u16(team.single_shots);
    writer.u16(team.message_budget.value_or(0));
    for (const auto& player : team.players) {
      writer.u8(code_of(layout, player.penalty));
      writer.u8(player.seconds_till_unpenalized);
      if (layout.player_size >= 4) writer.u8(player.warnings);
      writer.u8(player.yellow_cards);
    }
  }
}

}  // namespace

const TeamInfo* ControlPacket::team(std::uint8_t number) const {
  const auto found = std::find_if(teams.begin(), teams.end(), [&](const TeamInfo& t) { return t.number == number; });
  return found == teams.end() ? nullptr : &*found;
}

std::size_t player_slots(Dialect dialect) {
  return layout_of(dialect).soccer_league ? kMaxPlayers : kHumanoidLeaguePlayers;
}

std::size_t packet_size(Dialect dialect) {
  return layout_of(dialect).size;
}

std::string_view name(Dialect dialect) {
  return layout_of(dialect).name;
}

DecodeError decode(hl_network::Bytes bytes, ControlPacket& packet) {
  if (bytes.size < 6 || std::memcmp(bytes.data, kMagic, sizeof kMagic) != 0) return DecodeError::NotAControlPacket;
  const std::uint8_t version = bytes.data[4];
  bool known_version = false;
  for (const auto& layout : kLayouts) {
    if (layout.version != version || (layout.wide_version && bytes.data[5] != 0)) continue;
    known_version = true;
    if (layout.size != bytes.size) continue;
    ControlPacket result;
    result.dialect = layout.dialect;
    ByteReader reader(bytes);
    reader.skip(layout.wide_version ? 6 : 5);
    layout.soccer_league ? read_soccer_league(reader, layout, result) : read_humanoid_league(reader, layout, result);
    packet = result;
    return DecodeError::None;
  }
  return known_version ? DecodeError::WrongSize : DecodeError::UnknownVersion;
}

std::size_t encode(const ControlPacket& packet, std::uint8_t* buffer, std::size_t capacity) {
  const auto& layout = layout_of(packet.dialect);
  ByteWriter writer(buffer, capacity);
  writer.copy(kMagic, sizeof kMagic);
  layout.wide_version ? writer.u16(layout.version) : writer.u8(layout.version);
  layout.soccer_league ? write_soccer_league(writer, layout, packet) : write_humanoid_league(writer, layout, packet);
  return writer.ok() ? writer.size() : 0;
}

}  // namespace hl_game_controller
