// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking evaluate [--robot NAME] [--config FILE] [--full] [--runs N] [--long-run S] [--run S] [--seed N]:
// the walk's figures, measured in physics.
#include <cstdio>
#include <cstdlib>

#include "evaluation.hpp"
#include "robots.hpp"

namespace {

/// A whole number of at least 1, or nothing.
int positive(const char* text) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  return *end == '\0' && value > 0 && value <= 1'000'000 ? static_cast<int>(value) : 0;
}

int usage(const char* program) {
  std::fprintf(stderr,
               "usage: %s [--robot minibot|darwin_op] [--config FILE] [--full] [--runs N] [--long-run S] [--run S] "
               "[--seed N]\n"
               "--full: what the budgets are judged by (10 runs; 600 s of random commands, 60 s of each disturbance)\n",
               program);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  hl_walking::EvaluationOptions options;
  std::string config;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--full") {
      const auto given = options;
      options = hl_walking::EvaluationOptions::complete();
      options.robot = given.robot;
      options.first_seed = given.first_seed;
      continue;
    }
    if (argument == "--help") {
      usage(argv[0]);
      return 0;
    }
    if (++i >= argc) return usage(argv[0]);
    if (argument == "--robot") {
      options.robot = argv[i];
      continue;
    }
    if (argument == "--config") {
      config = argv[i];
      continue;
    }
    const int number = positive(argv[i]);
    if (number == 0) return usage(argv[0]);
    if (argument == "--runs") {
      options.runs = number;
    } else if (argument == "--long-run") {
      options.long_run = number;
    } else if (argument == "--run") {
      options.run = number;
    } else if (argument == "--seed") {
      options.first_seed = static_cast<std::uint64_t>(number);
    } else {
      return usage(argv[0]);
    }
  }
  try {
    if (config.empty()) config = hl_walking::walk_config_of(options.robot);
    hl_walking::Laboratory laboratory(hl_walking::urdf_of(options.robot), hl_walking::robot_config_of(options.robot));
    return hl_walking::evaluate(options, laboratory, hl_walking::load_config(config)) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "evaluate: %s\n", e.what());
    return 2;
  }
}
