// SPDX-License-Identifier: Apache-2.0
// Judges the models in a world without physics: one row for each figure, with seeds and trials.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "evaluation.hpp"

int main(int argc, char** argv) {
  using namespace hl_world_model::evaluation;
  CLI::App app("Judges the world model in a world without physics");
  std::uint64_t seed = 1;
  int runs = 100;
  app.add_option("--seed", seed, "first seed; from 10000 on to judge")->capture_default_str();
  app.add_option("--runs", runs, "of each scenario")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::printf("seeds from %llu, %d runs each\n", static_cast<unsigned long long>(seed), runs);
  const Scenario usual;
  const auto row = [](const char* name, double value, const char* unit) {
    std::printf("%-56s %6.3f %s\n", name, value, unit);
    std::fflush(stdout);
  };
  const Walking walk = walking(usual, seed, runs);
  row("ball while walking, within 2 m, median", walk.near, "m");
  row("ball while walking, 2 to 4 m, median", walk.far, "m");
  row("robots while walking, within 3 m, median", walk.robots, "m");
  row("velocity 0.6 s after the kick, at 1.5 m, median", velocity_after_kick(usual, 1.5, seed, runs), "m/s");
  row("velocity 0.6 s after the kick, at 3 m, median", velocity_after_kick(usual, 3.0, seed, runs), "m/s");
  row("time of crossing the goal line, median error", crossing_time(usual, seed, runs), "s");
  row("a ball that is gone is forgotten within, worst", forgetting(usual, seed, runs), "s");
  row("velocity of a resting ball at 4 m, rms", false_velocity(usual, seed, runs), "m/s");
  row("ball from the team only, median", ball_from_team(seed, runs), "m");
  std::printf("\n%-28s %22s %22s %20s\n", "delay, jitter, loss", "near: with / without", "far: with / without",
              "robots: with / without");
  for (const auto& [delay, jitter, loss] :
       {std::tuple(0.0, 0.0, 0.0), std::tuple(0.03, 0.0, 0.0), std::tuple(0.06, 0.03, 0.0), std::tuple(0.12, 0.0, 0.0),
        std::tuple(0.12, 0.06, 0.1), std::tuple(0.12, 0.1, 0.3)}) {
    Scenario late;
    late.delay = delay;
    late.jitter = jitter;
    late.loss = loss;
    const Walking with = walking(late, seed, std::max(1, runs / 5));
    late.compensated = false;
    const Walking without = walking(late, seed, std::max(1, runs / 5));
    std::printf("%4.0f ms, %3.0f ms, %3.0f %%        %10.3f / %.3f m %12.3f / %.3f m %10.3f / %.3f m\n", 1e3 * delay,
                1e3 * jitter, 100 * loss, with.near, without.near, with.far, without.far, with.robots, without.robots);
    std::fflush(stdout);
  }
  std::printf("\nball from the team: delay, loss: with / without compensation\n");
  for (const auto& [delay, loss] : {std::pair(0.05, 0.0), std::pair(0.2, 0.2), std::pair(0.5, 0.3)}) {
    std::printf("%4.0f ms, %3.0f %%  %.3f / %.3f m\n", 1e3 * delay, 100 * loss,
                ball_from_team(seed, runs, delay, loss, true), ball_from_team(seed, runs, delay, loss, false));
  }
}
