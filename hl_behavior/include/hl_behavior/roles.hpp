// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_behavior/memory.hpp"

namespace hl_behavior {

/// Who does what, decided by every robot alone from what it knows; `memory` is updated.
/// The striker is who reaches the ball first. A striker yields only to somebody who claims to be one and is better, so
/// that a lost message leaves two for a moment rather than none.
Role choose_role(const Situation& situation, const TacticsParams& params, Memory& memory, Reasons& reasons);

}  // namespace hl_behavior
