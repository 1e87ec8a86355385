// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_simulation/perception.hpp>
#include <hl_soccer/percepts.hpp>
#include <vector>

namespace hl_match {

/// What is painted on a robot.
struct Jersey {
  bool blue = false;  // otherwise red
  int number = 0;
};

/// The same look in the words of the cores: on the ground of base_footprint.
/// `jerseys` are those of all robots of the world; `map_turn` (rad) is the
/// world's heading in the team's map; `camera_height` (m) and `noise` (rad)
/// give the covariances.
hl_soccer::Percepts soccer_percepts(const hl_simulation::Percepts& seen, const std::vector<Jersey>& jerseys,
                                    double map_turn, const hl_description::Field& field, double camera_height,
                                    double noise);

/// Centre of the circle of known radius through three points of an arc; nothing
/// if they tell none.
std::optional<Eigen::Vector2d> circle_centre(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
                                             const Eigen::Vector2d& c, double radius);

}  // namespace hl_match
