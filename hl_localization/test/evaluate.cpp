// SPDX-License-Identifier: Apache-2.0
// Judges the localisation in a world without physics: one row for each figure, with seeds and trials.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "evaluation.hpp"

namespace {

using namespace hl_localization;
using namespace hl_localization::evaluation;

void print(const char* name, const WalkResult& r) {
  std::printf("%-34s %5.2f m %5.1f deg | %5.2f m %5.1f deg | inside %4.1f %% | flips %d | %zu moments\n", name,
              r.place.median, r.heading.median * 180.0 / M_PI, r.place.p95, r.heading.p95 * 180.0 / M_PI,
              100.0 * r.inside, r.flips, r.count);
  std::fflush(stdout);
}

void print(const char* name, const std::vector<double>& times) {
  const Percentiles p = percentiles(times);
  int five = 0;
  for (const double t : times) five += t <= 5.0 ? 1 : 0;
  std::printf("%-34s median %5.1f s | 95 %% %5.1f s | within 5 s %4.1f %% | %zu runs\n", name, p.median, p.p95,
              100.0 * five / static_cast<double>(times.size()), times.size());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Judges the localisation in a world without physics");
  std::uint64_t seed = 1;
  int runs = 20;
  double minutes = 5.0;
  app.add_option("--seed", seed, "first seed; from 10000 on to judge")->capture_default_str();
  app.add_option("--runs", runs, "walks; the other scenarios take five times as many")->capture_default_str();
  app.add_option("--minutes", minutes, "of each walk")->capture_default_str();
  double mount_error = 0.0;
  app.add_option("--mount-error", mount_error, "degrees, standard deviation: how wrong the cameras are mounted")
      ->check(CLI::Range(0.0, 10.0));
  CLI11_PARSE(app, argc, argv);
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(seed));
  Scenario setup;
  setup.world.mount_error = mount_error * M_PI / 180.0;
  const double seconds = 60.0 * minutes;
  print("walking about", walk_about(setup, seed, runs, seconds));
  Scenario without = setup;
  without.world.compass = false;
  print("  without compass", walk_about(without, seed, runs, seconds));
  Scenario cluttered = setup;
  cluttered.world.false_share = 0.2;
  print("  20 % false", walk_about(cluttered, seed, runs, seconds));
  Scenario baseline = setup;
  baseline.method = Method::OdometryOnly;
  print("  odometry alone", walk_about(baseline, seed, runs, seconds));
  baseline.method = Method::TwoLandmarks;
  print("  two landmarks, closed form", walk_about(baseline, seed, runs, seconds));
  print("unknown in the own half", until_found(setup, Surprise::Unknown, seed, 5 * runs));
  print("carried elsewhere", until_found(setup, Surprise::Carried, seed, 5 * runs));
  print("re-entry", until_found(setup, Surprise::Reentry, seed, 5 * runs));
  print("fall and getting up", until_found(setup, Surprise::Fall, seed, 5 * runs));
}
