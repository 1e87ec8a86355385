// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hl_game_controller/referee.hpp"

namespace hl_game_controller {

/// One event as one line of JSON, without the line break.
std::string json_line(const GameEvent& event);

/// Counts events and writes the report at the end of a game.
class GameReport {
 public:
  void add(const GameEvent& event) { events_.push_back(event); }

  /// Result, goals with their time, penalties and set plays per team, as Markdown.
  std::string text(const Referee& referee) const;

 private:
  std::vector<GameEvent> events_;
};

}  // namespace hl_game_controller
