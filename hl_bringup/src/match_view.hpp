// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace hl_bringup {

/// One robot of a game, as the simulator's truth shows it; world frame.
struct SeenPlayer {
  std::string name;                    // its namespace
  int team = 0, player = 0;            // numbers
  double x = 0.0, y = 0.0, yaw = 0.0;  // m, m, rad
  double speed = 0.0;                  // m/s over the ground
  bool upright = true, held = false;
  bool down_on_purpose = false;  // its HCM plays an animation: a keeper's dive is no fall
};

/// A game at one moment, from the simulator's truth.
struct MatchView {
  double time = 0.0;                                                // s, simulated
  double ball_x = 0.0, ball_y = 0.0, ball_vx = 0.0, ball_vy = 0.0;  // m, m/s
  std::string ball_touched_by;                                      // who touched it last; empty = nobody
  std::vector<SeenPlayer> players;
};

/// What the referee decided, as in its log.
struct RefereeWord {
  double time = 0.0;  // s
  std::string kind;   // state, goal, set_play, penalty, release, half, foul, result, command
  int team = 0, player = 0;
  std::string text;
};

/// Something worth a line.
struct MatchEvent {
  double time = 0.0;  // s
  std::string kind;   // kick-off, ball, shot, fall, up, penalty, goal, ...
  int team = 0;       // number, 0 = concerns none
  std::string who;    // robot; empty = none
  std::string text;   // for people, complete
};

/// Names of the two teams by number.
inline std::string team_name(int team) {
  return team == 1 ? "blue" : team == 2 ? "red" : "nobody";
}

}  // namespace hl_bringup
