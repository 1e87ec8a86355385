// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frame.hpp"
#include "hl_soccer/percepts.hpp"

namespace hl_vision {

/// Whose colour something that stands on the ground wears: magenta or red, cyan or blue. Robots wear it as a patch on
/// trunk, head or limbs; what goes down to the ground in one colour, or is larger than a patch, is cloth, a bag or the
/// wall behind. `box`: down to the foot; `scale`: px per m there.
hl_soccer::ObstacleKind team_colour(const Frame& frame, const cv::Rect& box, double scale);

}  // namespace hl_vision
