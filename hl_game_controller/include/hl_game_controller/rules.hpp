// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/field.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hl_game_controller {

/// Times, distances and the field of one rule book. Lengths in m, times in s.
struct Rules {
  hl_description::Field field;  // outer edges of the lines

  // Course of the game.
  int players_per_team = 4;
  double half_time = 600.0;
  double break_time = 300.0;
  double initial_time = 5.0;  // last part of the break: robots stand where their new half begins, INITIAL is told
  double ready_time = 45.0;
  double set_time = 5.0;        // how long robots stand in SET before the whistle
  double kick_off_time = 10.0;  // ball is in play after this even if nobody kicked
  double timeout = 120.0;
  bool knock_out = false;  // a draw leads to extra time and a shoot-out
  double extra_half_time = 300.0;
  int shoot_out_shots = 5;
  double shoot_out_set_time = 15.0;
  double shoot_out_trial_time = 60.0;

  // Set plays.
  double called_time = 5.0;  // robots stop, the ball is placed
  double prepare_time = 30.0;
  double prepare_guaranteed = 15.0;  // opponents have this long to get away, even if the kicker is ready
  double execute_time = 10.0;
  double opponent_distance = 0.75;  // from the ball, until it is in play
  double ball_moved = 0.05;         // the ball is in play when it moved this far

  // Removal.
  double removal_time = 10.0;
  double fallen_limit = 20.0;
  double outside_limit = 20.0;
  double pushing_limit = 1.0;      // contact of two opponents that lasts longer is pushing
  double pushing_free_kick = 1.0;  // ball nearer than this: free kick as well
  double stuck_limit = 120.0;      // ball has not moved by `ball_moved`: dropped ball

  std::optional<std::string> validate() const;

  /// "kid_2025" (default), "kid_2020", "kid_2019", "adult_2025"; nothing for any other name. The sizes of the field
  /// come from `field_file` (field.yaml); throws hl_description::ModelError if that has no such field.
  static std::optional<Rules> preset(const std::string& name, const std::string& field_file);
  static std::vector<std::string> preset_names();
};

}  // namespace hl_game_controller
