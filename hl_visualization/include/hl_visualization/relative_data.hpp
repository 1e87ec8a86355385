// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "hl_visualization/field_data.hpp"

namespace hl_visualization {

struct Point2 {
  double x = 0.0, y = 0.0;  // m; base_footprint: x ahead, y left
};

struct Segment2 {
  Point2 from, to;
};

struct SeenThing {
  Point2 at;
  double width = 0.0;  // m; 0 = unknown
  Side side = Side::Unknown;
  int number = -1;
  double confidence = 1.0;  // 0..1
};

/// Everything around the robot: as seen in the last picture, and as the model has filtered it.
struct RelativeData {
  // seen
  std::optional<Point2> ball;
  std::vector<SeenThing> obstacles;
  std::vector<Point2> posts;
  std::vector<Segment2> lines;
  std::vector<Point2> crossings;
  std::vector<Point2> line_points;
  double seen_age = -1.0;  // s since the last percept; -1 = never
  // filtered
  std::optional<BelievedBall> model_ball;
  std::vector<BelievedRobot> model_robots;
  // what the camera sees of the ground
  std::vector<Point2> field_of_view;
};

}  // namespace hl_visualization
