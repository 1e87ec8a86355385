// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_hcm/joints.hpp"
#include "hl_hcm/state_machine.hpp"

namespace hl_hcm {

/// Who moves the body in this state.
Source body_source(State state);
/// Whether the head may be moved by its own source.
bool head_is_free(State state);
/// The robot may have one foot in the air.
bool on_one_foot(State state);
/// Factor by which the fall limits are wider, because the motion itself tilts the trunk; 1 = it does not.
double lean_of(State state);
/// What keeps the robot from being controllable, in words; empty = nothing.
const char* advice_for(State state);

}  // namespace hl_hcm
