// SPDX-License-Identifier: Apache-2.0
// Whole runs in the kinematic world; the budgets are those of physics, which has its own evaluation.
#include <gmock/gmock.h>

#include <algorithm>

#include "hl_testing/isolation.hpp"
#include "scenarios.hpp"

using namespace hl_path_planning;

namespace {

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

}  // namespace

TEST(Scenarios, RandomWorlds) {
  const std::size_t runs = hl_testing::count(60, 1000);
  std::size_t reached = 0, contacts = 0;
  std::vector<double> ratios, positions, headings;
  for (std::size_t i = 0; i < runs; ++i) {
    const Trial trial = run_random_world(20000 + static_cast<std::uint32_t>(i), Params());
    reached += trial.reached;
    contacts += trial.contacts > 0;
    ratios.push_back(trial.time / trial.ideal);
    positions.push_back(trial.position_error);
    headings.push_back(trial.heading_error);
  }
  EXPECT_GE(static_cast<double>(reached), 0.97 * static_cast<double>(runs));
  EXPECT_LE(static_cast<double>(contacts), 0.02 * static_cast<double>(runs));
  EXPECT_LE(quantile(ratios, 0.5), 1.35);
  EXPECT_LE(quantile(positions, 0.9), 0.03);
  EXPECT_LE(quantile(headings, 0.9), 4.0 * M_PI / 180.0);
}

TEST(Scenarios, KickPoses) {
  const std::size_t runs = hl_testing::count(30, 300);
  for (const KickSide side : {KickSide::Any, KickSide::Worst}) {
    std::vector<double> times;
    std::size_t touched = 0, reached = 0;
    for (std::size_t i = 0; i < runs; ++i) {
      const Trial trial = run_kick(20000 + static_cast<std::uint32_t>(i), side, Params());
      times.push_back(trial.time);
      touched += trial.ball_touched;
      reached += trial.reached;
    }
    EXPECT_EQ(reached, runs);
    EXPECT_LE(quantile(times, 0.5), side == KickSide::Any ? 11.0 : 16.0);
    EXPECT_LE(static_cast<double>(touched), 0.03 * static_cast<double>(runs));
  }
}

TEST(Scenarios, EightRobotsCross) {
  for (std::size_t i = 0; i < hl_testing::count(4, 40); ++i) {
    const Trial trial = run_crossing(20000 + static_cast<std::uint32_t>(i), Params());
    EXPECT_TRUE(trial.reached) << "seed " << 20000 + i << ": " << trial.reason;
    EXPECT_LE(trial.longest_wait, 5.0);
    EXPECT_EQ(trial.contacts, 0);
  }
}

TEST(Scenarios, ARollingBallIsMetWhereItStops) {
  KinematicWorld world;
  world.ball = Vector2d(0.0, -0.5);
  world.ball_velocity = Vector2d(0.0, 0.5);
  Goal goal;
  goal.kind = GoalKind::KickPose;
  goal.ball = *world.ball;
  goal.ball_velocity = world.ball_velocity;
  world.add_player(Pose2{-2.0, 0.0, 0.0}, goal, Params(), 1);
  bool touched = false;
  while (!world.finished() && world.now < 130.0) {
    world.step();
    touched = touched || world.ball_touched(world.players[0]);
  }
  ASSERT_TRUE(world.finished());
  EXPECT_EQ(world.players[0].result->outcome, Outcome::Reached);
  EXPECT_FALSE(touched);
  const Vector2d ball = world.players[0].robot.pose().inverse() * *world.ball;
  EXPECT_NEAR(ball.x(), Params().kick_ahead, 0.04);
  EXPECT_NEAR(std::abs(ball.y()), Params().kick_aside, 0.04);
}

TEST(Scenarios, TheSameSeedGivesTheSameBits) {
  const Trial a = run_crossing(7, Params()), b = run_crossing(7, Params());
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.position_error, b.position_error);
}
