// SPDX-License-Identifier: Apache-2.0
// Pushed over, penalised in mid-step, nodes killed: does the robot stand and walk again? The ground truth judges; the
// robot is placed between the runs only. A few runs by default; HL_FULL=1 makes the statistics: --runs=N of each, with
// the seeds from --seed=N on; --only=N repeats the one with this seed. The table is printed at the end.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "on_the_bus.hpp"
#include "robot_under_test.hpp"

namespace {

using hl_bringup::Pace;
using hl_bringup::RobotControlState;
using hl_bringup::RobotUnderTest;
using humanoid_league_msgs::srv::InjectFault;

constexpr double kGetUpTime = 40.0;  // s; a second attempt is a clean recovery as well

struct Outcome {
  bool passed = false;
  bool fell = false;
  double seconds = 0.0;  // until it stood or walked again
  std::string why;       // if it did not pass
};

/// One line of the table.
struct Row {
  int runs = 0, passed = 0, falls = 0;
  double longest = 0.0;  // s
};

std::vector<std::pair<std::string, Row>> table;  // in the order of the runs
int runs_wanted = 0;                             // 0: as HL_FULL says
std::uint64_t first_seed = 3000;
std::uint64_t only_seed = 0;  // 0: all of them

bool left_out(std::uint64_t seed) {
  return only_seed != 0 && seed != only_seed;
}

int runs(int quick) {
  if (runs_wanted > 0) return runs_wanted;
  return static_cast<int>(hl_testing::count(static_cast<std::size_t>(quick), 20));
}

void note(const std::string& what, const Outcome& outcome, std::uint64_t seed, RobotUnderTest& stack) {
  if (table.empty() || table.back().first != what) table.push_back({what, Row()});
  Row& row = table.back().second;
  ++row.runs;
  row.passed += outcome.passed ? 1 : 0;
  row.falls += outcome.fell ? 1 : 0;
  row.longest = std::max(row.longest, outcome.passed ? outcome.seconds : 0.0);
  std::printf("%-44s seed %llu: %s %5.1f s%s%s\n", what.c_str(), static_cast<unsigned long long>(seed),
              outcome.passed ? "passed" : "FAILED", outcome.seconds, outcome.fell ? ", fell" : "",
              outcome.why.empty() ? "" : (": " + outcome.why).c_str());
  std::fflush(stdout);
  EXPECT_TRUE(outcome.passed) << what << ", seed " << seed << ": " << outcome.why << "\n" << stack.log();
}

void print_table() {
  std::printf("\n%-44s %5s %7s %6s %9s\n", "what", "runs", "passed", "falls", "longest");
  for (const auto& [what, row] : table) {
    std::printf("%-44s %5d %7d %6d %7.1f s\n", what.c_str(), row.runs, row.passed, row.falls, row.longest);
  }
}

/// How the nodes run.
enum class Stack {
  Composed,  // one process for all motion nodes: fast
  Separate,  // a process for each
  Bus,       // the same, and the driver in front of the emulated bus
  Playing,   // a process for each, and those that see, know and decide
};

std::unique_ptr<RobotUnderTest> running;

/// The stack is started once for all runs that want it so and do not ask for a new game.
RobotUnderTest& stack(Stack kind) {
  static Stack running_kind = kind;
  if (running && running_kind == kind) return *running;
  running.reset();
  running_kind = kind;
  std::vector<std::string> arguments{kind == Stack::Composed ? "composed:=true" : "composed:=false"};
  if (kind == Stack::Playing) {
    for (const char* argument : {"autonomous:=true", "vision:=true", "speed:=1.0"}) arguments.emplace_back(argument);
  } else if (kind == Stack::Bus) {
    for (const auto& argument : hl_bringup::on_the_bus()) arguments.push_back(argument);
  } else {
    arguments.emplace_back("speed:=0.0");
  }
  running = std::make_unique<RobotUnderTest>(arguments);
  return *running;
}

/// Walks with a random speed for a random time, so that what follows meets any phase of a step.
bool get_going(RobotUnderTest& robot, std::mt19937_64& random, double& forward) {
  forward = std::uniform_real_distribution<>(0.1, 0.25)(random);
  const double until = robot.time() + std::uniform_real_distribution<>(2.0, 3.5)(random);
  return robot.run(10.0, [&] {
    robot.robot().walk(forward, 0.0, 0.0);
    return robot.time() > until && robot.robot().state() == RobotControlState::WALKING;
  });
}

/// Walks on by `distance` m, upright.
bool walks_on(RobotUnderTest& robot, double distance) {
  const auto start = robot.truth().robot;
  const bool walked = robot.run(20.0, [&] {
    robot.robot().walk(0.2, 0.0, 0.0);
    const auto& now = robot.truth();
    return now.upright && std::hypot(now.robot.x - start.x, now.robot.y - start.y) > distance;
  });
  robot.robot().walk(0.0, 0.0, 0.0);
  return walked;
}

enum class Doing { Standing, Walking };

const char* name_of(Doing doing) {
  return doing == Doing::Standing ? "standing" : "walking";
}

/// `direction`: rad, towards which the robot is pushed; 0 is ahead, left is positive.
Outcome pushed_over(RobotUnderTest& robot, Doing doing, double direction, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Outcome outcome;
  double forward = 0.0;
  if (!robot.reset(seed)) return outcome.why = "does not stand at the start", outcome;
  if (doing == Doing::Walking && !get_going(robot, random, forward)) return outcome.why = "does not walk", outcome;

  direction += std::uniform_real_distribution<>(-0.2, 0.2)(random);
  double force = std::uniform_real_distribution<>(25.0, 60.0)(random);  // N; more until it goes down
  const double duration = std::uniform_real_distribution<>(0.15, 0.3)(random);
  double pushed_at = -10.0;
  const double start = robot.time();
  const bool down = robot.run(30.0, [&] {
    if (doing == Doing::Walking) robot.robot().walk(forward, 0.0, 0.0);
    if (robot.time() - pushed_at > 2.5) {
      robot.robot().push(force * std::cos(direction), force * std::sin(direction), duration);
      pushed_at = robot.time();
      force *= 1.5;
    }
    return robot.hit_ground_at() > 0.0 || robot.falling_since() > start;
  });
  if (!down) return outcome.why = "cannot be pushed over", outcome;
  robot.robot().walk(0.0, 0.0, 0.0);
  outcome.fell = true;
  double standing_since = -1.0;
  const double fell_at = robot.time();
  const bool stands = robot.run(kGetUpTime, [&] {
    if (!robot.stands()) standing_since = -1.0;
    if (robot.stands() && standing_since < 0.0) standing_since = robot.time();
    return standing_since > 0.0 && robot.time() - standing_since > 1.0;
  });
  outcome.seconds = robot.time() - fell_at;
  const bool noticed =
      robot.falling_since() > 0.0 && (robot.hit_ground_at() < 0.0 || robot.falling_since() < robot.hit_ground_at());
  if (!noticed) outcome.why = "hit the ground before it protected itself";
  if (!stands) outcome.why = "does not stand up";
  outcome.passed = noticed && stands;
  return outcome;
}

/// The referee penalises it while it walks, and is told to walk on.
Outcome penalised(RobotUnderTest& robot, std::uint64_t seed) {
  constexpr double kStep = 0.5;         // s; a step takes less
  constexpr double kStepLength = 0.12;  // m
  constexpr double kSway = 0.04;        // m that the trunk of a standing robot may move
  std::mt19937_64 random(seed);
  Outcome outcome;
  double forward = 0.0;
  if (!robot.reset(seed)) return outcome.why = "does not stand at the start", outcome;
  if (!get_going(robot, random, forward)) return outcome.why = "does not walk", outcome;
  robot.robot().referee("penalise 1");
  const auto walk = [&] { robot.robot().walk(forward, 0.0, 0.0); };
  if (!robot.run(10.0, [&] {
        walk();
        return robot.paused_since() > 0.0;
      })) {
    return outcome.why = "the penalty does not arrive", outcome;
  }
  const auto way_from = [&](const hl_description::Pose2& place) {
    return std::hypot(robot.truth().robot.x - place.x, robot.truth().robot.y - place.y);
  };
  const auto told_at = robot.truth().robot;
  const double start = robot.time();
  const auto upright_for = [&](double seconds) {
    return !robot.run(seconds, [&] {
      walk();
      return !robot.truth().upright;
    });
  };
  bool upright = upright_for(kStep);
  const auto stopped_at = robot.truth().robot;
  const double stopping_way = way_from(told_at);
  upright = upright && upright_for(4.0);
  outcome.seconds = robot.time() - start;
  outcome.fell = !upright;
  const bool stays = way_from(stopped_at) < kSway && robot.robot().state() == RobotControlState::PENALTY;
  robot.robot().walk(0.0, 0.0, 0.0);
  robot.robot().referee("release 1");
  const bool goes_on = robot.run(30.0, [&] { return robot.stands(); }) && walks_on(robot, 0.3);
  if (!goes_on) outcome.why = "does not walk on after the release";
  if (!stays) outcome.why = "moves on after a step, by " + std::to_string(way_from(stopped_at)) + " m";
  if (stopping_way > kStepLength) outcome.why = "needs " + std::to_string(stopping_way) + " m to stop";
  if (!upright) outcome.why = "falls";
  outcome.passed = outcome.why.empty();
  return outcome;
}

/// kill -9 of a node; the launch file starts it anew.
Outcome killed(RobotUnderTest& robot, const std::string& node, Doing doing, std::uint64_t seed) {
  constexpr double kMostSpeed = 1.0;  // rad/s of a joint of a robot that stood
  std::mt19937_64 random(seed);
  Outcome outcome;
  double forward = 0.0;
  if (!robot.reset(seed)) return outcome.why = "does not stand at the start", outcome;
  if (doing == Doing::Walking && !get_going(robot, random, forward)) return outcome.why = "does not walk", outcome;
  const pid_t before = robot.process_of(node);
  if (before == 0 || !robot.kill(node)) return outcome.why = "there is no process of " + node, outcome;
  const double start = robot.time();
  bool back = false;
  double standing_since = -1.0;
  const bool stands = robot.run(60.0, [&] {
    if (doing == Doing::Walking && !back) robot.robot().walk(forward, 0.0, 0.0);
    if (back && doing == Doing::Walking) robot.robot().walk(0.0, 0.0, 0.0);
    outcome.fell = outcome.fell || robot.hit_ground_at() > 0.0;
    back = back || (robot.process_of(node) != 0 && robot.process_of(node) != before && robot.time() - start > 2.0);
    if (!back || !robot.stands()) standing_since = -1.0;
    if (back && robot.stands() && standing_since < 0.0) standing_since = robot.time();
    return standing_since > 0.0 && robot.time() - standing_since > 1.0;
  });
  if (!back) return outcome.why = "the launch file does not start " + node + " anew", outcome;
  if (doing == Doing::Standing && robot.fastest_joint() > kMostSpeed) {
    return outcome.why = "a joint jumps, " + std::to_string(robot.fastest_joint()) + " rad/s", outcome;
  }
  if (!stands) return outcome.why = "does not stand again", outcome;
  outcome.seconds = robot.time() - start;
  outcome.passed = walks_on(robot, 0.3);
  if (!outcome.passed) outcome.why = "does not walk on";
  outcome.fell = outcome.fell || robot.hit_ground_at() > 0.0;
  return outcome;
}

/// kill -9 of a node of a robot that plays by itself and sees through its camera, on its way to the ball.
Outcome killed_in_play(RobotUnderTest& robot, const std::string& node, std::uint64_t seed) {
  constexpr double kWithin = 10.0;  // s from the kill until it plays again
  constexpr double kAhead = 2.5;    // m from the robot to the ball
  constexpr double kNearer = 0.3;   // m it comes nearer to the ball, which shows that it plays
  std::mt19937_64 random(seed);
  Outcome outcome;
  robot.robot().referee("stop");  // or it plays on while it is put in its place
  if (!robot.reset(seed)) return outcome.why = "does not stand at the start", outcome;
  const auto stands_at = robot.truth().robot.position();
  const double ball_x = stands_at.x() + kAhead;
  robot.robot().place_ball(ball_x, stands_at.y() + std::uniform_real_distribution<>(-0.5, 0.5)(random));
  const auto way = [&] {
    const auto& truth = robot.truth();
    return (truth.ball - truth.robot.position()).norm();
  };
  // The judge gives no orders: the robot's own behaviour does.
  const bool lies_there = robot.run(10.0, [&] { return std::abs(robot.truth().ball.x() - ball_x) < 0.2; });
  if (!lies_there) return outcome.why = "the ball is not where it was put", outcome;
  robot.robot().referee("play");
  double far = way();
  const double first_way = std::uniform_real_distribution<>(0.3, 0.6)(random);
  double nearer = first_way;  // m
  const auto comes_nearer = [&] { return far - way() > nearer; };
  if (!robot.run(40.0, comes_nearer)) return outcome.why = "does not play", outcome;
  const pid_t before = robot.process_of(node);
  if (before == 0 || !robot.kill(node)) return outcome.why = "there is no process of " + node, outcome;
  const double start = robot.time();
  const auto back = [&] {
    const pid_t now = robot.process_of(node);
    return now != 0 && now != before;
  };
  const bool started = robot.run(kWithin, back);
  far = way();
  nearer = kNearer;
  const bool plays = started && robot.run(kWithin - (robot.time() - start), comes_nearer);
  outcome.seconds = robot.time() - start;
  outcome.fell = robot.hit_ground_at() > 0.0;
  if (!plays) outcome.why = "does not play on within 10 s";
  if (!started) outcome.why = "the launch file does not start " + node + " anew";
  outcome.passed = plays;
  return outcome;
}

/// The board with the IMU falls silent, and answers again later.
Outcome imu_muted(RobotUnderTest& robot, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Outcome outcome;
  double forward = 0.0;
  if (!robot.reset(seed)) return outcome.why = "does not stand at the start", outcome;
  if (!get_going(robot, random, forward)) return outcome.why = "does not walk", outcome;
  robot.inject(InjectFault::Request::IMU_SILENT);
  const double start = robot.time();
  bool noticed = false;
  const bool down = robot.run(8.0, [&] {
    robot.robot().walk(forward, 0.0, 0.0);
    noticed = noticed || robot.robot().state() == RobotControlState::HARDWARE_PROBLEM;
    return !robot.truth().upright;
  });
  outcome.fell = down;
  robot.inject(InjectFault::Request::NONE);
  robot.robot().walk(0.0, 0.0, 0.0);
  const bool stands = robot.run(40.0, [&] { return robot.stands(); });
  outcome.seconds = robot.time() - start;
  if (!stands) outcome.why = "does not stand again";
  if (!noticed) outcome.why = "the HCM did not notice";
  if (down) outcome.why = "fell";
  outcome.passed = outcome.why.empty();
  return outcome;
}

struct Direction {
  const char* name;
  double angle;  // rad
};
constexpr Direction kDirections[] = {{"to the front", 0.0},         {"to the front left", 0.25 * M_PI},
                                     {"to the left", 0.5 * M_PI},   {"to the back left", 0.75 * M_PI},
                                     {"to the back", M_PI},         {"to the back right", -0.75 * M_PI},
                                     {"to the right", -0.5 * M_PI}, {"to the front right", -0.25 * M_PI}};

void push_runs(Doing doing, std::initializer_list<std::size_t> quick_directions) {
  const bool all = hl_testing::full_run() || runs_wanted > 0;
  RobotUnderTest& robot = stack(Stack::Composed);
  robot.set(Pace::LockStep);
  std::uint64_t seed = first_seed + (doing == Doing::Walking ? 1000 : 0);
  for (std::size_t d = 0; d < std::size(kDirections); ++d) {
    const bool chosen = std::find(quick_directions.begin(), quick_directions.end(), d) != quick_directions.end();
    for (int n = 0; n < runs(1); ++n, ++seed) {
      if ((!all && !chosen) || left_out(seed)) continue;
      const std::string what = std::string("pushed ") + kDirections[d].name + " while " + name_of(doing);
      note(what, pushed_over(robot, doing, kDirections[d].angle, seed), seed, robot);
    }
  }
}

void kill_runs(Stack kind, const std::string& node, Doing doing, int quick) {
  if (runs(quick) == 0) GTEST_SKIP() << "in ./test --full";
  RobotUnderTest& robot = stack(kind);
  robot.set(Pace::RealTime);
  const std::uint64_t first = first_seed + 10'000 + (doing == Doing::Walking ? 500 : 0);
  for (int n = 0; n < runs(quick); ++n) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(n);
    if (left_out(seed)) continue;
    note("kill -9 of " + node + " while " + name_of(doing), killed(robot, node, doing, seed), seed, robot);
  }
}

