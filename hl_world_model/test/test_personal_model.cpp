// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "evaluation.hpp"
#include "hl_testing/isolation.hpp"

namespace {

using namespace hl_world_model;
using namespace hl_world_model::evaluation;
using Eigen::Vector2d;
using hl_soccer::BodyState;

/// Stands and looks at a ball that lies `distance` ahead.
Trial at_ball(std::uint64_t seed, double distance, double seconds = 2.0) {
  Trial trial({}, seed);
  trial.world.walking = false;
  trial.world.ball = Vector2d(distance, 0.0);
  trial.go(seconds);
  return trial;
}

TEST(PersonalModel, AThingThatNothingMarksAsARobotMustBeSeenAgainAndAgain) {
  // Seen in every `every`-th of two seconds' pictures: how many robots are believed then.
  const auto believed = [](hl_soccer::ObstacleKind kind, int every) {
    PersonalModel model(PersonalModel::Params{});
    PersonalModel::Outputs outputs;
    for (int n = 0; n < 30; ++n) {
      PersonalModel::Inputs inputs;
      const double now = 1.0 + n / 15.0;
      inputs.odometry = hl_soccer::Odometry{now, {}};
      hl_soccer::Percepts picture;
      picture.stamp = now;
      picture.view = {{0.2, -0.3}, {4.0, -3.0}, {4.0, 3.0}, {0.2, 0.3}};
      if (n % every == 0) {
        hl_soccer::SeenObstacle thing;
        thing.kind = kind;
        thing.position = {1.5, 0.0};
        thing.covariance.setZero();
        thing.confidence = kind == hl_soccer::ObstacleKind::Undefined ? 0.4 : 0.8;
        picture.obstacles.push_back(thing);
      }
      inputs.percepts.push_back(picture);
      outputs = model.step(inputs, now);
    }
    return outputs.model.robots.size();
  };
  using hl_soccer::ObstacleKind;
  EXPECT_EQ(believed(ObstacleKind::Undefined, 4), 0u) << "a line that is taken for a thing now and then";
  EXPECT_EQ(believed(ObstacleKind::Undefined, 1), 1u);
  EXPECT_EQ(believed(ObstacleKind::RobotRed, 1), 1u);
}

TEST(PersonalModel, BallWhileWalking) {
  const Walking result = walking({}, 1, 5);
  EXPECT_LT(result.near, 0.10);
  EXPECT_LT(result.far, 0.25);
  EXPECT_LT(result.robots, 0.25);
}

TEST(PersonalModel, AWronglyMountedCameraIsCountedIn) {
  int inside = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Scenario crooked;
    crooked.world.mount_error = 0.012;
    Trial trial(crooked, seed);
    trial.world.walking = false;
    trial.world.ball = Vector2d(1.0 + 0.04 * static_cast<double>(seed), 0.3);
    trial.go(3.0);
    const auto& ball = trial.outputs.model.ball;
    if (ball.confidence <= 0.0) continue;
    const Vector2d off = ball.position - trial.true_ball();
    inside += off.dot(ball.covariance.topLeftCorner<2, 2>().inverse() * off) < 5.991;
    ++all;
  }
  EXPECT_GT(all, 50);
  EXPECT_GT(inside, 0.88 * all) << "the 95 % ellipse of a ball that lies still";
}

TEST(PersonalModel, VelocityAfterAKick) {
  EXPECT_LT(velocity_after_kick({}, 1.5, 1, 30), 0.25);
}

TEST(BallTrack, TheFirstSightAfterAKickTellsTheSpeedToo) {
  constexpr double kPicture = 1.0 / 15.0;
  const Eigen::Matrix2d noise = 4e-4 * Eigen::Matrix2d::Identity();
  const Vector2d velocity(0.0, 1.5);
  BallTrack track = BallTrack::begin({1.5, 0.0}, noise, 0.0);
  for (int n = 1; n <= 34; ++n) {
    track.predict(kPicture, 0.0, Rolling{});
    track.update(Vector2d(1.5, 0.0) + std::max(0, n - 30) * kPicture * velocity, noise, 0.8, n * kPicture);
    if (n < 31) {
      EXPECT_LT(track.velocity().norm(), 0.05);
    } else {
      EXPECT_GT(track.roll.tail<2>().dot(velocity), 0.5 * velocity.squaredNorm()) << "if it rolls";
    }
  }
  EXPECT_LT((track.velocity() - velocity).norm(), 0.3);
}

