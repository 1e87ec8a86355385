// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/rules.hpp"

#include <cmath>
#include <utility>

namespace hl_game_controller {

std::optional<std::string> Rules::validate() const {
  const std::vector<std::pair<const char*, double>> positive{
      {"field_length", field_length},   {"field_width", field_width},
      {"goal_width", goal_width},       {"goal_height", goal_height},
      {"ball_radius", ball_radius},     {"half_time", half_time},
      {"initial_time", initial_time},   {"ready_time", ready_time},
      {"set_time", set_time},           {"kick_off_time", kick_off_time},
      {"called_time", called_time},     {"prepare_time", prepare_time},
      {"execute_time", execute_time},   {"removal_time", removal_time},
      {"fallen_limit", fallen_limit},   {"outside_limit", outside_limit},
      {"pushing_limit", pushing_limit}, {"stuck_limit", stuck_limit},
      {"break_time", break_time},       {"shoot_out_trial_time", shoot_out_trial_time}};
  for (const auto& [name, value] : positive) {
    if (!(value > 0.0) || !std::isfinite(value)) return std::string(name) + " must be positive";
  }
  if (goal_width >= field_width) return "goal_width must be smaller than field_width";
  if (players_per_team < 1 || players_per_team > 11) return "players_per_team must lie between 1 and 11";
  if (half_time > 32'767.0) return "half_time does not fit the protocol's 16 bit seconds";
  return std::nullopt;
}

std::optional<Rules> Rules::preset(const std::string& name) {
  Rules rules;
  if (name == "kid_2025") return rules;
  rules.removal_time = 30.0;
  if (name == "kid_2020") return rules;
  if (name == "kid_2019") {
    rules.goal_height = 1.8;
    rules.border = 0.7;
    return rules;
  }
  if (name == "adult_2025") {
    rules = Rules{};
    rules.field_length = 14.0;
    rules.field_width = 9.0;
    rules.goal_height = 1.8;
    rules.penalty_area_length = 3.0;
    rules.penalty_area_width = 6.0;
    rules.penalty_mark_distance = 2.1;
    rules.centre_circle_radius = 1.5;
    rules.ball_radius = 0.1125;
    rules.players_per_team = 3;
    return rules;
  }
  return std::nullopt;
}

std::vector<std::string> Rules::preset_names() {
  return {"kid_2025", "kid_2020", "kid_2019", "adult_2025"};
}

}  // namespace hl_game_controller
