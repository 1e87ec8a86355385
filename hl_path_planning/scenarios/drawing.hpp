// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios.hpp"

namespace hl_path_planning {

/// What a picture shows of a run of one of the scenarios, wherever it took place.
struct DrawnRun {
  std::string where;                       // "kinematic world", "physics"
  std::vector<std::vector<Pose2>> traces;  // of those who think, 10 places per s
  std::vector<Vector2d> others, planned;   // at the end: those who do not; the way ahead
  bool reached = false, contact = false;
  double time = 0.0;  // s
};

/// SVG, seen from above. They throw std::runtime_error if the file cannot be written.
void draw_world(const std::string& file, std::uint32_t seed, const hl_description::Field& field, const DrawnRun& run);
void draw_kick(const std::string& file, std::uint32_t seed, KickSide side, const hl_description::Field& field,
               const DrawnRun& run);
void draw_crossing(const std::string& file, std::uint32_t seed, const hl_description::Field& field,
                   const DrawnRun& run);

}  // namespace hl_path_planning
