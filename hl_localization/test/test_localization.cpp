// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation.hpp"
#include "hl_testing/isolation.hpp"

namespace {

using namespace hl_localization;
using namespace hl_localization::evaluation;
using hl_soccer::BodyState;
using hl_soccer::GamePhase;

Scenario usual() {
  return {};
}

/// A run that knows where it is.
Trial known(std::uint64_t seed, const Scenario& with = {}) {
  Trial run(with, seed);
  run.world.place({-2.0, 1.0, 0.5});
  run.inputs.reset = Start::Pose;
  run.inputs.pose = PoseEstimate{run.world.robot, Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  run.go(5.0);
  return run;
}

TEST(Localization, KnowsWhereItIsWhileWalkingAbout) {
  const WalkResult result = walk_about(usual(), 1, 3, 60.0);
  EXPECT_LT(result.place.median, 0.15);
  EXPECT_LT(result.place.p95, 0.40);
  EXPECT_LT(result.heading.median, 5.0 * M_PI / 180.0);
  EXPECT_LT(result.heading.p95, 12.0 * M_PI / 180.0);
  EXPECT_GT(result.inside, 0.9);
}

TEST(Localization, FalseDetectionsHardlyMatter) {
  Scenario cluttered;
  cluttered.world.false_share = 0.2;
  const WalkResult result = walk_about(cluttered, 1, 3, 60.0);
  EXPECT_LT(result.place.median, 0.15);
  EXPECT_LT(result.place.p95, 0.40);
}

TEST(Localization, AWronglyMountedCameraIsCountedIn) {
  Scenario crooked;
  crooked.world.mount_error = 0.0175;
  const WalkResult result = walk_about(crooked, 1, 8, 60.0);
  EXPECT_LT(result.place.median, 0.15);
  EXPECT_LT(result.place.p95, 0.40);
  EXPECT_LT(result.heading.median, 5.0 * M_PI / 180.0);
  EXPECT_GT(result.inside, 0.9);
}

TEST(Localization, BetterThanOdometryAloneAndTheClosedForm) {
  const double ours = walk_about(usual(), 1, 2, 120.0).place.median;
  for (const Method method : {Method::OdometryOnly, Method::TwoLandmarks}) {
    Scenario other;
    other.method = method;
    EXPECT_LT(ours, walk_about(other, 1, 2, 120.0).place.median);
  }
}

TEST(Localization, FindsItselfWithinSeconds) {
  for (const Surprise surprise : {Surprise::Unknown, Surprise::Carried, Surprise::Reentry, Surprise::Fall}) {
    const Percentiles times = percentiles(until_found(usual(), surprise, 1, 10));
    EXPECT_LT(times.median, 6.0) << static_cast<int>(surprise);
    EXPECT_LT(times.p95, 20.0) << static_cast<int>(surprise);
  }
}

TEST(Localization, WithoutCompassTheSideIsKeptOnceKnown) {
  Scenario without;
  without.world.compass = false;
  EXPECT_EQ(walk_about(without, 1, 2, 120.0).flips, 0);
}

TEST(Localization, MuchThatIsSeenWronglyDoesNotHideTheSide) {
  Scenario cluttered;
  cluttered.world.compass = false;
  cluttered.world.false_share = 0.4;
  int unsure = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Trial run = known(seed, cluttered);
    for (int second = 0; second < 60; ++second, ++all) {
      run.go(1.0);
      unsure += run.outputs.side < 0.9 ? 1 : 0;
    }
  }
  EXPECT_LT(unsure, all / 20);
}

TEST(Localization, TheCompassMendsAFlip) {
  Trial run(usual(), 3);
  run.world.place({-2.0, 1.0, 0.5});
  run.inputs.reset = Start::Pose;
  run.inputs.pose = PoseEstimate{opposite(run.world.robot), Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  run.go(1.0);
  EXPECT_GT(run.error().heading, 2.0) << "told wrongly, it must first believe it";
  run.go(15.0);
  EXPECT_LT(run.error().place, 0.5);
  EXPECT_GE(run.outputs.mended_flips, 1);
}

TEST(Localization, TheTeamsBallMendsAFlip) {
  Scenario without;
  without.world.compass = false;
  Trial run(without, 4);
  run.world.place({-2.0, 1.0, 0.5});
  run.world.walking = false;
  run.inputs.reset = Start::Pose;
  run.inputs.pose = PoseEstimate{opposite(run.world.robot), Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  run.go(1.0);
  const Eigen::Vector2d ball(-1.0, 1.5);
  for (int n = 0; n < 60; ++n) {
    run.inputs.own_ball = run.world.robot.inverse() * ball;
    run.inputs.team_balls = {ball};
    run.go(0.02);
    run.inputs.team_balls.clear();
    run.go(0.48);
  }
  EXPECT_LT(run.error().place, 0.5);
}

TEST(Localization, WhatOthersMoveByIsSmooth) {
  Trial run(usual(), 6);
  run.world.place({-2.0, 1.0, 0.5});
  run.inputs.reset = Start::Pose;
  run.inputs.pose = PoseEstimate{run.world.robot, Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  run.go(2.0);
  double belief = 0.0, transform = 0.0;  // m, longest step that was not walked
  for (int n = 0; n < 3000; ++n) {
    const Pose2 from = run.world.odometry().pose, believed = run.outputs.belief.pose, map = run.outputs.map_from_odom;
    run.go(0.02);
    const Pose2 to = run.world.odometry().pose, walked = from.inverse() * to;
    belief = std::max(belief, ((believed * walked).position() - run.outputs.belief.pose.position()).norm());
    transform = std::max(transform, ((map * to).position() - (run.outputs.map_from_odom * to).position()).norm());
  }
  EXPECT_LT(transform, 0.01);
  EXPECT_LT(transform, 0.5 * belief);
}

TEST(Localization, SymmetricKnowledgeIsNotCalledSure) {
  Scenario without;
  without.world.compass = false;
  Trial run(without, 5);
  run.world.place({-2.0, 1.0, 0.5});
  run.inputs.reset = Start::Anywhere;
  run.go(10.0);
  EXPECT_LT(run.outputs.belief.confidence, 0.3);
  EXPECT_LT(run.outputs.side, 0.9);
  EXPECT_TRUE(run.error().inside) << "the covariance must cover both sides";
}

TEST(Localization, NamedLandmarksTellTheSide) {
  Localization localization{Localization::Params{}};
  const Pose2 truth{1.0, 0.5, 2.0};
  Localization::Inputs inputs;
  inputs.reset = Start::Anywhere;
  Localization::Outputs outputs;
  for (int n = 0; n < 50; ++n) {
    const double now = 0.1 * n;
    inputs.odometry = hl_soccer::Odometry{now, {}};
    hl_soccer::Percepts percepts;
    percepts.stamp = now;
    for (const Eigen::Vector2d& flag : {Eigen::Vector2d(-4.5, 3.0), Eigen::Vector2d(-4.5, -3.0)}) {
      percepts.landmarks.push_back({flag, truth.inverse() * flag, 0.9});
    }
    inputs.percepts = {percepts};
    outputs = localization.step(inputs, now);
    inputs.reset.reset();
  }
  EXPECT_NEAR(outputs.belief.pose.x, truth.x, 0.1);
  EXPECT_NEAR(outputs.belief.pose.y, truth.y, 0.1);
  EXPECT_GT(outputs.side, 0.95);
}

TEST(Localization, AFallFreezesOdometryAndSpreads) {
  Trial run = known(6);
  const double before = run.outputs.belief.covariance.trace();
  run.inputs.body = BodyState::Fallen;
  const Pose2 lying = run.outputs.belief.pose;
  run.go(1.0);  // the legs go on moving
  EXPECT_NEAR(run.outputs.belief.pose.x, lying.x, 1e-9);
  EXPECT_GT(run.outputs.belief.covariance.trace(), before + 0.05);
}

TEST(Localization, AFallMayTurnTheRobotRoundButLeavesItWhereItWas) {
  Scenario without;
  without.world.compass = false;
  int right = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Trial run = known(seed, without);
    run.inputs.body = BodyState::Fallen;
    const Pose2 before = run.world.robot;
    run.go(1.0);
    run.world.place({before.x, before.y, before.yaw + M_PI});
    run.inputs.body = BodyState::Controllable;
    run.go(5.0);
    right += run.found() ? 1 : 0;
  }
  EXPECT_GE(right, 9);
}

TEST(Localization, AWayThatStumblesIsWorthLess) {
  Trial steady = known(6), stumbling = known(6);
  stumbling.inputs.stumbles = true;
  for (Trial* run : {&steady, &stumbling}) {
    run->inputs.percepts.clear();
    for (int n = 0; n < 100; ++n) {  // blindly
      run->world.advance(0.02);
      run->inputs.odometry = run->world.odometry();
      run->outputs = run->localization.step(run->inputs, run->world.time);
    }
  }
  EXPECT_EQ(stumbling.outputs.belief.pose.x, steady.outputs.belief.pose.x);
  EXPECT_GT(stumbling.outputs.belief.covariance.trace(), 2.0 * steady.outputs.belief.covariance.trace());
}

TEST(Localization, BeingCarriedForgets) {
  Trial run = known(7);
  ASSERT_TRUE(run.outputs.belief.known());
  run.inputs.body = BodyState::PickedUp;
  run.go(0.1);
  EXPECT_FALSE(run.outputs.belief.known());
  EXPECT_STREQ(run.outputs.reason, "unknown: somebody carries the robot");
}

TEST(Localization, StartsAtTheLinesInInitial) {
  Localization localization{Localization::Params{}};
  Localization::Inputs inputs;
  hl_soccer::GameState game;
  game.referee_connected = true;
  inputs.game = game;
  inputs.odometry = hl_soccer::Odometry{0.0, {}};
  const auto outputs = localization.step(inputs, 0.0);
  EXPECT_LT(outputs.belief.pose.x, 0.0);
  EXPECT_GT(outputs.hypotheses, 4);
}

TEST(Localization, KickOffIsPlayedFromTheOwnHalf) {
  Scenario without;
  without.world.compass = false;
  Trial run(without, 8);
  run.world.place({-2.0, 1.0, 0.5});
  run.world.walking = false;
  hl_soccer::GameState game;
  game.referee_connected = true;
  game.phase = GamePhase::Set;
  run.inputs.game = game;
  run.inputs.reset = Start::Anywhere;
  run.go(8.0);
  run.inputs.game->phase = GamePhase::Playing;
  run.go(0.5);
  EXPECT_LT(run.error().place, 0.5);
  EXPECT_GT(run.outputs.side, 0.9);
}

TEST(Localization, EachPictureCountsOnce) {
  Trial once = known(9), twice = known(9);
  const auto percepts = once.world.look();
  Localization::Inputs inputs;
  inputs.percepts = {percepts};
  const auto a = once.localization.step(inputs, once.world.time + 0.01);
  twice.localization.step(inputs, once.world.time + 0.01);
  const auto b = twice.localization.step(inputs, once.world.time + 0.02);
  EXPECT_EQ(a.belief.covariance, b.belief.covariance);
  EXPECT_GE(b.refused.repeated, 1);
}

TEST(Localization, LatePicturesCountAtTheirStamp) {
  for (const double delay : {0.03, 0.12, 0.3}) {
    Scenario late;
    late.delay = delay;
    EXPECT_LT(walk_about(late, 20, 2, 40.0).place.median, 0.12) << delay;
  }
}

TEST(Localization, ImpossibleStampsAreRefusedAndCounted) {
  Trial run = known(10);
  Localization::Inputs inputs;
  auto percepts = run.world.look();
  const double now = run.world.time;
  for (const double stamp : {now + 10.0, now - 10.0, std::nan("")}) {
    percepts.stamp = stamp;
    inputs.percepts.push_back(percepts);
  }
  const auto outputs = run.localization.step(inputs, now);
  EXPECT_EQ(outputs.refused.stamps, 3);
}

TEST(Localization, ASilentCameraMakesItUnsure) {
  Trial run = known(11);
  const double sure = run.outputs.belief.confidence;
  Localization::Inputs inputs;
  Localization::Outputs outputs;
  for (int n = 0; n < 3000; ++n) {  // a minute of walking blindly
    run.world.advance(0.02);
    inputs.odometry = run.world.odometry();
    outputs = run.localization.step(inputs, run.world.time);
  }
  EXPECT_LT(outputs.belief.confidence, 0.7 * sure);
  EXPECT_GT(outputs.belief.covariance.trace(), 0.05);
}

TEST(Localization, ARestartedOdometryDoesNotMoveTheRobot) {
  Trial run = known(12);
  const Pose2 before = run.outputs.belief.pose;
  Localization::Inputs inputs;
  inputs.odometry = hl_soccer::Odometry{run.world.time + 0.02, {7.0, -8.0, 3.0}};
  const auto outputs = run.localization.step(inputs, run.world.time + 0.02);
  EXPECT_NEAR(outputs.belief.pose.x, before.x, 1e-6);
  EXPECT_EQ(outputs.refused.odometry, 1);
}

TEST(Localization, BadParametersAreNamed) {
  Localization::Params params;
  params.noise.camera_height = -1.0;
  ASSERT_TRUE(params.validate());
  EXPECT_NE(params.validate()->find("camera_height"), std::string::npos);
  params = {};
  params.way_noise = std::nan("");
  EXPECT_TRUE(params.validate());
  EXPECT_FALSE(Localization::Params{}.validate());
}

TEST(Localization, StatisticsOfManyRuns) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "statistics over many runs: HL_FULL=1";
  const WalkResult walk = walk_about(usual(), 10000, 20, 300.0);
  EXPECT_LT(walk.place.median, 0.15);
  EXPECT_LT(walk.place.p95, 0.40);
  EXPECT_GT(walk.inside, 0.90);
  EXPECT_EQ(walk.flips, 0);
  EXPECT_LT(percentiles(until_found(usual(), Surprise::Unknown, 10000, 100)).p95, 20.0);
  EXPECT_LT(percentiles(until_found(usual(), Surprise::Carried, 10000, 100)).median, 6.0);
  EXPECT_LT(percentiles(until_found(usual(), Surprise::Fall, 10000, 100)).p95, 5.0);
}

}  // namespace
