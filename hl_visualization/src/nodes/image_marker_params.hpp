// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_node/parameter_table.hpp"
#include "hl_visualization/markings.hpp"

namespace hl_visualization {

struct ImageMarkerParams {
  bool ball = true, candidates = true, obstacles = true, goal_parts = true, goal = true, lines = true, regions = true;
  int jpeg_quality = 80;
  double patience = 0.25;

  MarkingSwitches shown() const { return {ball, candidates, obstacles, goal_parts, goal, lines, regions}; }
  std::optional<std::string> validate() const { return std::nullopt; }
};

inline const hl_node::ParameterTable<ImageMarkerParams>& image_marker_parameters() {
  using P = ImageMarkerParams;
  static const hl_node::ParameterTable<P> table = {
      {"draw.ball", &P::ball, "ball_in_image"},
      {"draw.candidates", &P::candidates, "balls_in_image"},
      {"draw.obstacles", &P::obstacles, "obstacles_in_image"},
      {"draw.goal_parts", &P::goal_parts, "goal_parts_in_image"},
      {"draw.goal", &P::goal, "goal_in_image"},
      {"draw.lines", &P::lines, "lines_in_image"},
      {"draw.regions", &P::regions, "regions_of_interest"},
      {"jpeg_quality", &P::jpeg_quality, 1, 100, "of camera/image_marked/compressed, %"},
      {"patience", &P::patience, 0.0, 2.0, "a picture waits so long for its messages, s", hl_node::Change::AtStart},
  };
  return table;
}

}  // namespace hl_visualization
