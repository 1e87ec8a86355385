// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mujoco/mujoco.h>

#include "hl_simulation/world_spec.hpp"

namespace hl_simulation {

/// Sets the lights "main", "spot_left", "spot_right" and the ambient light of a model.
void light(mjModel& model, Lighting lighting);

}  // namespace hl_simulation
