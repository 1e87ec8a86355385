// SPDX-License-Identifier: Apache-2.0
// Tactics and executor together in a world without dynamics: decisions must lead somewhere.
#include <gtest/gtest.h>

#include "hl_behavior/behavior.hpp"
#include "hl_testing/isolation.hpp"
#include "world.hpp"

using namespace hl_behavior;
using namespace hl_behavior::test;

namespace {

enum class End { Goal, Out, OwnGoal, Time };

End play(unsigned seed, double time_limit) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  World world(seed);
  world.pose = {4.0 * unit(random), 2.5 * unit(random), M_PI * unit(random)};
  world.ball = {3.8 * unit(random), 2.6 * unit(random)};
  Behavior behavior{Behavior::Params()};
  Behavior::Inputs in;
  const double end = world.now + time_limit;
  while (world.now < end) {
    in.knowledge = world.see();
    in.feedback = world.feedback;
    const auto& out = behavior.step(in, world.now);
    world.act(out.orders, 0.05);
    const Vector2d& b = world.ball;
    if (std::abs(b.x()) > 4.5 && std::abs(b.y()) < 1.23) return b.x() > 0.0 ? End::Goal : End::OwnGoal;
    if (std::abs(b.x()) > 4.57 || std::abs(b.y()) > 3.07) return End::Out;
  }
  return End::Time;
}

TEST(World, ScoresIntoAnEmptyGoalFromAnywhere) {
  const unsigned games = static_cast<unsigned>(hl_testing::count(50, 500));
  unsigned goals = 0, out = 0, own = 0, late = 0;
  for (unsigned seed = 10000; seed < 10000 + games; ++seed) {
    switch (play(seed, 120.0)) {
      case End::Goal:
        ++goals;
        break;
      case End::Out:
        ++out;
        break;
      case End::OwnGoal:
        ++own;
        break;
      case End::Time:
        ++late;
        break;
    }
  }
  EXPECT_GE(goals * 100, games * 85) << "out " << out << ", too late " << late << ", own goals " << own;
  EXPECT_EQ(own, 0u);
}

TEST(Behavior, APenalisedRobotGetsNoOrders) {
  World world(1);
  world.ball = {1, 0};
  Behavior behavior{Behavior::Params()};
  Behavior::Inputs in;
  in.knowledge = world.see();
  ASSERT_TRUE(behavior.step(in, world.now).orders.navigate);
  in.knowledge.game.penalized = true;
  const auto& out = behavior.step(in, world.now + 0.1);
  EXPECT_FALSE(out.orders.navigate);
  EXPECT_FALSE(out.orders.kick);
}

TEST(Behavior, ATaskDecidesInsteadOfTheTacticsButNotOverAPenalty) {
  World world(1);
  world.ball = {1, 0};
  Behavior behavior{Behavior::Params()};
  Behavior::Inputs in;
  in.knowledge = world.see();
  Decision task;
  GoToPose go;
  go.pose = {-2, 1, 0};
  task.move = MoveSkill(go);
  in.task = task;
  const auto& out = behavior.step(in, world.now);
  ASSERT_TRUE(out.orders.navigate);
  EXPECT_DOUBLE_EQ(out.orders.navigate->goal.pose.x, -2.0);
  EXPECT_STREQ(out.decision.row, "task");
  in.knowledge.game.penalized = true;
  EXPECT_FALSE(behavior.step(in, world.now + 0.1).orders.navigate);
}

TEST(Behavior, AnOldModelIsNoKnowledge) {
  World world(1);
  world.ball = {1, 0};
  Behavior behavior{Behavior::Params()};
  Behavior::Inputs in;
  in.knowledge = world.see();
  EXPECT_STREQ(behavior.step(in, world.now).decision.row, "play: striker");
  const auto& later = behavior.step(in, world.now + 2.0);
  EXPECT_STREQ(later.decision.row, "pose unknown");
  EXPECT_FALSE(later.orders.navigate);
  EXPECT_NEAR(later.data_age, 2.0, 1e-9);
}

TEST(Behavior, TheTeamsBallCountsWhenTheOwnEyesSeeNone) {
  World world(1);
  world.ball = {1, 0};
  Behavior behavior{Behavior::Params()};
  Behavior::Inputs in;
  in.knowledge = world.see();
  in.knowledge.team = in.knowledge.personal;
  in.knowledge.team->ball.source = 3;
  in.knowledge.personal.ball.confidence = 0.0;
  EXPECT_STREQ(behavior.step(in, world.now).decision.row, "play: striker");
}

}  // namespace