TEST(PersonalModel, TellsWhenAShotCrossesTheLine) {
  EXPECT_LT(crossing_time({}, 1, 30), 0.3);
}

TEST(PersonalModel, ABallThatIsGoneIsForgotten) {
  EXPECT_LT(forgetting({}, 1, 20), 3.0);
}

TEST(PersonalModel, AFarBallGetsNoVelocity) {
  EXPECT_LT(false_velocity({}, 1, 10), 0.1);
}

TEST(PersonalModel, LateDataCountAtTheirTime) {
  Scenario late;
  late.delay = 0.12;
  late.jitter = 0.1;
  const double with = walking(late, 1, 3).near;
  late.compensated = false;
  EXPECT_LT(with, walking(late, 1, 3).near);
}

TEST(PersonalModel, AFalseBallSeenOnceIsNeverBelieved) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    Trial trial({}, seed);
    trial.world.walking = false;
    trial.world.scanning = true;
    trial.watching = false;
    int look = 0;
    trial.disturb = [&look](hl_soccer::Percepts& percepts) {
      if (++look != 30) return;
      percepts.ball = hl_soccer::SeenBall{{1.5, 0.3}, Eigen::Matrix2d::Zero(), 1.0};
    };
    for (int n = 0; n < 100; ++n) {
      trial.go(0.05);
      ASSERT_EQ(trial.outputs.model.ball.confidence, 0.0) << seed;
    }
  }
}

TEST(PersonalModel, AFalseBallDoesNotReplaceTheTrueOne) {
  Trial trial = at_ball(3, 1.0);
  trial.disturb = [](hl_soccer::Percepts& percepts) {
    percepts.ball = hl_soccer::SeenBall{{3.0, 2.0}, Eigen::Matrix2d::Zero(), 1.0};
  };
  trial.go(0.04);
  trial.disturb = nullptr;
  trial.go(0.5);
  EXPECT_LT(trial.ball_error(), 0.1);
  EXPECT_LT(trial.outputs.model.ball.velocity.norm(), 0.1);
}

TEST(PersonalModel, AJumpOfTheLocalisationDoesNotMoveTheBall) {
  Trial trial = at_ball(4, 1.0);
  const Vector2d before = trial.outputs.model.ball.position;
  trial.inputs.pose.pose = {3.0, 2.0, 1.0};
  trial.inputs.percepts.clear();
  const auto out = trial.personal.step(trial.inputs, trial.world.time);
  EXPECT_EQ(out.model.ball.position, before);
  EXPECT_EQ(out.model.pose.pose.x, 3.0);
}

TEST(PersonalModel, ARestartedOdometryDoesNotMoveTheBall) {
  Trial trial = at_ball(5, 1.0);
  const Vector2d before = trial.outputs.model.ball.position;
  PersonalModel::Inputs inputs;
  inputs.odometry = hl_soccer::Odometry{trial.world.time + 0.02, {5.0, 5.0, 2.0}};
  const auto out = trial.personal.step(inputs, trial.world.time + 0.02);
  EXPECT_LT((out.model.ball.position - before).norm(), 0.02);
  EXPECT_EQ(out.refused.odometry, 1);
}

TEST(PersonalModel, OdometryThatIsImpossiblyFarIsRefused) {
  Trial trial = at_ball(6, 1.0);
  const Vector2d before = trial.outputs.model.ball.position;
  PersonalModel::Inputs inputs;
  inputs.odometry = hl_soccer::Odometry{trial.world.time + 0.02, {1e290, 0.0, 0.0}};
  const auto out = trial.personal.step(inputs, trial.world.time + 0.02);
  EXPECT_LT((out.model.ball.position - before).norm(), 1e-6);
  EXPECT_EQ(out.refused.odometry, 1);
}

