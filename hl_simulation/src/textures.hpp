// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mujoco/mujoco.h>

#include "hl_simulation/world_spec.hpp"

namespace hl_simulation {

/// Paints turf with lines and the ball's pattern into the textures "field" and "ball" of a model.
void paint_textures(mjModel& model, const WorldSpec& world);

}  // namespace hl_simulation
