// SPDX-License-Identifier: Apache-2.0
// What a decision costs: situation, tactics and executor of a striker with three mates and four opponents.
#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "../test/world.hpp"
#include "hl_testing/bench_report.hpp"

using namespace hl_behavior;
using Clock = std::chrono::steady_clock;

int main(int argc, char** argv) {
  const std::size_t runs = hl_testing::quick(argc, argv) ? 2'000 : 20'000;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Behavior behavior{Behavior::Params()};
  std::vector<double> times;
  times.reserve(runs);
  double now = 10.0;
  for (std::size_t run = 0; run < runs; ++run) {
    now += 0.05;
    Behavior::Inputs in;
    in.knowledge = test::knowledge({4.0 * unit(random), 2.5 * unit(random), 3.0 * unit(random)},
                                   {4.0 * unit(random), 2.5 * unit(random)}, now);
    for (int i = 0; i < 4; ++i) test::add_rival(in.knowledge, {4.0 * unit(random), 2.5 * unit(random)});
    for (int number = 1; number <= 4; ++number)
      if (number != 2)
        in.knowledge.mates.push_back(test::mate(number, number == 1 ? Role::Goalie : Role::Supporter,
                                                {4.0 * unit(random), 2.5 * unit(random), 0}, 30.0, now));
    const auto start = Clock::now();
    behavior.step(in, now);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  using hl_testing::Better;
  hl_testing::report({"hl_behavior", "decision, median", times[runs / 2], "us", {}, Better::Lower});
  hl_testing::report({"hl_behavior", "decision, p99", times[runs * 99 / 100], "us", 200.0, Better::Lower});
  return 0;
}
