// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "frame.hpp"
#include "hl_vision/in_image.hpp"

namespace hl_vision {

struct GoalParts {
  std::vector<PostInImage> posts;
  std::vector<BarInImage> bars;
};

/// Bright upright bars of a post's width that stand on the field and rise above its border.
GoalParts find_goal_parts(const Frame& frame);
/// The most likely goal among the posts.
std::optional<GoalInImage> find_goal(const Frame& frame, const GoalParts& parts);

}  // namespace hl_vision