void kill_in_play_runs(const std::string& node, int quick) {
  if (runs(quick) == 0) GTEST_SKIP() << "in ./test --full";
  RobotUnderTest& robot = stack(Stack::Playing);
  robot.set(Pace::RealTime);
  for (int n = 0; n < runs(quick); ++n) {
    const std::uint64_t seed = first_seed + 30'000 + static_cast<std::uint64_t>(n);
    if (left_out(seed)) continue;
    note("kill -9 of " + node + " while playing", killed_in_play(robot, node, seed), seed, robot);
  }
}

void mute_runs(int quick) {
  RobotUnderTest& robot = stack(Stack::Bus);
  robot.set(Pace::LockStep);
  for (int n = 0; n < runs(quick); ++n) {
    const std::uint64_t seed = first_seed + 20'000 + static_cast<std::uint64_t>(n);
    if (left_out(seed)) continue;
    note("IMU muted while walking", imu_muted(robot, seed), seed, robot);
  }
}

}  // namespace

TEST(Pushed, WhileStandingItProtectsItselfAndStandsAgain) {
  push_runs(Doing::Standing, {4});
}

TEST(Pushed, WhileWalkingItProtectsItselfAndStandsAgain) {
  push_runs(Doing::Walking, {2});
}

TEST(Penalised, InMidStepItStopsWithinAStepAndStays) {
  if (runs(1) > 1) running.reset();  // a game that is over knows no penalties
  RobotUnderTest& robot = stack(Stack::Composed);
  robot.set(Pace::LockStep);
  for (int n = 0; n < runs(1); ++n) {
    const std::uint64_t seed = first_seed + 5000 + static_cast<std::uint64_t>(n);
    if (left_out(seed)) continue;
    note("penalised in mid-step", penalised(robot, seed), seed, robot);
  }
}

