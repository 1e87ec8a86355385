// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "hl_soccer/percepts.hpp"

namespace hl_vision {

/// Whether a pixel (blue, green, red) wears a team's colour: magenta or red, cyan or blue.
inline bool is_red_team(int b, int g, int r) {
  return r > 45 && r > 1.7 * g + 8 && r > 1.15 * b;
}
inline bool is_blue_team(int b, int g, int r) {
  return b > 45 && b > 1.6 * r + 8 && b > 1.25 * g;
}

/// The number (1..9) a robot wears: a white digit on a field in its team's colour, seen from about ahead. Nothing if
/// there is none, or if it cannot be told for sure. `box`: of the robot, inside the picture.
std::optional<int> read_number(const cv::Mat& bgr, const cv::Rect& box, hl_soccer::ObstacleKind team);

}  // namespace hl_vision
