// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "trial.hpp"

namespace hl_walking {

struct EvaluationOptions {
  std::string robot = "minibot";
  bool full = false;                // ten runs of each row instead of two, ten minutes of random commands
  std::uint64_t first_seed = 3000;  // and up; seeds below 1000 belong to the tuner
};

/// Measures the walk's and the kick's figures in physics and prints them as a table beside their budgets, which bind
/// the Minibot alone. Returns whether all that bind were met.
bool evaluate(const EvaluationOptions& options, Laboratory& laboratory, const WalkConfig& config);

}  // namespace hl_walking
