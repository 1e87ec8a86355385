// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking evaluate [--robot NAME] [--config FILE] [--full] [--seed N]: the walk's figures, measured in
// physics.
#include <cstdio>
#include <cstdlib>

#include "evaluation.hpp"
#include "robots.hpp"

int main(int argc, char** argv) {
  hl_walking::EvaluationOptions options;
  std::string config;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--full") {
      options.full = true;
    } else if (argument == "--robot" && i + 1 < argc) {
      options.robot = argv[++i];
    } else if (argument == "--config" && i + 1 < argc) {
      config = argv[++i];
    } else if (argument == "--seed" && i + 1 < argc) {
      options.first_seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      std::fprintf(stderr, "usage: %s [--robot minibot|darwin_op] [--config FILE] [--full] [--seed N]\n", argv[0]);
      return 2;
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
