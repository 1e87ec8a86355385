// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_simulation/film.hpp>
#include <optional>
#include <string>

#include "hl_match/match.hpp"

namespace hl_match {

/// A match in physics as a spectator sees it who follows the ball.
class MatchFilm {
 public:
  /// `from`: s of simulated time at which the film begins.
  MatchFilm(std::string path, double from) : path_(std::move(path)), next_(from) {}

  /// After every tick. Throws std::runtime_error if it cannot be drawn or written.
  void look(const Match& match);

 private:
  std::string path_;
  double next_;  // s
  std::optional<hl_simulation::Renderer> renderer_;
  std::optional<hl_simulation::VideoFile> file_;
  std::optional<hl_simulation::Spectator> spectator_;
  hl_simulation::Image image_;
};

}  // namespace hl_match
