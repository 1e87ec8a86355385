// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frame.hpp"

namespace hl_vision {

inline constexpr double kPaintWobble = 0.015;  // m, how well the place of a line is known

enum class Ground { Paint, Turf, Hidden, Outside };

/// Whether a place lies on a line that runs along `direction`, within `off` (m) to either side: brighter than the
/// ground beside it. What is white and broader is something that stands there.
Ground ground_at(const Frame& frame, const Eigen::Vector2d& place, const Eigen::Vector2d& direction,
                 double off = kPaintWobble);

}  // namespace hl_vision
