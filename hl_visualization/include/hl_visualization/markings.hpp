// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hl_visualization {

/// The kinds of things a detector finds in a picture, each switched on and off by itself.
enum class MarkingKind : std::uint8_t { Ball, Candidates, Obstacles, GoalParts, Goal, Lines, Regions };
constexpr std::size_t kMarkingKinds = 7;
constexpr std::array<const char*, kMarkingKinds> kMarkingNames = {"ball", "candidates", "obstacles", "goal_parts",
                                                                  "goal", "lines",      "regions"};

struct Pixel {
  double x = 0.0, y = 0.0;  // px
};

struct CircleMark {
  Pixel centre;
  double diameter = 0.0;  // px
  double confidence = 0.0;
};

struct BoxMark {
  Pixel top_left;
  double width = 0.0, height = 0.0;  // px
  std::uint8_t color = 0;            // of ObstacleInImage
  int number = -1;                   // -1 = unknown
  double confidence = 0.0;
};

struct LineMark {
  Pixel from, to;
  double width = 0.0;  // px; 0 = unknown
  double confidence = 0.0;
};

struct CrossingMark {
  Pixel at;
  char type = '?';  // L, T, X
};

struct ArcMark {
  Pixel left, middle, right;
};

/// What was found in one picture.
struct Markings {
  std::vector<CircleMark> balls;  // the chosen one: at most one
  std::vector<CircleMark> candidates;
  std::vector<BoxMark> obstacles;
  std::vector<LineMark> posts, bars;  // goal parts
  std::vector<LineMark> goal_posts;   // put together to a goal
  std::vector<Pixel> goal_centre;     // at most one
  std::vector<LineMark> lines;
  std::vector<CrossingMark> crossings;
  std::vector<ArcMark> arcs;
  std::vector<BoxMark> regions;  // of interest

  /// Takes over the parts of one kind.
  void take(MarkingKind kind, const Markings& other);
};

using MarkingSwitches = std::array<bool, kMarkingKinds>;
constexpr MarkingSwitches kAllMarkings = {true, true, true, true, true, true, true};

}  // namespace hl_visualization
