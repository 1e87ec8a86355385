// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hl_behavior/decision.hpp"
#include "hl_behavior/situation.hpp"

namespace hl_behavior {

/// What a decision leaves for the next one: hysteresis and clocks. Tactics itself keeps nothing.
struct Memory {
  // roles
  Role role = Role::Idling;
  bool striker = false;
  std::uint8_t yielded_to = 0;   // number of the striker it yielded to, while that one goes on claiming; 0 = nobody
  std::uint8_t yields = 0;       // how often to that one
  double conflict_since = -1.0;  // s; negative = none
  double vacant_since = -1.0;
  double yielded_at = -1e9;
  // knowledge
  double pose_lost_since = -1.0;
  double search_since = -1.0;         // s, begun or begun anew at a place of the patrol; negative = does not search
  std::optional<Vector2d> last_ball;  // map
  double last_ball_side = 1.0;        // sign of its y in base_footprint
  // the row's clock: where the ball lay when the set play or kick-off began
  int row = -1;
  double row_since = 0.0;
  std::optional<Vector2d> placed_ball;
  bool in_play = false;
  hl_soccer::GamePhase phase = hl_soccer::GamePhase::Initial;
  hl_soccer::SetPlay set_play = hl_soccer::SetPlay::None;
  // moves
  std::optional<Pose2> target;
  std::optional<double> kick_direction;
  int kick_option = -1;
  bool kicking = false;
  int patrol = 0;
  double shot_since = -1.0;  // s, a ball comes to the own goal; negative = none does
  double open_side = 1.0;    // where the supporter stands: +1 left of the ball
  double said_at = -1e9;
};

}  // namespace hl_behavior
