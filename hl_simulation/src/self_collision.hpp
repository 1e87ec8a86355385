// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hl_simulation/robot_spec.hpp"

namespace hl_simulation {

/// Pairs of links that can hit each other: all that are not neighbours in the tree and do not already overlap in the
/// zero and the walk-ready pose (there the simple shapes are too coarse, not the robot broken).
std::vector<std::pair<std::string, std::string>> find_self_collisions(const RobotSpec& spec);

}  // namespace hl_simulation
