// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "hl_path_planning/route.hpp"
#include "hl_path_planning/world.hpp"

using namespace hl_path_planning;
using hl_soccer::GamePhase;
using hl_soccer::GameState;
using hl_soccer::KickOff;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;

namespace {

const hl_description::Field kField;
const Params kParams;

World world_for(const GameState& game, const hl_soccer::Model& model = {}, const WorldOptions& options = {}) {
  World world;
  build_world(kField, model, Pose2(), game, kParams, options, model.stamp, world);
  return world;
}

GameState playing() {
  GameState game;
  game.referee_connected = true;
  game.phase = GamePhase::Playing;
  game.allowed_to_move = true;
  return game;
}

hl_soccer::Model ball_at(double x, double y) {
  hl_soccer::Model model;
  model.ball.position = Vector2d(x, y);
  model.ball.confidence = 1.0;
  return model;
}

}  // namespace

TEST(World, GoalsCannotBeWalkedThrough) {
  const World world = world_for({});
  EXPECT_FALSE(is_free(world, {4.5, 1.3}));    // post
  EXPECT_FALSE(is_free(world, {-4.8, 1.35}));  // side net
  EXPECT_TRUE(is_free(world, {4.5, 0.0}));     // the mouth is open
  EXPECT_FALSE(is_free(world, {0.0, 3.0 + kParams.outside + 0.01}));
  EXPECT_TRUE(is_free(world, {0.0, 3.0 + kParams.outside - 0.01}));
}

TEST(World, OutOfTheMapThereIsNoField) {
  WorldOptions options;
  options.field_known = false;
  EXPECT_TRUE(is_free(world_for({}, {}, options), {4.5, 1.3}));
}

TEST(World, WalkingRobotTakesPlaceAheadOfItself) {
  hl_soccer::Model model;
  model.stamp = 10.0;
  hl_soccer::RobotBelief robot;
  robot.position = Vector2d(1.0, 0.0);
  robot.velocity = Vector2d(0.0, 0.4);
  robot.covariance.setZero();
  robot.last_seen = 10.0;
  model.robots = {robot};
  const World world = world_for({}, model);
  EXPECT_FALSE(is_free(world, {1.0, 0.3 + 2.0 * kParams.robot_radius}));
  EXPECT_TRUE(is_free(world, {1.0, -0.3 - 2.0 * kParams.robot_radius}));
}

TEST(World, ForgottenAndBrokenRobotsAreLeftOut) {
  hl_soccer::Model model;
  model.stamp = 10.0;
  hl_soccer::RobotBelief old, broken;
  old.last_seen = 10.0 - kParams.robot_memory - 1.0;
  broken.last_seen = 10.0;
  broken.position.x() = std::nan("");
  model.robots = {old, broken};
  EXPECT_TRUE(world_for({}, model).robots.empty());
}

TEST(World, UnsurePositionIsLargerButNotWithoutEnd) {
  hl_soccer::Model model;
  hl_soccer::RobotBelief robot;
  robot.last_seen = 0.0;
  robot.covariance = Eigen::Matrix2d::Identity() * 100.0;
  model.robots = {robot};
  EXPECT_NEAR(world_for({}, model).robots.at(0).radius, kParams.robot_radius + kParams.most_uncertainty, 1e-9);
}

TEST(World, OthersSetPlayKeepsUsOffTheBall) {
  for (const SetPlay play :
       {SetPlay::DirectFreeKick, SetPlay::IndirectFreeKick, SetPlay::CornerKick, SetPlay::GoalKick, SetPlay::ThrowIn}) {
    GameState game = playing();
    game.set_play = play;
    game.set_play_phase = SetPlayPhase::Prepare;
    EXPECT_FALSE(is_free(world_for(game, ball_at(1.0, 1.0)), {1.0, 1.8}));
    EXPECT_TRUE(is_free(world_for(game, ball_at(1.0, 1.0)), {1.0, 2.0}));
    game.own_set_play = true;
    EXPECT_TRUE(is_free(world_for(game, ball_at(1.0, 1.0)), {1.0, 1.8}));
  }
}

TEST(World, OthersKickOffForbidsTheCircleUntilTheBallMoved) {
  GameState game = playing();
  game.kick_off = KickOff::Rival;
  game.secondary_seconds_remaining = 8.0;
  EXPECT_FALSE(is_free(world_for(game, ball_at(0.0, 0.0)), {-0.8, 0.0}));
  EXPECT_TRUE(is_free(world_for(game, ball_at(1.0, 0.0)), {-0.8, 0.0}));
  game.secondary_seconds_remaining = 0.0;
  EXPECT_TRUE(is_free(world_for(game, ball_at(0.0, 0.0)), {-0.8, 0.0}));
  game.phase = GamePhase::Ready;
  EXPECT_FALSE(is_free(world_for(game, ball_at(0.0, 0.0)), {-0.8, 0.0}));
  EXPECT_FALSE(is_free(world_for(game, ball_at(0.0, 0.0)), {1.0, 2.0}));  // the other half
}

TEST(World, PenaltyKickKeepsAllButTakerAndKeeperBehindTheMark) {
  GameState game = playing();
  game.set_play = SetPlay::PenaltyKick;
  const Vector2d beside_goal(-4.0, 2.0), on_line(-4.4, 0.0);
  EXPECT_FALSE(is_free(world_for(game, ball_at(-3.0, 0.0)), beside_goal));
  game.goalkeeper = true;
  EXPECT_TRUE(is_free(world_for(game, ball_at(-3.0, 0.0)), on_line));
  game.goalkeeper = false;
  game.own_set_play = true;
  EXPECT_FALSE(is_free(world_for(game, ball_at(3.0, 0.0)), {4.0, 2.0}));
  WorldOptions taker;
  taker.takes_ball = true;
  EXPECT_TRUE(is_free(world_for(game, ball_at(3.0, 0.0), taker), {2.8, 0.0}));
}

TEST(World, WithoutRefereeThereAreNoForbiddenAreas) {
  GameState game = playing();
  game.referee_connected = false;
  game.set_play = SetPlay::ThrowIn;
  EXPECT_TRUE(is_free(world_for(game, ball_at(1.0, 1.0)), {1.0, 1.5}));
}
