// SPDX-License-Identifier: Apache-2.0
// The shipped RTDL drills from their text files, by robots in physics with all their nodes: the same starts and the
// same judge as `ros2 run hl_match evaluate tasks`, which runs the cores in one process. One seed of each by default;
// HL_FULL=1 makes the statistics, 20 from seed 10000 on; --runs=N, --seed=N. The table is printed at the end.
#include <gtest/gtest.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cstdio>
#include <hl_match/figures.hpp>

#include "hl_testing/isolation.hpp"
#include "training_ground.hpp"

namespace {

using hl_match::Drill;

constexpr double kGrace = 20.0;  // s beyond a drill's time limit

// Of the command line.
std::size_t runs = 0;          // 0: as HL_FULL says
std::uint64_t first_seed = 0;  // 0: as HL_FULL says
std::vector<hl_match::Figure> table;

std::string tail(const std::string& text) {
  constexpr std::size_t kLength = 1500;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

bool carry_out(const Drill& drill, std::uint64_t seed) {
  hl_bringup::TrainingGround ground(drill.arguments.size(), seed);
  auto random = hl_match::drill_random(seed);
  ground.place(drill.start(random));
  const std::string file =
      ament_index_cpp::get_package_share_directory("hl_behavior") + "/tasks/" + drill.task + ".rtdl";
  for (std::size_t i = 0; i < drill.arguments.size(); ++i)
    ground.run_task(i, file, drill.arguments[i], drill.time_limit);
  const double begin = ground.view().time;
  const auto started_at = std::chrono::steady_clock::now();
  hl_match::DrillStory story(hl_description::Field::from_file(
      ament_index_cpp::get_package_share_directory("hl_description") + "/config/field.yaml"));
  ground.watch(drill.time_limit + kGrace, [&](const hl_match::DrillView& view) {
    story.note(view);
    return drill.over(story);
  });
  const bool good = drill.good(story);
  const double simulated = ground.view().time - begin;
  const double real = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_at).count();
  std::printf("%s %llu: %s after %.0f s (%.1f x real time), ball at %.2f %.2f, %zu falls\n", drill.task,
              static_cast<unsigned long long>(seed), good ? "good" : "FAILED", simulated, simulated / real,
              story.last().ball.x(), story.last().ball.y(), ground.falls());
  for (std::size_t i = 0; i < drill.arguments.size() && !good; ++i)
    std::printf("    robot %zu: %s\n", i + 1, tail(ground.trace(i)).c_str());
  std::fflush(stdout);
  return good;
}

void carry_out_all(const char* task, double asked) {
  for (const Drill& drill : hl_match::shipped_drills()) {
    if (std::string(drill.task) != task) continue;
    std::size_t good = 0;
    for (std::size_t n = 0; n < runs; ++n) good += carry_out(drill, first_seed + n) ? 1 : 0;
    table.push_back(hl_match::share_of(std::string(task) + ": " + drill.aim, good, runs));
    EXPECT_GE(static_cast<double>(good), asked * static_cast<double>(runs)) << task;
    return;
  }
  FAIL() << "there is no drill " << task;
}

}  // namespace

TEST(Drills, GoToTheBallAndKickItToTheGoal) {
  carry_out_all("kick_to_goal", 0.9);
}

TEST(Drills, Slalom) {
  carry_out_all("slalom", 0.9);
}

TEST(Drills, TwoRobotsPassToEachOther) {
  carry_out_all("passing_drill", 0.7);
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--runs=", 0) == 0) runs = std::stoul(argument.substr(7));
    if (argument.rfind("--seed=", 0) == 0) first_seed = std::stoull(argument.substr(7));
  }
  if (runs == 0) runs = hl_testing::count(1, 20);
  if (first_seed == 0) first_seed = hl_testing::count(1, 10000);
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  std::printf("\n%s", hl_match::figure_table("test_drills", "from " + std::to_string(first_seed), table).c_str());
  return result;
}
