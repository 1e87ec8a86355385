// SPDX-License-Identifier: Apache-2.0
#include "hl_match/evaluations.hpp"

namespace hl_match {

std::vector<Figure> evaluate_behavior(EvaluationContext& context) {
  const auto& games = context.games();
  const auto teams =
      sum_of(games, [](const auto& g) { return g.strikers[0] + g.strikers[1] + g.strikers[2] + g.strikers[3]; });
  std::vector<Figure> figures{
      mean_of("goals", per_game(games, [](const auto& g) { return static_cast<double>(g.goals[0] + g.goals[1]); }),
              "per game"),
      mean_of("kicks", per_game(games, [](const auto& g) { return static_cast<double>(g.kicks); }), "per game"),
      mean_of("kicks that failed", per_game(games, [](const auto& g) { return static_cast<double>(g.failed_kicks); }),
              "per game"),
      mean_of("removals", per_game(games, [](const auto& g) { return static_cast<double>(g.penalties); }), "per game"),
      mean_of("broken invariants", per_game(games, [](const auto& g) { return static_cast<double>(g.failures); }),
              "per game")};
  figures.push_back(
      share_of("games with a goal",
               sum_of(games, [](const auto& g) { return static_cast<std::size_t>(g.goals[0] + g.goals[1] > 0); }),
               games.size()));
  const char* kNames[] = {"time of a team without a striker", "with one striker", "with two strikers", "with more"};
  for (std::size_t i = 0; i < 4; ++i)
    figures.push_back(share_of(kNames[i], sum_of(games, [&](const auto& g) { return g.strikers[i]; }), teams));
  return figures;
}

}  // namespace hl_match
