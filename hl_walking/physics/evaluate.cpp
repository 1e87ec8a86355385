// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdio>

#include "evaluation.hpp"
#include "robots.hpp"

int main(int argc, char** argv) {
  hl_walking::EvaluationOptions options;
  std::string config;
  CLI::App cli("The walk's figures, measured in physics.");
  cli.add_option("--robot", options.robot, "minibot or darwin_op")->capture_default_str();
  cli.add_option("--config", config, "parameter file of the walk; else the robot's");
  cli.add_flag_callback(
         "--full",
         [&options] {
           const auto complete = hl_walking::EvaluationOptions::complete();
           options.runs = complete.runs;
           options.long_run = complete.long_run;
           options.run = complete.run;
         },
         "what the budgets are judged by: 10 runs; 600 s of random commands, 60 s of each disturbance")
      ->trigger_on_parse();
  cli.add_option("--runs", options.runs, "of each row")->capture_default_str()->check(CLI::PositiveNumber);
  cli.add_option("--long-run", options.long_run, "s of random commands")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  cli.add_option("--run", options.run, "s of each disturbance")->capture_default_str()->check(CLI::PositiveNumber);
  cli.add_option("--seed", options.first_seed, "the first")->capture_default_str()->check(CLI::PositiveNumber);
  CLI11_PARSE(cli, argc, argv);
  try {
    if (config.empty()) config = hl_walking::walk_config_of(options.robot);
    hl_walking::Laboratory laboratory(hl_walking::urdf_of(options.robot), hl_walking::robot_config_of(options.robot));
    return hl_walking::evaluate(options, laboratory, hl_walking::load_config(config)) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "evaluate: %s\n", e.what());
    return 2;
  }
}
