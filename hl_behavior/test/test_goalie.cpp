// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_behavior/tactics.hpp"
#include "world.hpp"

using namespace hl_behavior;
using namespace hl_behavior::test;

namespace {

/// `watched`: s the ball has been coming.
Decision keeper(const Pose2& pose, const Vector2d& ball, const Vector2d& velocity,
                const std::vector<Vector2d>& rivals = {}, double watched = 1.0) {
  TacticsParams params;
  auto k = knowledge(pose, ball, 10.0);
  k.game.own_player = 1;
  k.personal.ball.velocity = pose.rotation().inverse() * velocity;
  k.mates = {mate(3, Role::Striker, {2, 0, 0}, 20.0, 10.0)};
  for (const auto& rival : rivals) add_rival(k, rival);
  Memory memory;
  memory.shot_since = 10.0 - watched;
  memory.in_play = true;
  memory.phase = hl_soccer::GamePhase::Playing;
  return decide(assess(k, params, 10.0), params, memory);
}

DiveSide dive_of(const Decision& d) {
  return std::get<Dive>(*d.kick).side;
}

TEST(Goalie, ChoosesTheSaveByWhereTheBallPasses) {
  const Pose2 home{-4.0, 0, 0};
  const Vector2d shot(-1.2, 0.0);
  auto d = keeper(home, {-3.0, 0.6}, shot);
  ASSERT_TRUE(d.kick);
  EXPECT_EQ(dive_of(d), DiveSide::Left);
  d = keeper(home, {-3.0, -0.6}, shot);
  ASSERT_TRUE(d.kick);
  EXPECT_EQ(dive_of(d), DiveSide::Right);
  d = keeper(home, {-3.0, 0.17}, shot);
  ASSERT_TRUE(d.kick);
  EXPECT_EQ(dive_of(d), DiveSide::Middle);
  d = keeper(home, {-3.0, 0.0}, shot);
  ASSERT_TRUE(d.kick);
  EXPECT_TRUE(std::holds_alternative<Block>(*d.kick));
}

TEST(Goalie, DoesNotDiveForABallThatMissesStopsComesLateOrGoesAway) {
  const Pose2 home{-4.0, 0, 0};
  EXPECT_FALSE(keeper(home, {-3.0, 2.4}, {-1.2, 0.0}).kick);  // beside the goal
  EXPECT_FALSE(keeper(home, {-3.0, 0.6}, {-0.4, 0.0}).kick);  // stops before
  EXPECT_FALSE(keeper(home, {0.0, 0.6}, {-1.9, 0.0}).kick);   // later than it dives
  EXPECT_FALSE(keeper(home, {-3.0, 0.6}, {1.2, 0.0}).kick);   // away
  EXPECT_FALSE(keeper(home, {-3.0, 0.6}, {0.0, 0.0}).kick);   // rests
}

TEST(Goalie, WaitsUntilTheSpeedIsKnownIfThereIsTime) {
  const Pose2 home{-4.0, 0, 0};
  EXPECT_FALSE(keeper(home, {-3.0, 0.6}, {-1.4, 0.0}, {}, 0.1).kick) << "seen for a moment only";
  EXPECT_TRUE(keeper(home, {-3.0, 0.6}, {-1.4, 0.0}, {}, 0.4).kick);
  EXPECT_TRUE(keeper(home, {-3.2, 0.6}, {-2.2, 0.0}, {}, 0.1).kick) << "too near to wait";
}

TEST(Goalie, StepsIntoTheWayEarlyAndWaitsOnItsFeetLater) {
  const Pose2 home{-4.0, 0, 0};
  const auto early = keeper(home, {0.0, 0.6}, {-1.8, 0.0});
  ASSERT_TRUE(early.move);
  EXPECT_NEAR(std::get<GoKeepHeading>(*early.move).point.y(), 0.6, 0.05);
  EXPECT_FALSE(keeper(home, {0.0, 0.05}, {-1.8, 0.0}).move) << "it is in the way already";
  const auto later = keeper(home, {-2.0, 0.6}, {-1.3, 0.0});
  EXPECT_FALSE(later.move) << "legs that walk cannot dive";
  EXPECT_FALSE(later.kick);
}

TEST(Goalie, ComesOutWhenItIsFirstAndStaysWhenNot) {
  const Pose2 home{-4.0, 0, 0};
  auto out = keeper(home, {-3.2, 0.3}, {0, 0});
  ASSERT_TRUE(out.move);
  EXPECT_TRUE(std::holds_alternative<ApproachBall>(*out.move));
  EXPECT_FALSE(keeper(home, {-3.2, 0.3}, {0, 0}, {{-2.9, 0.3}}).move) << "an opponent is nearer";
  EXPECT_FALSE(keeper(home, {-1.0, 0.3}, {0, 0}).move) << "too far";
}

TEST(Goalie, DivesWhenTheBodyCanStillBeDownInTime) {
  const Pose2 home{-4.0, 0, 0};
  EXPECT_TRUE(keeper(home, {-2.6, 0.6}, {-1.2, 0.0}).kick) << "passes in 1.5 s";
  const auto late = keeper(home, {-3.2, 0.2}, {-1.3, 0.0});
  ASSERT_TRUE(late.kick);
  EXPECT_EQ(dive_of(late), DiveSide::Middle) << "0.6 s: too late to throw itself down";
}

TEST(Goalie, ABallAtItsFeetIsItsOwnWhateverAStrikerSays) {
  // Otherwise it stands where the striker has to stand, and both wait.
  const auto with_striker_at = [](const Vector2d& ball) {
    auto k = knowledge({-4.2, -0.4, -0.5}, ball, 10.0);
    k.game.own_player = 1;
    k.mates = {mate(3, Role::Striker, {-4.3, -1.0, 0}, 0.5, 10.0)};
    Memory memory;
    memory.in_play = true;
    memory.phase = hl_soccer::GamePhase::Playing;
    const auto d = decide(assess(k, TacticsParams(), 10.0), TacticsParams(), memory);
    return d.move && std::holds_alternative<ApproachBall>(*d.move);
  };
  EXPECT_TRUE(with_striker_at({-4.04, -0.72}));
  EXPECT_FALSE(with_striker_at({-3.5, -1.0}));
}

TEST(Goalie, DoesNotWalkForAShortWay) {
  EXPECT_FALSE(keeper({-4.0, -0.2, 0.3}, {0, 0}, {0, 0}).move);
  EXPECT_TRUE(keeper({-4.0, -0.4, 0.0}, {0, 0}, {0, 0}).move);
  EXPECT_TRUE(keeper({-4.0, 0.0, 0.6}, {0, 0}, {0, 0}).move);
}

TEST(Goalie, StandsBetweenBallAndGoalCentre) {
  for (const Vector2d& ball : {Vector2d(0, 0), Vector2d(-2, 2.5), Vector2d(-2, -2.5), Vector2d(-4.2, 2.5)}) {
    const auto d = keeper({-4.2, -0.9, 1.5}, ball, {0, 0}, {ball + Vector2d(0.2, 0)});
    const Pose2 pose = std::get<GoToPose>(*d.move).pose;
    const Vector2d way = (ball - Vector2d(-4.5, 0)).normalized();
    const Vector2d from_goal = pose.position() - Vector2d(-4.5, 0);
    const double off = std::abs(from_goal.x() * way.y() - from_goal.y() * way.x());
    EXPECT_LT(off, 0.3) << ball.transpose();
    EXPECT_LE(pose.x, -3.5);
  }
}

}  // namespace
