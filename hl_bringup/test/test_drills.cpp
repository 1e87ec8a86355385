// SPDX-License-Identifier: Apache-2.0
// The shipped RTDL drills from their text files, by robots in physics with all their nodes: the same starts and the
// same judge as `ros2 run hl_match evaluate tasks`, which runs the cores in one process. One seed of the first by
// default; HL_FULL=1 makes the statistics, 20 from seed 10000 on; --runs=N, --seed=N. The table is printed at the end,
// and written with --figures=FILE. Piece by piece: --keep=FILE remembers trials and does not repeat them, --minutes=N
// begins no trial after that time.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <hl_match/figures.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <map>
#include <sstream>

#include "hl_testing/isolation.hpp"
#include "training_ground.hpp"

namespace {

using hl_bringup::TrainingGround;
using hl_match::Drill;
using humanoid_league_msgs::msg::TeamData;

constexpr double kGrace = 20.0;  // s beyond a drill's time limit

// Of the command line.
std::size_t runs = 0;          // 0: as HL_FULL says
std::uint64_t first_seed = 0;  // 0: as HL_FULL says
double minutes = 1e9;          // after which no trial begins
std::string kept_file, figures_file;

std::vector<hl_match::Figure> table;
const auto begun = std::chrono::steady_clock::now();

/// Trials of earlier runs: lines of seed, 1 or 0, and the figure's name.
std::map<std::pair<std::string, std::uint64_t>, bool> kept() {
  std::map<std::pair<std::string, std::uint64_t>, bool> trials;
  std::ifstream file(kept_file);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::uint64_t seed = 0;
    bool good = false;
    std::string name;
    if (words >> seed >> good && std::getline(words >> std::ws, name)) trials[{name, seed}] = good;
  }
  return trials;
}

void keep(const std::string& name, std::uint64_t seed, bool good) {
  if (!kept_file.empty()) std::ofstream(kept_file, std::ios::app) << seed << ' ' << good << ' ' << name << std::endl;
}

std::string tail(const std::string& text) {
  constexpr std::size_t kLength = 500;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

bool runs_asked_for = false;
bool long_run_only() {
  return !runs_asked_for && !hl_testing::full_run();
}

bool carry_out(TrainingGround& ground, const Drill& drill, std::uint64_t seed) {
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
  if (!good) std::printf("    what the nodes complained of:\n%s", ground.complaints().c_str());
  std::fflush(stdout);
  return good;
}

bool in_one_team(const Drill& drill, std::uint64_t seed) {
  TrainingGround ground(drill.arguments.size(), seed);
  return carry_out(ground, drill, seed);
}

/// Each robot speaks a dialect of its own where the other does not listen; only the gateway brings them together.
bool in_two_dialects(const Drill& drill, std::uint64_t seed) {
  const int mitecom = 21'000 + 2 * hl_testing::isolate(), robocup_protocol = mitecom + 1;  // UDP ports
  const std::vector<std::string> ports{"mitecom_port:=" + std::to_string(mitecom),
                                       "robocup_protocol_port:=" + std::to_string(robocup_protocol)};
  TrainingGround ground(2, seed, ports, TWO_DIALECTS);
  std::size_t heard[2] = {0, 0};  // messages in which a robot knew of its mate
  std::vector<rclcpp::Subscription<TeamData>::SharedPtr> subscriptions;
  for (std::size_t i = 0; i < 2; ++i)
    subscriptions.push_back(ground.node()->create_subscription<TeamData>(
        "/robot" + std::to_string(i + 1) + "/team_data", 10,
        [&known = heard[i]](const TeamData& data) { known += data.robot_ids.empty() ? 0 : 1; }));
  ground.watch(5.0, [](const hl_match::DrillView&) { return false; });
  EXPECT_EQ(heard[0] + heard[1], 0u) << "they understand each other without a gateway";

  std::vector<std::string> gateway{"ros2", "run", "hl_team_comm", "team_gateway", "--ros-args"};
  for (const std::string& parameter : ports) gateway.insert(gateway.end(), {"-p", parameter});
  gateway.insert(gateway.end(), {"-p", "loopback:=true", "-p", "team_size:=3", "-p", "use_sim_time:=true"});
  hl_testing::Process translator(gateway);
  const bool good = carry_out(ground, drill, seed);
  EXPECT_GT(heard[0], 0u) << translator.output();
  EXPECT_GT(heard[1], 0u) << translator.output();
  return good;
}

void carry_out_all(const char* task, double asked, bool (*one)(const Drill&, std::uint64_t) = in_one_team,
                   const char* remark = "") {
  for (const Drill& drill : hl_match::shipped_drills()) {
    if (std::string(drill.task) != task) continue;
    const std::string name = std::string(task) + ": " + drill.aim + remark;
    const auto before = kept();
    std::size_t good = 0, done = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + runs; ++seed) {
      const auto known = before.find({name, seed});
      const std::chrono::duration<double, std::ratio<60>> passed = std::chrono::steady_clock::now() - begun;
      if (known == before.end() && passed.count() > minutes) continue;
      const bool result = known != before.end() ? known->second : one(drill, seed);
      if (known == before.end()) keep(name, seed, result);
      good += result ? 1 : 0;
      ++done;
    }
    table.push_back(hl_match::share_of(name, good, done));
    EXPECT_GE(static_cast<double>(good), asked * static_cast<double>(done)) << name;
    return;
  }
  FAIL() << "there is no drill " << task;
}

}  // namespace

TEST(Drills, GoToTheBallAndKickItToTheGoal) {
  carry_out_all("kick_to_goal", 0.9);
}

TEST(Drills, Slalom) {
  if (long_run_only()) GTEST_SKIP() << "in ./test --full";
  carry_out_all("slalom", 0.9);
}

TEST(Drills, TwoRobotsPassToEachOther) {
  if (long_run_only()) GTEST_SKIP() << "in ./test --full";
  carry_out_all("passing_drill", 0.7);
}

TEST(Drills, TwoRobotsOfDifferentDialectsPassToEachOther) {
  if (long_run_only()) GTEST_SKIP() << "in ./test --full";
  carry_out_all("passing_drill", 0.7, in_two_dialects, ", in two dialects");
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  CLI::App cli("Drills over the robots' nodes", "test_drills");
  cli.add_option("--runs", runs, "of each drill; 0: a few, or with HL_FULL=1 the statistics");
  cli.add_option("--seed", first_seed, "of the first run; 0: as --runs");
  cli.add_option("--minutes", minutes, "after which no trial begins");
  cli.add_option("--keep", kept_file, "file that remembers trials, which are not repeated");
  cli.add_option("--figures", figures_file, "file that the table is written to");
  CLI11_PARSE(cli, argc, argv);
  runs_asked_for = runs > 0;
  if (runs == 0) runs = hl_testing::count(1, 20);
  if (first_seed == 0) first_seed = hl_testing::count(1, 10000);
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  const std::string text =
      hl_match::figure_table("test_drills --seed=" + std::to_string(first_seed) + " --runs=" + std::to_string(runs),
                             "the robots' nodes, percepts from the truth", table);
  std::printf("\n%s", text.c_str());
  if (!figures_file.empty()) hl_match::write_section(figures_file, "drills through the nodes", text);
  return result;
}
