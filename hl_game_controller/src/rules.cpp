// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/rules.hpp"

#include <cmath>
#include <utility>

namespace hl_game_controller {

std::optional<std::string> Rules::validate() const {
  const std::vector<std::pair<const char*, double>> positive{{"field.length", field.length},
                                                             {"field.width", field.width},
                                                             {"field.goal_width", field.goal_width},
                                                             {"field.goal_height", field.goal_height},
                                                             {"field.ball_radius", field.ball_radius},
                                                             {"half_time", half_time},
                                                             {"initial_time", initial_time},
                                                             {"ready_time", ready_time},
                                                             {"set_time", set_time},
                                                             {"kick_off_time", kick_off_time},
                                                             {"called_time", called_time},
                                                             {"prepare_time", prepare_time},
                                                             {"execute_time", execute_time},
                                                             {"removal_time", removal_time},
                                                             {"fallen_limit", fallen_limit},
                                                             {"outside_limit", outside_limit},
                                                             {"pushing_limit", pushing_limit},
                                                             {"stuck_limit", stuck_limit},
                                                             {"break_time", break_time},
                                                             {"shoot_out_trial_time", shoot_out_trial_time}};
  for (const auto& [name, value] : positive) {
    if (!(value > 0.0) || !std::isfinite(value)) return std::string(name) + " must be positive";
  }
  if (field.goal_width >= field.width) return "field.goal_width must be smaller than field.width";
  if (players_per_team < 1 || players_per_team > 11) return "players_per_team must lie between 1 and 11";
  if (half_time > 32'767.0) return "half_time does not fit the protocol's 16 bit seconds";
  return std::nullopt;
}

std::optional<Rules> Rules::preset(const std::string& name, const std::string& field_file) {
  Rules rules;
  std::string field_name = name;
  if (name == "kid_2020" || name == "kid_2019") {
    rules.removal_time = 30.0;
  } else if (name == "adult_2025") {
    rules.players_per_team = 3;
  } else if (name == "kid_2025") {
    field_name = "kid_2020";  // it has not changed since
  } else {
    return std::nullopt;
  }
  rules.field = hl_description::Field::from_file(field_file, field_name);
  return rules;
}

std::vector<std::string> Rules::preset_names() {
  return {"kid_2025", "kid_2020", "kid_2019", "adult_2025"};
}

}  // namespace hl_game_controller