// Each leaves the robot standing, or it recovers.
TEST(Killed, WalkingWhileStanding) {
  kill_runs(Stack::Separate, "walking", Doing::Standing, 0);
}
TEST(Killed, WalkingWhileWalking) {
  kill_runs(Stack::Separate, "walking", Doing::Walking, 1);
}
TEST(Killed, AnimationWhileStanding) {
  kill_runs(Stack::Separate, "animation", Doing::Standing, 0);
}
TEST(Killed, AnimationWhileWalking) {
  kill_runs(Stack::Separate, "animation", Doing::Walking, 0);
}
TEST(Killed, HcmWhileStanding) {
  kill_runs(Stack::Separate, "hcm", Doing::Standing, 0);
}
TEST(Killed, HcmWhileWalking) {
  kill_runs(Stack::Separate, "hcm", Doing::Walking, 1);
}
TEST(Killed, PauseWhileWalking) {
  kill_runs(Stack::Separate, "pause", Doing::Walking, 0);
}

// The servos hold what they were told last until the new driver has taken the bus, set it up and got goals again.
TEST(Killed, HardwareWhileStanding) {
  kill_runs(Stack::Bus, "hardware", Doing::Standing, 1);
}
TEST(Killed, HardwareWhileWalking) {
  kill_runs(Stack::Bus, "hardware", Doing::Walking, 1);
}

