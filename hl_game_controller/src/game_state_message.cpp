// SPDX-License-Identifier: Apache-2.0
#include "game_state_message.hpp"

#include <algorithm>

namespace hl_game_controller {
namespace {

using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::PlayerInfo;

std::vector<PlayerInfo> players_from(const TeamInfo& team, std::size_t slots) {
  std::vector<PlayerInfo> result(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    const auto& player = team.players[i];
    result[i].number = static_cast<std::uint8_t>(i + 1);
    result[i].penalty = static_cast<std::uint8_t>(player.penalty);
    result[i].seconds_till_unpenalized = player.seconds_till_unpenalized;
    result[i].warnings = player.warnings;
    result[i].yellow_cards = player.yellow_cards;
    result[i].red_cards = player.red_cards;
    result[i].goalkeeper = player.goalkeeper;
  }
  return result;
}

std::string coach_message_of(const TeamInfo& team) {
  return {team.coach_message.begin(), std::find(team.coach_message.begin(), team.coach_message.end(), '\0')};
}

std::uint8_t version_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::V8:
      return 8;
    case Dialect::V9:
      return 9;
    case Dialect::V10:
      return 10;
    case Dialect::V11:
      return 11;
    case Dialect::V12Size640:
    case Dialect::V12Size664:
    case Dialect::V12:
      return 12;
    case Dialect::Hsl19:
      return 19;
    case Dialect::Hsl20:
      return 20;
  }
  return 0;
}

void set_kick_off(const ControlPacket& game, std::uint8_t own_team, GameState& message) {
  const bool dropped = game.kick_off_team == kDroppedBall;
  message.kick_off_team = dropped ? std::uint8_t{0} : game.kick_off_team;
  message.has_kick_off = game.kick_off_team == own_team;
  message.kick_off = dropped                                    ? GameState::KICKOFF_DROPPED_BALL
                     : message.has_kick_off                     ? GameState::KICKOFF_OWN
                     : game.team(game.kick_off_team) != nullptr ? GameState::KICKOFF_RIVAL
                                                                : GameState::KICKOFF_NONE;
}

void set_secondary_state(const ControlPacket& game, std::uint8_t own_team, GameState& message) {
  message.secondary_state = static_cast<std::uint8_t>(game.phase);
  message.set_play_phase = GameState::PHASE_NONE;
  if (game.set_play == SetPlay::None) return;
  message.secondary_state = static_cast<std::uint8_t>(game.set_play);
  message.set_play_phase = static_cast<std::uint8_t>(static_cast<std::uint8_t>(game.set_play_phase) + 1);
  message.secondary_state_team = game.set_play_team;
  message.own_set_play = game.set_play_team == own_team;
}

}  // namespace

GameState game_state_from(const Client& client, const Client::Params& params, double now) {
  GameState message;
  message.referee_connected = client.connected(now);
  message.allowed_to_move = client.allowed_to_move(now);
  message.own_team = static_cast<std::uint8_t>(params.team);
  message.own_player = static_cast<std::uint8_t>(params.player);
  message.own_color = GameState::COLOR_UNKNOWN;
  message.rival_color = GameState::COLOR_UNKNOWN;
  message.drop_in_time = GameState::NEVER;
  message.message_budget = GameState::NO_BUDGET;
  message.rival_message_budget = GameState::NO_BUDGET;
  const auto& packet = client.packet();
  if (!packet) return message;

  const auto& own = *client.own_team();
  const auto& rival = *client.rival_team();
  const auto& player = *client.own_player();
  message.protocol_version = version_of(packet->dialect);
  message.players_per_team = packet->players_per_team;
  message.game_state = static_cast<std::uint8_t>(packet->state);
  set_secondary_state(*packet, own.number, message);
  set_kick_off(*packet, own.number, message);
  message.stopped = packet->stopped;
  message.first_half = packet->first_half;
  message.own_score = own.score;
  message.rival_score = rival.score;
  message.seconds_remaining = packet->seconds_remaining;
  message.secondary_seconds_remaining = packet->secondary_time;
  message.rival_team = rival.number;
  message.own_color = own.colour;
  message.rival_color = rival.colour;
  message.own_side_left = &own == &packet->teams[0];
  message.goalkeeper = player.goalkeeper;
  message.penalized = player.penalty != Penalty::None;
  message.penalty = static_cast<std::uint8_t>(player.penalty);
  message.seconds_till_unpenalized = player.seconds_till_unpenalized;
  message.drop_in_team = packet->drop_in_team == own.number;
  message.drop_in_time = packet->drop_in_time;
  message.penalty_shot = own.penalty_shot;
  message.single_shots = own.single_shots;
  message.rival_penalty_shot = rival.penalty_shot;
  message.rival_single_shots = rival.single_shots;
  message.message_budget = own.message_budget.value_or(GameState::NO_BUDGET);
  message.rival_message_budget = rival.message_budget.value_or(GameState::NO_BUDGET);
  message.coach_message = coach_message_of(own);
  message.own_players = players_from(own, player_slots(packet->dialect));
  message.rival_players = players_from(rival, player_slots(packet->dialect));
  return message;
}

}  // namespace hl_game_controller
