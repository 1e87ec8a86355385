// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "tune.hpp"

int main(int argc, char** argv) {
  CLI::App app("Looks in physics for better values. Ctrl-C saves, and the same command goes on.");
  app.require_subcommand(1);
  CLI::App* walking = app.add_subcommand(
      "walking",
      "parameters of walk and kick; what SPEC (as in share/hl_walking/tuning) does not name is as in --config");
  const auto tune_walk = hl_match::tune_walking(*walking);
  CLI::App* animation = app.add_subcommand(
      "animation",
      "values of an animation or protective pose that SPEC (as in share/hl_animation/tuning) names: 2.Knee in degrees, "
      "2.duration in s. Weights of SPEC's objective: stand, upright, high, balance, fast, gentle, limits, kick; of "
      "protective poses: head, hip, head_force, hip_force, limits");
  const auto tune_motion = hl_match::tune_animation(*animation);
  CLI11_PARSE(app, argc, argv);
  try {
    return walking->parsed() ? tune_walk() : tune_motion();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tune: %s\n", error.what());
    return 2;
  }
}
