// SPDX-License-Identifier: Apache-2.0
// Figures of planning in the kinematic world: no physics, hence seconds instead of hours.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "scenarios.hpp"

using namespace hl_path_planning;

namespace {

/// 95 % interval of a share (Wilson).
void print_share(const char* name, std::size_t hits, std::size_t n) {
  const double z = 1.96, count = static_cast<double>(n), p = static_cast<double>(hits) / count;
  const double middle = (p + z * z / (2.0 * count)) / (1.0 + z * z / count);
  const double half = z * std::sqrt(p * (1.0 - p) / count + z * z / (4.0 * count * count)) / (1.0 + z * z / count);
  std::printf("  %-34s %zu of %zu (%.1f %%, 95 %%: %.1f..%.1f)\n", name, hits, n, 100.0 * p, 100.0 * (middle - half),
              100.0 * (middle + half));
}

/// Quantile with the order statistics that hold it with 95 %.
void print_quantile(const char* name, std::vector<double> values, double q, const char* unit, double scale = 1.0) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size()), spread = 1.96 * std::sqrt(n * q * (1.0 - q));
  const auto at = [&](double index) {
    return scale * values[static_cast<std::size_t>(std::clamp(index, 0.0, n - 1.0))];
  };
  std::printf("  %-34s %.2f %s (95 %%: %.2f..%.2f)\n", name, at(q * n), unit, at(q * n - spread), at(q * n + spread));
}

void report(const char* title, std::uint32_t seed, std::size_t runs, bool verbose,
            const std::function<Trial(std::uint32_t)>& run) {
  std::vector<double> times, ratios, positions, headings, waits;
  std::size_t reached = 0, contacts = 0, touched = 0;
  for (std::size_t i = 0; i < runs; ++i) {
    const std::uint32_t s = seed + static_cast<std::uint32_t>(i);
    const Trial trial = run(s);
    reached += trial.reached;
    contacts += trial.contacts > 0;
    touched += trial.ball_touched;
    waits.push_back(trial.longest_wait);
    if (verbose && (!trial.reached || trial.contacts > 0 || trial.ball_touched))
      std::printf("    seed %u: %s, %.1f s, contacts %d, touched %d, wait %.1f s\n", s, trial.reason.c_str(),
                  trial.time, trial.contacts, trial.ball_touched, trial.longest_wait);
    if (!trial.reached) continue;
    times.push_back(trial.time);
    ratios.push_back(trial.time / trial.ideal);
    positions.push_back(trial.position_error);
    headings.push_back(trial.heading_error);
  }
  std::printf("%s (seeds %u..%zu)\n", title, seed, seed + runs - 1);
  print_share("reached", reached, runs);
  print_share("runs with contact", contacts, runs);
  print_share("runs with the ball touched", touched, runs);
  print_quantile("time, median", times, 0.5, "s");
  print_quantile("time, 95 %", times, 0.95, "s");
  print_quantile("time / ideal, median", ratios, 0.5, "x");
  print_quantile("position error, 90 %", positions, 0.9, "cm", 100.0);
  print_quantile("heading error, 90 %", headings, 0.9, "degrees", 180.0 / M_PI);
  print_quantile("longest stand on the way, worst", waits, 1.0, "s");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Planning in the kinematic world"};
  std::uint32_t seed = 10000;
  std::size_t runs = 200;
  std::string only;
  bool verbose = false;
  app.add_option("--seed", seed, "first seed; below 10000 to tune, from there on to judge");
  app.add_option("--runs", runs, "runs of random worlds; half as many of each kick, a tenth of crossings")
      ->check(CLI::Range(10, 100000));
  app.add_option("--only", only, "worlds, kick, worst or crossing");
  app.add_flag("--verbose", verbose, "name the runs that went wrong");
  CLI11_PARSE(app, argc, argv);
  const Params params;
  const auto wanted = [&](const char* name) { return only.empty() || only == name; };
  if (wanted("worlds"))
    report("random worlds", seed, runs, verbose, [&](std::uint32_t s) { return run_random_world(s, params); });
  if (wanted("kick"))
    report("kick pose from 2 m", seed, runs / 2, verbose,
           [&](std::uint32_t s) { return run_kick(s, KickSide::Any, params); });
  if (wanted("worst"))
    report("kick pose from the worst side", seed, runs / 2, verbose,
           [&](std::uint32_t s) { return run_kick(s, KickSide::Worst, params); });
  if (wanted("crossing"))
    report("eight robots crossing", seed, runs / 10, verbose, [&](std::uint32_t s) { return run_crossing(s, params); });
  return 0;
}
