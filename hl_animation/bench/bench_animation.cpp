// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <string>

#include "hl_animation/animation.hpp"
#include "hl_animation/player.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  hl_animation::Animation animation;
  animation.name = "bench";
  std::map<std::string, double> present;
  for (int k = 0; k < 20; ++k) {
    hl_animation::Keyframe keyframe;
    keyframe.duration = 0.5;
    for (int j = 0; j < 20; ++j) {
      const auto joint = "Joint" + std::to_string(j);
      keyframe.goals[joint] = (k + j) % 3 * 0.4;
      present[joint] = 0.0;
    }
    animation.keyframes.push_back(keyframe);
  }
  const int repetitions = hl_testing::quick(argc, argv) ? 20 : 500;
  long ticks = 0;
  double seconds = 0.0;
  std::size_t allocations = 0;
  for (int i = 0; i < repetitions; ++i) {
    hl_animation::Player player(animation, present, {});
    const std::size_t before = hl_testing::allocations::count;
    const auto start = Clock::now();
    while (player.update(0.01) == hl_animation::Player::Status::Playing) ++ticks;
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    allocations += hl_testing::allocations::count - before;
  }
  hl_testing::report({"hl_animation", "player tick, 20 joints", 1e6 * seconds / static_cast<double>(ticks), "us", 10.0,
                      hl_testing::Better::Lower});
  hl_testing::report({"hl_animation", "player, allocations per tick",
                      static_cast<double>(allocations) / static_cast<double>(ticks), "", 0.0,
                      hl_testing::Better::Lower});
}
