// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hl_soccer/game.hpp"

namespace hl_behavior {

/// The body's states as far as the slots care.
enum class BodyClass : std::uint8_t {
  Ready,      // stands, takes orders
  Walking,    // its feet move by the walk
  Kicking,    // a kick has the legs
  Animating,  // an animation has the body, head included
  Down,       // falls, lies, gets up
  Removed,    // penalised or in somebody's hands
  Off         // no torque, starting, hardware problem, recorder
};
constexpr int kBodyClasses = 7;
BodyClass body_class(hl_soccer::BodyState state);

/// What the kick slot is about to do.
enum class KickStage : std::uint8_t {
  None,
  Pending,  // a standing kick that waits for the legs
  PendingDive,
  InWalk,     // a kick within a step
  Striking,   // ordered, can still be taken back
  Committed,  // past the point of no return
  Diving
};
constexpr int kKickStages = 7;

enum class LegOwner : std::uint8_t { Nobody, Move, Kick, Body };

enum class SlotRule : std::uint8_t {
  Run,   // its orders go out
  Wait,  // it stays, its orders are withheld
  Fail,  // what was ordered cannot be finished any more
  Clear  // it is aborted
};

/// The rule across the slots: who has the legs, and what each slot may do.
struct SlotRules {
  LegOwner legs = LegOwner::Nobody;
  SlotRule move = SlotRule::Wait, kick = SlotRule::Wait, head = SlotRule::Wait;
};
const SlotRules& slot_rules(BodyClass body, KickStage kick);

}  // namespace hl_behavior
