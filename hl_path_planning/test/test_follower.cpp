// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <random>

#include "hl_path_planning/avoidance.hpp"
#include "hl_path_planning/follower.hpp"
#include "hl_path_planning/progress.hpp"

using namespace hl_path_planning;

namespace {

const Params kParams;
const WalkingLimits kLimits;

Follower::Motion follow(const std::vector<Vector2d>& way, double end_heading, const Pose2& here,
                        HeadingMode mode = HeadingMode::Free) {
  Follower follower;
  FollowRequest request;
  request.way = &way;
  request.end_heading = end_heading;
  request.heading = mode;
  request.kept_heading = here.yaw;
  request.look_at = Vector2d(0.0, 5.0);
  return follower.follow(request, here, kLimits, kParams);
}

}  // namespace

TEST(Follower, FarAwayItTurnsAndWalksForward) {
  const auto turns = follow({{0.0, 0.0}, {0.0, 3.0}}, 0.0, Pose2{0.0, 0.0, 0.0});
  EXPECT_GT(turns.velocity.yaw, 0.9);
  EXPECT_NEAR(turns.velocity.linear().norm(), 0.0, 0.02);
  const auto walks = follow({{0.0, 0.0}, {0.0, 3.0}}, 0.0, Pose2{0.0, 0.0, M_PI_2});
  EXPECT_NEAR(walks.velocity.x, kLimits.forward, 0.01);
  EXPECT_NEAR(walks.velocity.y, 0.0, 1e-6);
}

TEST(Follower, NearItMovesSidewaysAndBackwardsWithTheFinalHeading) {
  const auto side = follow({{0.0, 0.0}, {0.0, 0.15}}, 0.0, Pose2());
  EXPECT_GT(side.velocity.y, 0.1);
  EXPECT_NEAR(side.velocity.yaw, 0.0, 1e-6);
  const auto back = follow({{0.0, 0.0}, {-0.25, 0.0}}, 0.0, Pose2());
  EXPECT_LT(back.velocity.x, -0.1);
  EXPECT_NEAR(back.velocity.yaw, 0.0, 1e-6);
}

TEST(Follower, HeadingModesHold) {
  const std::vector<Vector2d> way = {{0.0, 0.0}, {3.0, 0.0}};
  EXPECT_GT(follow(way, 1.0, Pose2(), HeadingMode::Goal).velocity.yaw, 0.5);
  EXPECT_EQ(follow(way, 1.0, Pose2{0.0, 0.0, 0.3}, HeadingMode::Keep).velocity.yaw, 0.0);
  EXPECT_GT(follow(way, 0.0, Pose2(), HeadingMode::At).velocity.yaw, 0.5);
}

TEST(Follower, SlowsDownBeforeATurnAndBeforeTheEnd) {
  const Pose2 here;
  const double straight = follow({{0.0, 0.0}, {3.0, 0.0}}, 0.0, here).velocity.x;
  const double corner = follow({{0.0, 0.0}, {0.35, 0.0}, {0.35, 2.0}}, M_PI_2, here).velocity.x;
  const double end = follow({{0.0, 0.0}, {0.1, 0.0}}, 0.0, here).velocity.x;
  EXPECT_LT(corner, 0.7 * straight);
  EXPECT_LT(end, 0.7 * straight);
}

TEST(Follower, StandsWithinTolerance) {
  const auto motion = follow({{0.0, 0.0}, {0.01, 0.0}}, 0.0, Pose2());
  EXPECT_TRUE(motion.arrived);
  EXPECT_TRUE(motion.velocity.is_zero());
}

TEST(Follower, NeverAsksForMoreThanTheLegsCanDo) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-4.0, 4.0), angle(-M_PI, M_PI);
  for (int run = 0; run < 10'000; ++run) {
    std::vector<Vector2d> way(1 + static_cast<std::size_t>(run % 6));
    for (Vector2d& p : way) p = Vector2d(place(random), place(random));
    const Pose2 here{place(random), place(random), angle(random)};
    const auto motion = follow(way, angle(random), here, static_cast<HeadingMode>(run % 4));
    ASSERT_TRUE(motion.velocity.finite());
    ASSERT_LE(kLimits.parts(motion.velocity), 1.0 + 1e-6);
    ASSERT_GE(motion.time_left, 0.0);
  }
}

TEST(CommandsInFlight, AreStillToCome) {
  CommandsInFlight commands;
  for (int i = 0; i <= 100; ++i) commands.add({0.4, 0.0, 0.0}, 0.02 * i);
  EXPECT_NEAR(commands.ahead(Pose2(), 2.0, kLimits).x, 0.4 * kLimits.delay, 1e-6);
}

TEST(CommandsInFlight, FromAStandTheFirstStepTakesItsTime) {
  CommandsInFlight commands;
  for (int i = 0; i <= 10; ++i) commands.add({0.4, 0.0, 0.0}, 0.02 * i);
  EXPECT_EQ(commands.ahead(Pose2(), 0.2, kLimits).x, 0.0);
}

TEST(Avoidance, TimeToContact) {
  EXPECT_NEAR(time_to_contact({2.0, 0.0}, {0.5, 0.0}, 0.5), 3.0, 1e-9);
  EXPECT_TRUE(std::isinf(time_to_contact({2.0, 0.0}, {-0.5, 0.0}, 0.5)));
  EXPECT_TRUE(std::isinf(time_to_contact({2.0, 0.0}, {0.5, 0.5}, 0.5)));
  EXPECT_EQ(time_to_contact({0.3, 0.0}, {0.1, 0.0}, 0.5), 0.0);
  EXPECT_TRUE(std::isinf(time_to_contact({0.3, 0.0}, {0.0, 0.0}, 0.5)));
}

TEST(Avoidance, LeavesTheVelocityAloneIfNobodyIsNear) {
  const auto result = avoid_robots({0.4, 0.0, 0.0}, {}, Pose2(), {}, kLimits, kParams);
  EXPECT_EQ(result.robot, -1);
  EXPECT_EQ(result.velocity.x, 0.4);
}

TEST(Avoidance, DoesNotWalkIntoARobotAhead) {
  const OtherRobot robot{3, {0.5, 0.0}, {0.0, 0.0}, kParams.robot_radius};
  const auto result = avoid_robots({0.4, 0.0, 0.0}, {0.4, 0.0, 0.0}, Pose2(), {robot}, kLimits, kParams);
  EXPECT_EQ(result.robot, 0);
  EXPECT_LT(result.velocity.x, 0.2);
  EXPECT_LE(kLimits.parts(result.velocity), 1.0 + 1e-9);
}

TEST(Progress, StandingAlthoughItShouldWalkIsNoticed) {
  Progress progress;
  progress.restart(0.0);
  EXPECT_EQ(progress.update(Pose2(), true, 10.0, kParams, 0.0), Progress::Verdict::Fine);
  EXPECT_EQ(progress.update(Pose2(), true, 10.0, kParams, 1.9), Progress::Verdict::Fine);
  EXPECT_EQ(progress.update(Pose2(), true, 10.0, kParams, 2.1), Progress::Verdict::Stuck);
}

TEST(Progress, CirclingIsNoticed) {
  Progress progress;
  progress.restart(0.0);
  auto verdict = Progress::Verdict::Fine;
  for (double t = 0.0; t < kParams.circling_time + 0.5; t += 0.1)
    verdict = progress.update({std::cos(t), std::sin(t), t}, true, 10.0, kParams, t);
  EXPECT_EQ(verdict, Progress::Verdict::Circling);
}