// Over the wire of the emulated bus, with driver, HCM and walk as nodes; statistics of this are in hl_match's
// test_bus.
TEST(Muted, ImuWhileWalking) {
  mute_runs(1);
}

// The process that holds all motion nodes.
TEST(Killed, AllMotionNodesWhileStanding) {
  kill_runs(Stack::Composed, "robot", Doing::Standing, 0);
}
TEST(Killed, AllMotionNodesWhileWalking) {
  kill_runs(Stack::Composed, "robot", Doing::Walking, 0);
}

// A robot that plays by itself, alone with the ball.
TEST(KilledInPlay, Detection) {
  kill_in_play_runs("detection", 0);
}
TEST(KilledInPlay, Transform) {
  kill_in_play_runs("transform", 0);
}
TEST(KilledInPlay, VisualCompass) {
  kill_in_play_runs("visual_compass", 0);
}
TEST(KilledInPlay, Localization) {
  kill_in_play_runs("localization", 0);
}
TEST(KilledInPlay, WorldModel) {
  kill_in_play_runs("world_model", 0);
}
TEST(KilledInPlay, Planning) {
  kill_in_play_runs("planning", 0);
}
TEST(KilledInPlay, Behavior) {
  kill_in_play_runs("behavior", 0);
}
TEST(KilledInPlay, Head) {
  kill_in_play_runs("head", 0);
}
TEST(KilledInPlay, GameController) {
  kill_in_play_runs("game_controller", 0);
}
TEST(KilledInPlay, TeamComm) {
  kill_in_play_runs("team_comm", 0);
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  CLI::App cli("Pushes, penalties and kills of a whole robot", "test_robustness");
  cli.add_option("--runs", runs_wanted, "of each; 0: a few, or with HL_FULL=1 the statistics");
  cli.add_option("--seed", first_seed, "of the first run");
  cli.add_option("--only", only_seed, "only the run with this seed");
  CLI11_PARSE(cli, argc, argv);
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  running.reset();
  print_table();
  rclcpp::shutdown();
  return result;
}
