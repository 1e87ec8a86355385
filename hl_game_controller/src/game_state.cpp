// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/game_state.hpp"

namespace hl_game_controller {
namespace {

constexpr std::uint8_t kBlue = 0;

std::vector<hl_soccer::PlayerState> players_of(const TeamInfo& team, std::size_t slots) {
  std::vector<hl_soccer::PlayerState> players(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    players[i].number = static_cast<int>(i) + 1;
    players[i].penalized = team.players[i].penalty != Penalty::None;
    players[i].seconds_till_unpenalized = team.players[i].seconds_till_unpenalized;
  }
  return players;
}

hl_soccer::KickOff kick_off_of(const ControlPacket& game, std::uint8_t own_team) {
  if (game.kick_off_team == kDroppedBall) return hl_soccer::KickOff::DroppedBall;
  if (game.kick_off_team == own_team) return hl_soccer::KickOff::Own;
  return game.team(game.kick_off_team) != nullptr ? hl_soccer::KickOff::Rival : hl_soccer::KickOff::None;
}

}  // namespace

hl_soccer::GameState game_state_of(const Client& client, const Client::Params& params, double now) {
  hl_soccer::GameState state;
  state.referee_connected = client.connected(now);
  state.allowed_to_move = client.allowed_to_move(now);
  state.own_team = params.team;
  state.own_player = params.player;
  const auto& packet = client.packet();
  if (!packet) return state;

  const TeamInfo& own = *client.own_team();
  const TeamInfo& rival = *client.rival_team();
  const PlayerInfo& player = *client.own_player();
  state.stamp = client.packet_time();
  state.phase = static_cast<hl_soccer::GamePhase>(packet->state);
  state.set_play = static_cast<hl_soccer::SetPlay>(packet->phase);
  if (packet->set_play != SetPlay::None) {
    state.set_play = static_cast<hl_soccer::SetPlay>(packet->set_play);
    state.set_play_phase =
        static_cast<hl_soccer::SetPlayPhase>(static_cast<std::uint8_t>(packet->set_play_phase) + 1);  // 0 = none
    state.own_set_play = packet->set_play_team == own.number;
  }
  state.stopped = packet->stopped;
  state.first_half = packet->first_half;
  state.kick_off = kick_off_of(*packet, own.number);
  state.own_score = own.score;
  state.rival_score = rival.score;
  state.seconds_remaining = packet->seconds_remaining;
  state.secondary_seconds_remaining = packet->secondary_time;
  state.players_per_team = packet->players_per_team;
  state.own_color_blue = own.colour == kBlue;
  state.goalkeeper = player.goalkeeper;
  state.penalized = player.penalty != Penalty::None;
  state.seconds_till_unpenalized = player.seconds_till_unpenalized;
  state.message_budget = own.message_budget ? static_cast<int>(*own.message_budget) : -1;
  state.own_players = players_of(own, player_slots(packet->dialect));
  state.rival_players = players_of(rival, player_slots(packet->dialect));
  return state;
}

}  // namespace hl_game_controller
