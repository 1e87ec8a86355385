// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_walking/kick.hpp"
#include "hl_walking/odometry.hpp"
#include "hl_walking/params.hpp"

namespace hl_walking {

/// The parameter sets of one robot's walk, as in config/<robot>.yaml.
struct WalkConfig {
  Params walk;
  Odometry::Params odometry;
  Kick::Params kick;

  static const hl_node::ParameterTable<WalkConfig>& parameters();

  /// Sets one value by the node's name for it (`foot_lift`, `kick.lift`, `odometry.scale_turn`); false if there is
  /// none.
  bool set(const std::string& name, double value);
};

/// Reads a parameter file of the node; what is not in it stays at its default. Throws std::runtime_error with file,
/// line and remedy.
WalkConfig load_config(const std::string& path);

/// A parameter file of the node with every value and its meaning; `comment` goes on top.
std::string config_text(const WalkConfig& config, const std::string& comment);

}  // namespace hl_walking
