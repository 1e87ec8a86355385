// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_simulation/renderer.hpp"
#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// What is to be seen in a robot's picture, as one entry of a labels.yaml: camera, ball, posts, robots, lines,
/// crossings, circle, people and poles, the own body. `segments` is of the same moment; hidden things are left out.
std::string labels_of(const Simulation& simulation, std::size_t robot, const Renderer::Segments& segments,
                      const std::string& file);

}  // namespace hl_simulation