TEST(PersonalModel, HiddenByARobotIsNotGone) {
  Trial trial = at_ball(6, 2.5);
  KinematicWorld::OtherRobot robot;
  robot.position = {1.5, 0.0};
  trial.world.others = {robot};
  trial.go(2.0);
  EXPECT_GT(trial.outputs.model.ball.confidence, 0.5);
}

TEST(PersonalModel, AFalseRobotSeenOnceHidesNothing) {
  Trial trial = at_ball(6, 2.5);
  trial.disturb = [](hl_soccer::Percepts& percepts) {  // between the feet and what the camera sees of the ground
    hl_soccer::SeenObstacle thing;
    thing.kind = hl_soccer::ObstacleKind::RobotRed;
    thing.position = {0.45, 0.0};
    thing.confidence = 0.8;
    percepts.obstacles.push_back(thing);
  };
  trial.go(0.04);
  trial.disturb = nullptr;
  trial.world.ball.reset();
  trial.go(1.5);
  EXPECT_EQ(trial.outputs.model.ball.confidence, 0.0);
}

TEST(PersonalModel, HiddenByTheFeetIsNotGone) {
  Trial trial = at_ball(7, 0.5);
  trial.world.ball = Vector2d(0.15, 0.05);
  trial.go(1.0);
  trial.disturb = [](hl_soccer::Percepts& percepts) { percepts.ball.reset(); };
  trial.go(2.0);
  EXPECT_GT(trial.outputs.model.ball.confidence, 0.5);
}

TEST(PersonalModel, NotLookedAtItIsRememberedWithDoubt) {
  Trial trial = at_ball(8, 2.0);
  const auto doubt = [&trial] { return trial.outputs.model.ball.covariance.diagonal().head<2>().sum(); };
  const double sharp = doubt();
  trial.watching = false;
  trial.world.scanning = false;
  trial.world.pan = 1.4;
  trial.go(5.0);
  EXPECT_GT(trial.outputs.model.ball.confidence, 0.5);
  EXPECT_GT(doubt(), sharp);
  trial.go(12.0);
  EXPECT_EQ(trial.outputs.model.ball.confidence, 0.0);
}

TEST(PersonalModel, RobotsKeepTheirIdentity) {
  Trial trial({}, 9);
  trial.world.walking = false;
  trial.watching = false;
  trial.world.scanning = false;
  trial.world.tilt = 0.3;
  KinematicWorld::OtherRobot a, b;
  a.position = {1.2, 0.4};
  a.velocity = {0.15, 0.0};
  a.number = 3;
  b.position = {2.5, -0.6};
  b.velocity = {-0.1, 0.0};
  b.blue = false;
  b.number = 5;
  trial.world.others = {a, b};
  trial.go(1.0);
  ASSERT_EQ(trial.outputs.model.robots.size(), 2u);
  const auto first = trial.outputs.model.robots;
  trial.go(3.0);
  ASSERT_EQ(trial.outputs.model.robots.size(), 2u);
  for (const auto& robot : trial.outputs.model.robots) {
    const bool is_a = robot.team == hl_soccer::Team::Own;
    const auto& truth = trial.world.others[is_a ? 0 : 1];
    EXPECT_LT((robot.position - truth.position).norm(), 0.3);
    EXPECT_LT((robot.velocity - truth.velocity).norm(), 0.25);
    const auto same = std::find_if(first.begin(), first.end(), [&](const auto& r) { return r.id == robot.id; });
    ASSERT_NE(same, first.end());
    EXPECT_EQ(same->team, robot.team);
    if (is_a) {
      EXPECT_EQ(robot.number, 3);
    }
  }
}

