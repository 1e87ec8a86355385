// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "hl_behavior/memory.hpp"

namespace hl_behavior {

/// How the ball is played.
struct KickOption {
  enum class Kind : std::uint8_t { Kick, SoftKick, Dribble };
  Kind kind = Kind::Kick;
  double direction = 0.0;  // rad, map
  double distance = 0.0;   // m, expected
  double gain = 0.0;       // expected, see `value_of`
  double goal_probability = 0.0;
  int receiver = 0;  // team mate nearest to where it will lie; 0 = none near
};

/// What a resting ball at `point` is worth: 1 = their goal, -1 = ours; better where we reach it first.
double value_of(const Vector2d& point, const Situation& situation, const TacticsParams& params);

/// The option with the largest expected gain over a grid of directions and strengths, with the measured spread of our
/// kicks, opponents in the way, lines and goals, and the time it takes to get behind the ball.
/// `direct`: a goal counts; `memory` keeps the choice until another is clearly better.
KickOption choose_kick(const Situation& situation, const TacticsParams& params, bool direct, Memory& memory);

}  // namespace hl_behavior
