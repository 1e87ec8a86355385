// SPDX-License-Identifier: Apache-2.0
// Pictures of runs in the kinematic world.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "drawing.hpp"

using namespace hl_path_planning;

namespace {

DrawnRun run_of(const KinematicWorld& world, const Trial& trial) {
  DrawnRun run;
  run.where = "kinematic world";
  for (const auto& player : world.players) run.traces.push_back(player.trace);
  for (const Walker& walker : world.walkers) run.others.push_back(walker.position);
  run.planned = world.players.front().planned;
  run.reached = trial.reached;
  run.contact = trial.contacts > 0;
  run.time = trial.time;
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Draws three runs of the kinematic world as SVG"};
  std::string folder = ".";
  std::uint32_t seed = 10000;
  app.add_option("folder", folder, "where world.svg, kick.svg and crossing.svg are written");
  app.add_option("--seed", seed, "of the three runs");
  CLI11_PARSE(app, argc, argv);
  try {
    KinematicWorld world, kick, crossing;
    const Trial one = run_random_world(seed, Params(), &world);
    draw_world(folder + "/world.svg", seed, world.field, run_of(world, one));
    const Trial two = run_kick(seed, KickSide::Worst, Params(), &kick);
    draw_kick(folder + "/kick.svg", seed, KickSide::Worst, kick.field, run_of(kick, two));
    const Trial three = run_crossing(seed, Params(), &crossing);
    draw_crossing(folder + "/crossing.svg", seed, crossing.field, run_of(crossing, three));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "draw: %s\n", e.what());
    return 1;
  }
  return 0;
}
