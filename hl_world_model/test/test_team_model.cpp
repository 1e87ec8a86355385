// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation.hpp"

namespace {

using namespace hl_world_model;
using Eigen::Vector2d;
using hl_description::Pose2;

/// Stands at (-1, 0), looks along x, knows its pose and no ball.
TeamModel::Inputs alone() {
  TeamModel::Inputs inputs;
  inputs.own.pose.pose = {-1.0, 0.0, 0.0};
  inputs.own.pose.covariance = Eigen::Vector3d(0.01, 0.01, 0.001).asDiagonal();
  inputs.own.pose.confidence = 0.9;
  return inputs;
}

void sees_ball(TeamModel::Inputs& inputs, const Vector2d& in_map, double stamp) {
  auto& ball = inputs.own.ball;
  ball.position = inputs.own.pose.pose.inverse() * in_map;
  ball.covariance = Eigen::Matrix4d::Identity() * 0.01;
  ball.confidence = 0.9;
  ball.last_seen = stamp;
}

hl_soccer::TeamMate mate(int number, const Pose2& pose, const Vector2d& ball_in_map, double stamp) {
  hl_soccer::TeamMate m;
  m.number = number;
  m.stamp = stamp;
  m.activity = hl_soccer::Activity::Active;
  m.pose = pose;
  m.pose_covariance = Eigen::Vector3d(0.01, 0.01, 0.001).asDiagonal();
  m.pose_confidence = 0.9;
  m.ball = hl_soccer::BelievedPoint{pose.inverse() * ball_in_map, 0.9};
  return m;
}

TEST(TeamModel, BallFromATeamMate) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0)};
  const auto out = team.step(inputs, 10.2);
  EXPECT_EQ(out.model.ball.source, 3);
  EXPECT_LT((out.model.ball.position - Vector2d(3.5, 1.5)).norm(), 0.01);
  EXPECT_GT(out.model.ball.confidence, 0.5);
  EXPECT_EQ(out.verdicts.at(0).word, Word::Used);
}

TEST(TeamModel, AnOwnFreshBallIsNeverOverridden) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  sees_ball(inputs, {1.0, 0.0}, 10.0);
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.1), mate(4, {1.0, 1.0, 1.0}, {2.5, 1.5}, 10.1)};
  const auto out = team.step(inputs, 10.2);
  EXPECT_EQ(out.model.ball.source, 0);
  EXPECT_EQ(out.model.ball.position, inputs.own.ball.position);
}

TEST(TeamModel, StaleWordsDoNotCount) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0)};
  EXPECT_EQ(team.step(inputs, 13.0).model.ball.confidence, 0.0);
  EXPECT_EQ(team.step(inputs, 20.0).verdicts.at(0).word, Word::Stale);
}

TEST(TeamModel, TheSurerPoseCountsMore) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0), mate(4, {3.0, 1.0, 1.0}, {2.9, 1.5}, 10.0)};
  inputs.mates[1].pose_covariance = Eigen::Vector3d(0.5, 0.5, 0.1).asDiagonal();
  const auto out = team.step(inputs, 10.1);
  EXPECT_EQ(out.model.ball.source, 3);
  EXPECT_LT(out.model.ball.position.x(), 3.6);
  EXPECT_GT(out.model.ball.position.x(), 3.5);
}

TEST(TeamModel, AMateWithoutAPoseTellsNothing) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0)};
  inputs.mates[0].pose_covariance = Eigen::Matrix3d::Identity() * 1e3;
  const auto out = team.step(inputs, 10.1);
  EXPECT_EQ(out.model.ball.confidence, 0.0);
  EXPECT_EQ(out.verdicts.at(0).word, Word::NoPose);
}

TEST(TeamModel, AnEchoOfTheOwnWordDoesNotCount) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  sees_ball(inputs, {1.0, 0.5}, 10.0);
  team.step(inputs, 10.0);
  inputs.own.ball = {};
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {1.0, 0.5}, 11.5)};  // repeats what we said
  const auto out = team.step(inputs, 11.6);
  EXPECT_EQ(out.model.ball.confidence, 0.0);
  EXPECT_EQ(out.verdicts.at(0).word, Word::Echo);
}

