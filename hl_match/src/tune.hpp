// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <hl_simulation/tuner.hpp>
#include <string>

namespace hl_match {

// The words of `ros2 run hl_match tune`: each adds its options to `command` and returns what runs it, whose result is
// the exit code.
std::function<int()> tune_walking(CLI::App& command);
std::function<int()> tune_animation(CLI::App& command);

/// The weight of something in a specification's objective.
inline double weight(const hl_simulation::Values& objective, const std::string& name, double otherwise) {
  const auto found = objective.find(name);
  return found == objective.end() ? otherwise : found->second;
}

}  // namespace hl_match
