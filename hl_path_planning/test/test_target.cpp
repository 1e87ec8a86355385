// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "hl_path_planning/target.hpp"

using namespace hl_path_planning;

namespace {

const Params kParams;

Goal kick_goal() {
  Goal goal;
  goal.kind = GoalKind::KickPose;
  goal.ball = Vector2d(1.0, 0.0);
  return goal;
}

}  // namespace

TEST(KickPose, IsBehindTheBallWithTheBallBeforeTheFoot) {
  Goal goal = kick_goal();
  for (const Foot foot : {Foot::Left, Foot::Right}) {
    goal.foot = foot;
    TargetFinder finder;
    const Target target = finder.find(goal, Pose2{0.7, 0.0, 0.0}, 0.0, kParams, 0.0);
    ASSERT_TRUE(target.final);
    const Vector2d ball = target.pose.inverse() * goal.ball;
    EXPECT_NEAR(ball.x(), kParams.kick_ahead, 1e-9);
    EXPECT_NEAR(ball.y(), foot == Foot::Left ? kParams.kick_aside : -kParams.kick_aside, 1e-9);
    EXPECT_FALSE(target.ball);
  }
}

TEST(KickPose, FromTheOtherSideTheBallIsGoneRound) {
  TargetFinder finder;
  const Target target = finder.find(kick_goal(), Pose2{3.0, 0.0, M_PI}, 0.0, kParams, 0.0);
  EXPECT_FALSE(target.final);
  ASSERT_TRUE(target.ball);
  EXPECT_GT((target.pose.position() - target.ball->centre).norm(), target.ball->radius);
}

TEST(KickPose, KeepsTheFootWhileBothAreAboutAsNear) {
  TargetFinder finder;
  finder.find(kick_goal(), Pose2{0.5, 0.05, 0.0}, 0.0, kParams, 0.0);
  const Foot chosen = finder.foot();
  finder.find(kick_goal(), Pose2{0.5, -0.02, 0.0}, 0.0, kParams, 0.0);
  EXPECT_EQ(finder.foot(), chosen);
}

TEST(KickPose, GoesWhereTheBallWillBe) {
  Goal goal = kick_goal();
  goal.ball_velocity = Vector2d(0.0, 0.3);
  TargetFinder finder;
  const Target target = finder.find(goal, Pose2{-3.0, 0.0, 0.0}, 3.0, kParams, 0.0);
  const double stops = 0.3 * 0.3 / (2.0 * kParams.ball_deceleration);
  EXPECT_NEAR(target.pose.y, stops, kParams.kick_aside + 1e-6);
}

TEST(Ball, RollsUntilItStands) {
  EXPECT_NEAR(rolled({0, 0}, {1.0, 0.0}, 100.0, 0.5).x(), 1.0, 1e-9);
  EXPECT_NEAR(rolled({0, 0}, {1.0, 0.0}, 1.0, 0.5).x(), 0.75, 1e-9);
  EXPECT_EQ(rolled({2, 3}, {0.0, 0.0}, 1.0, 0.5), Vector2d(2, 3));
}

TEST(Orbit, StandsOppositeOfTheDirectionLookingAtTheBall) {
  Goal goal;
  goal.kind = GoalKind::Orbit;
  goal.ball = Vector2d(1.0, 1.0);
  goal.direction = M_PI_2;
  goal.radius = 0.5;
  TargetFinder finder;
  const Target target = finder.find(goal, Pose2(), 0.0, kParams, 0.0);
  EXPECT_NEAR(target.pose.x, 1.0, 1e-9);
  EXPECT_NEAR(target.pose.y, 0.5, 1e-9);
  EXPECT_EQ(target.heading, HeadingMode::At);
}

TEST(Follow, LeadsTheMovingTarget) {
  Goal goal;
  goal.kind = GoalKind::Follow;
  goal.target = Vector2d(1.0, 0.0);
  goal.target_velocity = Vector2d(0.2, 0.0);
  goal.pose = {-1.0, 0.5, 0.0};
  TargetFinder finder;
  const Target target = finder.find(goal, Pose2(), 0.0, kParams, 1.0);
  EXPECT_NEAR(target.pose.x, 0.3, 1e-9);
  EXPECT_NEAR(target.pose.y, 0.5, 1e-9);
}

TEST(Goal, MovesToAnotherFrame) {
  Goal goal = kick_goal();
  goal.pose = {1.0, 0.0, 0.0};
  const Goal turned = moved(goal, Pose2{0.0, 0.0, M_PI_2});
  EXPECT_NEAR(turned.ball.y(), 1.0, 1e-9);
  EXPECT_NEAR(turned.direction, M_PI_2, 1e-9);
  EXPECT_NEAR(turned.pose.y, 1.0, 1e-9);
}

TEST(Goal, FaultsAreNamed) {
  EXPECT_EQ(find_fault(kick_goal()), std::nullopt);
  Goal goal;
  goal.frame = Frame::Unknown;
  EXPECT_THAT(find_fault(goal).value(), testing::HasSubstr("frame"));
  goal = Goal();
  goal.pose.yaw = std::nan("");
  EXPECT_THAT(find_fault(goal).value(), testing::HasSubstr("pose"));
  goal = Goal();
  goal.kind = static_cast<GoalKind>(9);
  EXPECT_THAT(find_fault(goal).value(), testing::HasSubstr("9"));
  goal = Goal();
  goal.radius = -1.0;
  EXPECT_THAT(find_fault(goal).value(), testing::HasSubstr("radius"));
  goal = Goal();
  goal.ball.x() = 1e9;
  EXPECT_TRUE(find_fault(goal));
}
