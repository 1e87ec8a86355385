// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "trial.hpp"

namespace hl_walking {

/// How much is measured; the figures of the budgets need `complete()`.
struct EvaluationOptions {
  std::string robot = "minibot";
  int runs = 2;                     // of each row; half as many of each speed, twice as many kicks
  int long_run = 20;                // s of random commands
  int run = 15;                     // s of each of the other disturbances
  std::uint64_t first_seed = 3000;  // and up; seeds below 1000 belong to the tuner

  static EvaluationOptions complete() {
    EvaluationOptions options;
    options.runs = 10;
    options.long_run = 600;
    options.run = 60;
    return options;
  }
};

/// Measures the walk's and the kick's figures in physics and prints them as a table beside their budgets, which bind
/// the Minibot alone. Returns whether all that bind were met.
bool evaluate(const EvaluationOptions& options, Laboratory& laboratory, const WalkConfig& config);

}  // namespace hl_walking
