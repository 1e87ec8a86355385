// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_simulation/world_spec.hpp"

namespace hl_simulation {

/// The physics knows only shapes that collide; pictures show only shapes that are seen. Joints and their order are the
/// same, so positions of one fit the other.
enum class Detail { Physics, Pictures };

/// The world as MuJoCo's XML. Names of robot parts are "<robot>/<link or joint>"; sensors "<robot>/gyro",
/// "<robot>/accelerometer", "<robot>/orientation"; cameras "<robot>/camera".
std::string to_mjcf(const WorldSpec& world, Detail detail = Detail::Physics);

}  // namespace hl_simulation
