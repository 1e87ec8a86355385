// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "hl_vision/ball_network.hpp"

namespace hl_vision {

/// The option every tool has that looks for balls.
inline void add_weights(CLI::App& app, std::string& file) {
  file = HL_VISION_WEIGHTS;
  app.add_option("--weights", file, "ball network, as train_ball writes it")->capture_default_str();
}

}  // namespace hl_vision
