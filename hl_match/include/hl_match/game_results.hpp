// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "hl_match/game.hpp"

namespace hl_match {

/// Results of games in a file, one JSON object per line, so that statistics over many games may be interrupted: a game
/// that is there is not played again. Without a file it keeps nothing.
class GameResults {
 public:
  /// `kind` is what the games have in common (teams, times, tactics); results of another kind are left alone.
  /// Throws std::runtime_error with file and line if it holds something else.
  GameResults(std::string path, std::string kind);

  /// The game of this seed, without its timeline; nullptr if it was not played.
  const GameResult* find(std::uint64_t seed) const;
  void add(const GameResult& game);

 private:
  std::string path_, kind_;
  std::map<std::uint64_t, GameResult> games_;
};

}  // namespace hl_match
