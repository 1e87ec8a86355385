// SPDX-License-Identifier: Apache-2.0
// Time of a step that plans, in worlds with many robots, and of one that only follows.
#include <algorithm>
#include <ctime>
#include <random>

#include "hl_path_planning/planner.hpp"
#include "hl_testing/bench_report.hpp"

using namespace hl_path_planning;

namespace {

double percentile(std::vector<double>& values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

/// Of this thread alone: what else the machine does is not planning.
double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// Milliseconds of processor time of every step, with and without a plan, in `worlds` random worlds.
void measure(std::size_t robots, std::size_t worlds, std::vector<double>& plans, std::vector<double>& follows) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> x(-4.3, 4.3), y(-2.8, 2.8), speed(-0.3, 0.3);
  const hl_description::Field field;
  Planner planner(field, Params());
  Planner::Inputs inputs;
  inputs.pose.confidence = 1.0;
  inputs.pose.covariance = Eigen::Matrix3d::Identity() * 1e-4;
  double now = 100.0;
  for (std::size_t world = 0; world < worlds; ++world) {
    inputs.pose.pose = {x(random), y(random), x(random)};
    const Pose2 base = inputs.pose.pose.inverse();
    inputs.model.robots.resize(robots);
    for (std::size_t i = 0; i < robots; ++i) {
      hl_soccer::RobotBelief& robot = inputs.model.robots[i];
      robot.id = static_cast<int>(i);
      robot.position = base * Vector2d(x(random), y(random));
      robot.velocity = i % 3 == 0 ? Vector2d(speed(random), speed(random)) : Vector2d(0.0, 0.0);
      robot.covariance = Eigen::Matrix2d::Identity() * 1e-3;
    }
    inputs.goal = Goal();
    inputs.goal->stamp = now;
    inputs.goal->pose = {x(random), y(random), y(random)};
    for (int step = 0; step < 3; ++step) {
      inputs.pose.stamp = inputs.model.stamp = now;
      for (auto& robot : inputs.model.robots) robot.last_seen = now;
      const double start = processor_ms();
      const bool planned = planner.step(inputs, now).planned;
      const double time = processor_ms() - start;
      (planned ? plans : follows).push_back(time);
      inputs.goal.reset();
      now += 0.04;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t worlds = hl_testing::quick(argc, argv) ? 1000 : 10'000;
  using hl_testing::Better;
  for (const auto& [robots, budget] : {std::pair<std::size_t, double>{10, 1.0}, {30, 3.0}}) {
    std::vector<double> plans, follows;
    measure(robots, worlds, plans, follows);
    const std::string with = ", " + std::to_string(robots) + " robots";
    hl_testing::report({"hl_path_planning", "plan, p99" + with, percentile(plans, 0.99), "ms", budget, Better::Lower});
    hl_testing::report({"hl_path_planning", "follow, p99" + with, percentile(follows, 0.99), "ms", {}, Better::Lower});
  }
  return 0;
}
