// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/field.hpp>
#include <hl_description/geometry.hpp>
#include <string>
#include <vector>

namespace hl_localization {

/// Where somebody believed the robot to be, over time.
struct Track {
  struct Point {
    double time = 0.0;           // s
    hl_description::Pose2 pose;  // map
    bool sure = true;
  };
  std::string name, colour;  // of SVG
  std::vector<Point> points;
};

/// The field from above with the tracks over it, as SVG; unsure parts are dashed, jumps are not drawn through. `words`
/// stands below.
std::string picture_of(const hl_description::Field& field, const std::vector<Track>& tracks, const std::string& words);

}  // namespace hl_localization
