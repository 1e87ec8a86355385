// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <vector>

#include "hl_localization/kinematic_world.hpp"
#include "hl_localization/localization.hpp"
#include "hl_testing/bench_report.hpp"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  using namespace hl_localization;
  const double seconds = hl_testing::quick(argc, argv) ? 30.0 : 600.0;
  const auto measure = [seconds](bool lost) {
    Localization::Params params;
    KinematicWorld world(params.field, {}, 1);
    world.place({-2.0, 1.0, 0.3});
    Localization localization(params);
    std::vector<double> microseconds;
    Localization::Inputs inputs;
    for (int n = 0; world.time < seconds; ++n) {
      world.advance(0.02);
      inputs.odometry = world.odometry();
      inputs.percepts.clear();
      if (n % 2 == 0) inputs.percepts.push_back(world.look());
      inputs.reset.reset();
      if (n == 0) inputs.reset = Start::OwnHalf;
      if (lost && n % 10 == 0) inputs.reset = Start::StartPosition;
      const auto start = Clock::now();
      localization.step(inputs, world.time);
      const double taken = 1e6 * std::chrono::duration<double>(Clock::now() - start).count();
      if (!inputs.percepts.empty()) microseconds.push_back(taken);
    }
    std::sort(microseconds.begin(), microseconds.end());
    return std::pair(microseconds[microseconds.size() / 2], microseconds[microseconds.size() * 99 / 100]);
  };
  const auto known = measure(false), lost = measure(true);
  const auto report = [](const char* name, double value, double budget) {
    hl_testing::report({"hl_localization", name, value, "us", budget, hl_testing::Better::Lower});
  };
  report("update with a picture, median", known.first, 200.0);
  report("update with a picture, p99", known.second, 1000.0);
  report("update with a picture while searching, median", lost.first, 200.0);
  report("update with a picture while searching, p99", lost.second, 1000.0);
}