TEST(PersonalModel, LateAndInOrderGiveTheSame) {
  KinematicWorld world({}, {}, 11);
  world.walking = false;
  world.scanning = false;
  world.ball = Vector2d(1.5, 0.0);
  world.ball_velocity = {0.3, 0.5};
  PersonalModel ordered{PersonalModel::Params{}}, mixed{PersonalModel::Params{}};
  std::vector<hl_soccer::Percepts> looks;
  PersonalModel::Inputs inputs;
  for (int n = 0; n < 12; ++n) {
    world.advance(0.04);
    inputs.odometry = world.odometry();
    inputs.percepts.clear();
    ordered.step(inputs, world.time);
    mixed.step(inputs, world.time);
    looks.push_back(world.look());
  }
  inputs.percepts = looks;
  const auto a = ordered.step(inputs, world.time);
  std::swap(inputs.percepts[3], inputs.percepts[9]);
  std::swap(inputs.percepts[1], inputs.percepts[11]);
  const auto b = mixed.step(inputs, world.time);
  EXPECT_GT(b.reordered, 0);
  ASSERT_GT(a.model.ball.confidence, 0.0);
  EXPECT_LT((a.model.ball.position - b.model.ball.position).norm(), 1e-9);
  EXPECT_LT((a.model.ball.velocity - b.model.ball.velocity).norm(), 1e-9);
}

TEST(PersonalModel, EachPictureCountsOnce) {
  Trial trial = at_ball(12, 1.0);
  PersonalModel::Inputs inputs;
  inputs.percepts = {trial.world.look()};
  const auto once = trial.personal.step(inputs, trial.world.time);
  const auto again = trial.personal.step(inputs, trial.world.time);
  EXPECT_EQ(again.refused.repeated, once.refused.repeated + 1);
  EXPECT_EQ(once.model.ball.position, again.model.ball.position);
}

TEST(PersonalModel, BadInputIsRefusedAndCounted) {
  Trial trial = at_ball(13, 1.0);
  PersonalModel::Inputs inputs;
  hl_soccer::Percepts percepts;
  for (const double stamp : {std::nan(""), trial.world.time + 5.0, trial.world.time - 5.0}) {
    percepts.stamp = stamp;
    inputs.percepts.push_back(percepts);
  }
  percepts.stamp = trial.world.time - 0.001;
  percepts.ball = hl_soccer::SeenBall{{std::nan(""), 0.0}, Eigen::Matrix2d::Identity(), 1.0};
  inputs.percepts.push_back(percepts);
  const auto out = trial.personal.step(inputs, trial.world.time);
  EXPECT_EQ(out.refused.stamps, 3);
  EXPECT_EQ(out.refused.values, 1);
  EXPECT_TRUE(out.model.ball.position.allFinite());
}

TEST(PersonalModel, BeingCarriedForgets) {
  Trial trial = at_ball(14, 1.0);
  trial.inputs.body = BodyState::PickedUp;
  trial.go(0.1);
  EXPECT_EQ(trial.outputs.model.ball.confidence, 0.0);
}

TEST(PersonalModel, BadParametersAreNamed) {
  PersonalModel::Params params;
  params.believed = 2.0;
  ASSERT_TRUE(params.validate());
  EXPECT_NE(params.validate()->find("believed"), std::string::npos);
  EXPECT_FALSE(PersonalModel::Params{}.validate());
}

TEST(PersonalModel, StatisticsOfManyRuns) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "statistics over many runs: HL_FULL=1";
  const Walking result = walking({}, 10000, 100);
  EXPECT_LT(result.near, 0.10);
  EXPECT_LT(result.far, 0.25);
  EXPECT_LT(velocity_after_kick({}, 1.5, 10000, 100), 0.25);
  EXPECT_LT(crossing_time({}, 10000, 100), 0.3);
  EXPECT_LT(forgetting({}, 10000, 100), 3.0);
  EXPECT_LT(false_velocity({}, 10000, 100), 0.1);
  EXPECT_LT(ball_from_team(10000, 100), 0.4);
}

}  // namespace
