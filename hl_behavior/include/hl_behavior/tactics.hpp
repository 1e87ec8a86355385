// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_behavior/decision.hpp"
#include "hl_behavior/memory.hpp"
#include "hl_behavior/rows.hpp"

namespace hl_behavior {

/// What to do now: a pure function of the situation and of what the last decision left in `memory`, which becomes
/// what this one leaves.
Decision decide(const Situation& situation, const TacticsParams& params, Memory& memory);

}  // namespace hl_behavior
