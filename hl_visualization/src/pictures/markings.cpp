// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/markings.hpp"

namespace hl_visualization {

void Markings::take(MarkingKind kind, const Markings& other) {
  switch (kind) {
    case MarkingKind::Ball:
      balls = other.balls;
      break;
    case MarkingKind::Candidates:
      candidates = other.candidates;
      break;
    case MarkingKind::Obstacles:
      obstacles = other.obstacles;
      break;
    case MarkingKind::GoalParts:
      posts = other.posts;
      bars = other.bars;
      break;
    case MarkingKind::Goal:
      goal_posts = other.goal_posts;
      goal_centre = other.goal_centre;
      break;
    case MarkingKind::Lines:
      lines = other.lines;
      crossings = other.crossings;
      arcs = other.arcs;
      break;
    case MarkingKind::Regions:
      regions = other.regions;
      break;
  }
}

}  // namespace hl_visualization
