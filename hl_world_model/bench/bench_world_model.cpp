// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <vector>

#include "hl_localization/kinematic_world.hpp"
#include "hl_testing/bench_report.hpp"
#include "hl_world_model/personal_model.hpp"
#include "hl_world_model/team_model.hpp"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  using namespace hl_world_model;
  const double seconds = hl_testing::quick(argc, argv) ? 30.0 : 3600.0;
  hl_localization::KinematicWorld world({}, {}, 1);
  world.ball = Eigen::Vector2d(1.0, 0.3);
  for (int n = 0; n < 7; ++n) {
    hl_localization::KinematicWorld::OtherRobot other;
    other.position = {world.uniform(-4.0, 4.0), world.uniform(-2.5, 2.5)};
    other.number = n + 1;
    other.blue = n < 3;
    world.others.push_back(other);
  }
  PersonalModel personal{PersonalModel::Params{}};
  TeamModel team{TeamModel::Params{}};
  PersonalModel::Inputs inputs;
  TeamModel::Inputs words;
  for (int number = 2; number < 5; ++number) {
    hl_soccer::TeamMate mate;
    mate.number = number;
    mate.pose = hl_description::Pose2{1.0 * number, -1.0, 0.4};
    mate.pose_covariance = Eigen::Matrix3d::Identity() * 0.01;
    mate.pose_confidence = 0.9;
    mate.ball = hl_soccer::BelievedPoint{{1.0, 0.2}, 0.8};
    mate.opponents.assign(4, {{2.0, 1.0}, 0.7});
    words.mates.push_back(mate);
  }
  std::vector<double> ours, theirs, late;
  hl_soccer::Percepts held;
  const auto timed = [](auto&& work) {
    const auto start = Clock::now();
    work();
    return 1e6 * std::chrono::duration<double>(Clock::now() - start).count();
  };
  for (int n = 0; world.time < seconds; ++n) {
    world.advance(0.04);
    inputs.odometry = world.odometry();
    inputs.percepts = {world.look()};
    if (n % 10 == 3) held = inputs.percepts.front();
    const bool reorders = n % 10 == 6;  // 120 ms late: three pictures are done again
    if (n % 10 == 3) inputs.percepts.clear();
    if (reorders) inputs.percepts.push_back(held);
    PersonalModel::Outputs out;
    (reorders ? late : ours).push_back(timed([&] { out = personal.step(inputs, world.time); }));
    words.own = out.model;
    words.own.pose.pose = world.robot;
    words.own.pose.covariance = Eigen::Matrix3d::Identity() * 0.01;
    words.own.pose.confidence = 0.9;
    for (auto& mate : words.mates) mate.stamp = world.time - 0.2;
    theirs.push_back(timed([&] { team.step(words, world.time); }));
  }
  const std::vector<double> in_order = ours;
  const auto median_of = [](const std::vector<double>& values, std::size_t begin) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<double> part(first, first + static_cast<std::ptrdiff_t>(values.size() / 6));
    std::sort(part.begin(), part.end());
    return part[part.size() / 2];
  };
  const auto report = [](const char* name, std::vector<double>& values, double share, double budget) {
    std::sort(values.begin(), values.end());
    const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    hl_testing::report({"hl_world_model", name, values[index], "us", budget, hl_testing::Better::Lower});
  };
  report("personal model, update with a picture, median", ours, 0.5, 100.0);
  report("personal model, update with a picture, p99", ours, 0.99, 100.0);
  report("personal model, picture 120 ms late, median", late, 0.5, 100.0);
  report("team model, three mates, median", theirs, 0.5, 100.0);
  // Of the last sixth of the time against the first: 1 if the models do not grow.
  const double early = median_of(in_order, 0), late_again = median_of(in_order, in_order.size() - in_order.size() / 6);
  hl_testing::report({"hl_world_model", "update, last ten minutes of an hour against the first", late_again / early,
                      "x", 1.2, hl_testing::Better::Lower});
}