TEST(TeamModel, AMirroredMateIsNoticedAndComesBack) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  const Vector2d ball(1.5, 1.0);
  double now = 10.0;
  TeamModel::Outputs out;
  for (int n = 0; n < 10; ++n, now += 0.3) {
    sees_ball(inputs, ball, now);
    inputs.mates = {mate(3, {-2.0, -1.0, 0.0}, -ball, now)};
    out = team.step(inputs, now + 0.05);
  }
  EXPECT_EQ(out.verdicts.at(0).word, Word::Mirrored);
  inputs.own.ball = {};
  inputs.mates[0].stamp = now;
  EXPECT_EQ(team.step(inputs, now + 0.05).model.ball.confidence, 0.0) << "left out";
  EXPECT_TRUE(team.step(inputs, now + 0.1).model.robots.empty());
  for (int n = 0; n < 10; ++n, now += 0.3) {
    sees_ball(inputs, ball, now);
    inputs.mates = {mate(3, {2.0, 1.0, 0.0}, ball + Vector2d(0.1, 0.0), now)};
    out = team.step(inputs, now + 0.05);
  }
  EXPECT_EQ(out.verdicts.at(0).word, Word::Used);
}

TEST(TeamModel, ALostMateIsNoticed) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  TeamModel::Outputs out;
  for (double now = 10.0; now < 13.0; now += 0.3) {
    sees_ball(inputs, {1.5, 1.0}, now);
    inputs.mates = {mate(3, {-2.0, 2.0, 0.0}, {3.0, -2.0}, now)};
    out = team.step(inputs, now + 0.05);
  }
  EXPECT_EQ(out.verdicts.at(0).word, Word::Contradicts);
}

TEST(TeamModel, MatesAndOpponentsWithTheirSource) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  hl_soccer::RobotBelief seen;
  seen.id = 7;
  seen.position = {3.1, 1.0};  // where mate 3 says to be
  seen.confidence = 0.9;
  seen.last_seen = 10.0;
  inputs.own.robots = {seen};
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0), mate(4, {-3.0, -2.0, 1.0}, {2.5, 1.5}, 10.0)};
  inputs.mates[1].opponents = {{{-2.0, 1.0}, 0.8}, {{2.1, 1.1}, 0.8}};  // the second is mate 3
  const auto out = team.step(inputs, 10.1);
  ASSERT_EQ(out.model.robots.size(), 3u);
  EXPECT_EQ(out.model.robots[0].id, 7);
  EXPECT_EQ(out.model.robots[0].source, 0);
  EXPECT_EQ(out.model.robots[0].number, 3);
  EXPECT_EQ(out.model.robots[0].team, hl_soccer::Team::Own);
  EXPECT_EQ(out.model.robots[1].source, 4);
  EXPECT_EQ(out.model.robots[2].source, 4);
  EXPECT_EQ(out.model.robots[2].team, hl_soccer::Team::Rival);
}

TEST(TeamModel, WithoutAnOwnPoseNothingIsTakenOver) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  inputs.own.pose = {};
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0)};
  const auto out = team.step(inputs, 10.1);
  EXPECT_EQ(out.model.ball.confidence, 0.0);
  EXPECT_TRUE(out.model.robots.empty());
}

TEST(TeamModel, BadWordsAreRefusedAndCounted) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  const auto good = mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0);
  inputs.mates.assign(5, good);
  inputs.mates[0].number = 0;
  inputs.mates[1].number = 99;
  inputs.mates[2].stamp = 99.0;
  inputs.mates[3].pose->x = std::nan("");
  inputs.mates[4].ball->confidence = 7.0;
  EXPECT_EQ(team.step(inputs, 10.1).refused, 5);
}

TEST(TeamModel, AMatrixThatIsNoCovarianceIsReducedToItsVariances) {
  TeamModel team{TeamModel::Params{}};
  auto inputs = alone();
  inputs.mates = {mate(3, {2.0, 1.0, 1.0}, {2.5, 1.5}, 10.0)};
  auto& told = inputs.mates[0].pose_covariance;
  told << 0.01, 0.2, 0.0, 0.2, 0.3, 0.0, 0.0, 0.0, 1e300;  // the last hides from any solver that the others are wrong
  const auto out = team.step(inputs, 10.1);
  ASSERT_EQ(out.model.robots.size(), 1U);
  EXPECT_GT(out.model.robots[0].covariance.determinant(), 0.0);
}

TEST(TeamModel, BallFromTheTeamOnly) {
  EXPECT_LT(evaluation::ball_from_team(1, 20), 0.4);
}

TEST(TeamModel, BadParametersAreNamed) {
  TeamModel::Params params;
  params.ball_stale = -1.0;
  ASSERT_TRUE(params.validate());
  EXPECT_NE(params.validate()->find("ball_stale"), std::string::npos);
  EXPECT_FALSE(TeamModel::Params{}.validate());
}

}  // namespace
