// SPDX-License-Identifier: Apache-2.0
#include "game_words.hpp"

#include <cstdio>
#include <cstdlib>

namespace hl_visualization {
namespace {

using humanoid_league_msgs::msg::GameState;

const char* state_word(std::uint8_t state) {
  const char* const words[] = {"INITIAL", "READY", "SET", "PLAYING", "FINISHED"};
  return state < 5 ? words[state] : "UNKNOWN STATE";
}

const char* play_word(std::uint8_t secondary) {
  switch (secondary) {
    case GameState::STATE_PENALTYSHOOT:
      return "shoot-out";
    case GameState::STATE_TIMEOUT:
      return "timeout";
    case GameState::STATE_DIRECT_FREEKICK:
      return "direct free kick";
    case GameState::STATE_INDIRECT_FREEKICK:
      return "indirect free kick";
    case GameState::STATE_PENALTYKICK:
      return "penalty kick";
    case GameState::STATE_CORNER_KICK:
      return "corner kick";
    case GameState::STATE_GOAL_KICK:
      return "goal kick";
    case GameState::STATE_THROW_IN:
      return "throw-in";
    default:
      return nullptr;
  }
}

bool kick_off_is_near(const GameState& game) {
  return (game.game_state == GameState::GAMESTATE_READY || game.game_state == GameState::GAMESTATE_SET) &&
         play_word(game.secondary_state) == nullptr;
}

}  // namespace

std::string game_line(const GameState& game) {
  if (game.protocol_version == 0 && !game.referee_connected) return "no referee yet";
  char text[120];
  const int left = game.seconds_remaining;
  std::snprintf(text, sizeof text, "%s   %d : %d   %s%02d:%02d%s", state_word(game.game_state), game.own_score,
                game.rival_score, left < 0 ? "-" : "", std::abs(left) / 60, std::abs(left) % 60,
                game.referee_connected ? "" : "   (referee is silent)");
  return text;
}

std::string set_play_line(const GameState& game) {
  std::string text;
  if (game.penalized) text = "this robot is penalised, " + std::to_string(game.seconds_till_unpenalized) + " s   ";
  const char* word = play_word(game.secondary_state);
  if (word == nullptr) {
    if (!kick_off_is_near(game)) return text;
    return text + (game.kick_off == GameState::KICKOFF_OWN     ? "own kick-off"
                   : game.kick_off == GameState::KICKOFF_RIVAL ? "opponent's kick-off"
                                                               : "dropped ball");
  }
  text += (game.own_set_play ? "own " : "opponent's ") + std::string(word);
  const char* const phases[] = {"", ", called", ", prepare", ", execute"};
  if (game.set_play_phase < 4) text += phases[game.set_play_phase];
  if (game.secondary_seconds_remaining > 0) text += ", " + std::to_string(game.secondary_seconds_remaining) + " s";
  return text;
}

std::vector<SetPlayArea> set_play_areas(const GameState& game, const hl_description::Field& field,
                                        const std::optional<BelievedBall>& ball) {
  // The distance opponents keep from the ball is the radius of the centre circle.
  const double radius = field.circle_diameter / 2;
  if (kick_off_is_near(game))
    return {{SetPlayArea::Shape::Circle, 0.0, 0.0, radius, 0, 0, game.kick_off == GameState::KICKOFF_OWN}};
  if (game.secondary_state == GameState::STATE_PENALTYKICK) {
    const double deep = field.penalty_area_length > 0 ? field.penalty_area_length : field.goal_area_length;
    const double wide = field.penalty_area_length > 0 ? field.penalty_area_width : field.goal_area_width;
    const double side = game.own_set_play ? 1.0 : -1.0;
    return {{SetPlayArea::Shape::Rectangle, side * (field.length - deep) / 2, 0.0, 0.0, deep, wide, game.own_set_play}};
  }
  const bool at_ball = play_word(game.secondary_state) != nullptr && game.secondary_state != GameState::STATE_TIMEOUT &&
                       game.secondary_state != GameState::STATE_PENALTYSHOOT;
  if (!at_ball || !ball) return {};
  return {{SetPlayArea::Shape::Circle, ball->x, ball->y, radius, 0, 0, game.own_set_play}};
}

}  // namespace hl_visualization
