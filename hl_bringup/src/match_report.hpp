// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <hl_description/field.hpp>
#include <string>
#include <vector>

#include "match_judge.hpp"
#include "match_statistics.hpp"

namespace hl_bringup {

/// CPU of one process over the game.
struct ProcessCost {
  std::string name;
  double cpu = 0.0;  // s
};

/// All that the report of a game tells.
struct MatchRecord {
  std::string title, eyes;  // what is played; who sees how
  std::array<int, 2> score{};
  double simulated = 0.0, real = 0.0;  // s, from the referee's start to the end
  std::vector<MatchEvent> events;
  std::vector<std::string> lying;  // robots that lay at the end
  std::vector<ProcessCost> processes;
};

/// Where `cut_film` puts the film strip.
inline constexpr const char* kStripPlace = "<!-- film strip -->";

/// One HTML page that needs nothing else: no script, no network.
std::string match_report(const MatchRecord& record, const MatchStatistics& statistics, const MatchJudge& judge,
                         const hl_description::Field& field);

}  // namespace hl_bringup
