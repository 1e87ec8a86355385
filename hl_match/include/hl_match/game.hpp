// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hl_match/match.hpp"

namespace hl_match {

/// One game of two halves, as `match` and the evaluations play it.
struct GameOptions {
  int teams = 2;                                       // robots per team
  double half_time = 600.0, ready_time = 45.0;         // s
  double until = 0.0;                                  // s of simulated time to stop at; 0 = play to the end
  int player_threads = 1;                              // for the players of the game
  std::array<std::string, 2> tactics{"ours", "ours"};  // as `minds_of`
  std::function<void(const Match& match)> watch;       // after every tick
  bool change_sides = false;  // the second tactic begins on the left and has the first kick-off
};

/// What became of it; index 0 and 1 are the tactics of the options, wherever they played.
struct GameResult {
  std::uint64_t seed = 0;
  std::array<int, 2> score{};
  std::array<std::size_t, 2> falls{}, kicks{}, shots{}, penalties{};
  std::array<double, 2> possession{};  // s
  std::size_t failures = 0, warnings = 0;
  double simulated = 0.0, cpu = 0.0;  // s
  bool finished = false;
  std::vector<Event> broken;    // invariants of highest severity
  std::vector<Event> timeline;  // all that happened
};

/// Plays it in this thread. `world` gives robot, field and motion.
GameResult play_game(Match::Params world, const GameOptions& options, std::uint64_t seed);

}  // namespace hl_match
