// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "frame.hpp"
#include "hl_vision/in_image.hpp"

namespace hl_vision {

/// Things that stand on the field: neither field nor line, wider and taller than paint; with the colour of a team if
/// they wear one. Known balls, posts and lines are left out.
std::vector<ObstacleInImage> find_obstacles(const Frame& frame, const std::vector<BallInImage>& balls,
                                            const std::vector<PostInImage>& posts,
                                            const std::vector<SegmentInImage>& lines,
                                            const std::vector<CircleInImage>& circles);

}  // namespace hl_vision
