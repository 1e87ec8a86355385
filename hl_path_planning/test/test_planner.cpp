// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <random>

#include "kinematic_world.hpp"

using namespace hl_path_planning;
using hl_soccer::BodyState;
using testing::HasSubstr;

namespace {

const hl_description::Field kField;

/// A planner with everything in order, standing in the middle.
struct Room {
  Planner planner{kField, Params()};
  Planner::Inputs inputs;
  double now = 100.0;

  Room() {
    inputs.pose.confidence = 1.0;
    inputs.pose.covariance = Eigen::Matrix3d::Identity() * 1e-4;
    refresh();
  }
  void refresh() { inputs.pose.stamp = inputs.model.stamp = now; }
  void send(const Goal& goal) {
    inputs.goal = goal;
    inputs.goal->stamp = now;
  }
  const Planner::Outputs& step() {
    const auto& outputs = planner.step(inputs, now);
    inputs.goal.reset();
    inputs.cancel = false;
    now += 0.05;
    return outputs;
  }
  const Planner::Outputs& fresh_step() {
    refresh();
    return step();
  }
  /// Until there is a result, or for `seconds`.
  std::optional<Result> run(double seconds) {
    for (const double end = now + seconds; now < end;) {
      const auto& outputs = fresh_step();
      if (outputs.result) return outputs.result;
    }
    return std::nullopt;
  }
};

Goal to(double x, double y, double yaw = 0.0) {
  Goal goal;
  goal.pose = {x, y, yaw};
  return goal;
}

hl_soccer::RobotBelief robot_at(double x, double y, int id, double now) {
  hl_soccer::RobotBelief robot;
  robot.id = id;
  robot.position = Vector2d(x, y);
  robot.covariance.setZero();
  robot.last_seen = now + 1000.0;
  robot.confidence = 1.0;
  return robot;
}

void expect_refused(Room& room, const Goal& goal, const char* words) {
  room.send(goal);
  const auto& outputs = room.fresh_step();
  ASSERT_TRUE(outputs.result) << words;
  EXPECT_EQ(outputs.result->outcome, Outcome::BadGoal);
  EXPECT_THAT(outputs.result->reason, HasSubstr(words));
  EXPECT_TRUE(outputs.velocity.value_or(Velocity()).is_zero());
  EXPECT_FALSE(outputs.active);
}

}  // namespace

TEST(Planner, WithoutAGoalItDoesNotWantTheLegs) {
  Room room;
  EXPECT_FALSE(room.fresh_step().velocity);
  EXPECT_FALSE(room.fresh_step().active);
}

TEST(Planner, WalksTowardsTheGoal) {
  Room room;
  room.send(to(2.0, 0.0));
  room.fresh_step();
  const auto& outputs = room.fresh_step();
  ASSERT_TRUE(outputs.velocity);
  EXPECT_GT(outputs.velocity->x, 0.0);
  EXPECT_TRUE(outputs.active);
  EXPECT_GE(outputs.path.size(), 2u);
  EXPECT_NEAR(outputs.feedback.distance, 2.0, 0.1);
  EXPECT_GT(outputs.feedback.time_left, 4.0);
}

TEST(Planner, BadGoalsAreRefusedWithAReasonAndNoMotion) {
  Room room;
  expect_refused(room, to(20.0, 0.0), "outside the turf");
  expect_refused(room, to(std::nan(""), 0.0), "pose");
  Goal frame = to(1.0, 0.0);
  frame.frame = Frame::Unknown;
  expect_refused(room, frame, "frame");
  Goal odom = to(1.0, 0.0);
  odom.frame = Frame::Odom;
  expect_refused(room, odom, "odometry");
  room.inputs.limits.forward = std::nan("");
  expect_refused(room, to(1.0, 0.0), "limits");
}

TEST(Planner, ABadGoalAlsoStopsTheOldOne) {
  Room room;
  room.send(to(2.0, 0.0));
  room.run(0.5);
  expect_refused(room, to(std::nan(""), 0.0), "pose");
}

TEST(Planner, OldModelMeansNoMotionAndThenLost) {
  Room room;
  room.send(to(2.0, 0.0));
  room.run(0.5);
  std::optional<Result> result;
  bool moved = false;
  for (int i = 0; i < 200 && !result; ++i) {
    room.inputs.pose.stamp = room.now;
    const auto& outputs = room.step();
    result = outputs.result;
    if (i > 25) moved = moved || !outputs.velocity.value_or(Velocity()).is_zero();
    if (i == 30) {
      EXPECT_THAT(outputs.feedback.blocked_by, HasSubstr("model is"));
    }
  }
  EXPECT_FALSE(moved);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Lost);
}

TEST(Planner, UnknownOrOldPoseMeansNoMotionAndThenLost) {
  for (const bool old : {false, true}) {
    Room room;
    room.send(to(2.0, 0.0));
    std::optional<Result> result;
    for (int i = 0; i < 200 && !result; ++i) {
      room.refresh();
      room.inputs.pose.confidence = old ? 1.0 : 0.0;
      if (old) room.inputs.pose.stamp = 90.0;
      const auto& outputs = room.step();
      ASSERT_TRUE(outputs.velocity.value_or(Velocity()).is_zero());
      result = outputs.result;
    }
    ASSERT_TRUE(result);
    EXPECT_EQ(result->outcome, Outcome::Lost);
  }
}

TEST(Planner, TenThousandObstaclesAreABrokenModel) {
  Room room;
  room.inputs.model.robots.assign(10'000, robot_at(1.0, 0.0, 1, room.now));
  room.send(to(2.0, 0.0));
  const auto& outputs = room.fresh_step();
  EXPECT_THAT(outputs.feedback.blocked_by, HasSubstr("10000"));
  EXPECT_TRUE(outputs.velocity.value_or(Velocity()).is_zero());
  ASSERT_TRUE(room.run(10.0));
}

TEST(Planner, NotAllowedBodiesDoNotWalk) {
  for (const BodyState state :
       {BodyState::Penalty, BodyState::PickedUp, BodyState::HardwareProblem, BodyState::HcmOff}) {
    Room room;
    room.inputs.body = state;
    room.send(to(2.0, 0.0));
    const auto& outputs = room.fresh_step();
    ASSERT_TRUE(outputs.result);
    EXPECT_EQ(outputs.result->outcome, Outcome::NotAllowed);
  }
}

TEST(Planner, AfterAFallItGoesOn) {
  Room room;
  room.send(to(2.0, 0.0));
  room.run(0.5);
  room.inputs.body = BodyState::Fallen;
  EXPECT_FALSE(room.run(5.0));
  EXPECT_TRUE(room.fresh_step().velocity->is_zero());
  room.inputs.body = BodyState::Controllable;
  room.run(0.5);
  EXPECT_GT(room.fresh_step().velocity->x, 0.1);
}

TEST(Planner, TheRefereeStopsIt) {
  Room room;
  room.inputs.game.referee_connected = true;
  room.inputs.game.phase = hl_soccer::GamePhase::Set;
  room.send(to(2.0, 0.0));
  EXPECT_TRUE(room.fresh_step().velocity->is_zero());
  room.inputs.game.penalized = true;
  EXPECT_EQ(room.fresh_step().result->outcome, Outcome::NotAllowed);
}

TEST(Planner, CancelStopsWithTheFeetTogether) {
  Room room;
  room.send(to(2.0, 0.0));
  room.run(0.5);
  room.inputs.cancel = true;
  const auto& outputs = room.fresh_step();
  EXPECT_EQ(outputs.result->outcome, Outcome::Cancelled);
  ASSERT_TRUE(outputs.velocity);
  EXPECT_TRUE(outputs.velocity->is_zero());
}

TEST(Planner, ANewGoalDoesNotStopTheFeet) {
  Room room;
  room.send(to(2.0, 0.0));
  room.run(1.0);
  const double before = room.fresh_step().velocity->x;
  room.send(to(2.1, 0.1));
  EXPECT_GT(room.fresh_step().velocity->x, before - 0.05);
}

TEST(Planner, TakenGoalIsAdjustedAndNotCircled) {
  KinematicWorld world;
  world.walkers.push_back({{2.0, 0.0}, {0.0, 0.0}, {2.0, 0.0}, {2.0, 0.0}});
  world.add_player(Pose2(), to(2.0, 0.0), Params(), 1);
  while (!world.finished() && world.now < 140.0) world.step();
  ASSERT_TRUE(world.finished());
  const auto& player = world.players[0];
  EXPECT_EQ(player.result->outcome, Outcome::Reached);
  EXPECT_THAT(player.result->reason, HasSubstr("taken: robot 100"));
  EXPECT_EQ(world.contacts, 0);
  EXPECT_LT((player.robot.pose().position() - Vector2d(2.0, 0.0)).norm(), 0.6);
  EXPECT_LT(player.finished - 100.0, 15.0);
}

TEST(Planner, WithoutAWayItSaysSoAndWaits) {
  KinematicWorld world;
  for (double y = -3.5; y <= 3.5; y += 0.5) world.walkers.push_back({{1.0, y}, {0.0, 0.0}, {1.0, y}, {1.0, y}});
  world.add_player(Pose2(), to(2.5, 0.0), Params(), 1);
  while (!world.finished() && world.now < 140.0) world.step();
  ASSERT_TRUE(world.finished());
  EXPECT_EQ(world.players[0].result->outcome, Outcome::NoWay);
  EXPECT_EQ(world.contacts, 0);
}

TEST(Planner, BlockedBySomethingUnseenItTriesOtherWaysThenFails) {
  Room room;  // the pose never changes
  room.send(to(2.0, 0.0));
  const auto result = room.run(20.0);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::NoProgress);
}

/// The third tick after the last step turns the body by `turn`, tick `back` turns it back. Counts the starts.
std::optional<Result> arrive_turning(double turn, int back, int& starts) {
  Room room;
  KinematicRobot legs(Pose2(), {}, 1);
  room.send(to(0.5, 0.0));
  int stood = 1000;  // ticks
  starts = 0;
  for (const double end = room.now + 40.0; room.now < end;) {
    const auto& outputs = room.fresh_step();
    if (outputs.result) return outputs.result;
    const Velocity v = outputs.velocity.value_or(Velocity());
    if (!v.is_zero() && stood > 0) ++starts;
    stood = v.is_zero() ? stood + 1 : 0;
    legs.step(v, WalkingLimits(), 0.05);
    if (stood == 3 || stood == back)
      legs = KinematicRobot(legs.pose() * Pose2{0.0, 0.0, stood == back ? -turn : turn}, {}, 1);
    room.inputs.pose.pose = legs.pose();
  }
  return std::nullopt;
}

TEST(Planner, ABodyThatSwaysWhileTheFeetComeTogetherHasArrived) {
  int starts = 0;
  const auto result = arrive_turning(0.08, 11, starts);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Reached);
  EXPECT_EQ(starts, 1);
}

TEST(Planner, ABodyThatTurnsWithEachStandIsNotTurnedBackForEver) {
  int starts = 0;
  const auto result = arrive_turning(0.07, 1 << 30, starts);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Reached);
  EXPECT_LE(starts, 5);
}

TEST(Planner, AGoalSentAgainAndAgainIsOneGoal) {
  Room room;  // the pose never changes
  std::optional<Result> result;
  for (int i = 0; i < 400 && !result; ++i) {
    room.send(to(2.0 + 0.001 * i, 0.0));
    result = room.fresh_step().result;
  }
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::NoProgress);
}

TEST(Planner, StartInsideAForbiddenAreaLeavesItByTheNearestWay) {
  KinematicWorld world;
  world.ball = Vector2d(0.0, 0.0);
  world.add_player(Pose2{0.3, 0.0, M_PI}, to(-2.0, 0.0), Params(), 1);
  auto& game = world.players[0].inputs.game;
  game.referee_connected = game.allowed_to_move = true;
  game.phase = hl_soccer::GamePhase::Playing;
  game.set_play = hl_soccer::SetPlay::IndirectFreeKick;
  double nearest = 1e9;
  while (!world.finished() && world.now < 150.0) {
    world.step();
    nearest = std::min(nearest, (world.players[0].robot.pose().position() - *world.ball).norm());
  }
  EXPECT_EQ(world.players[0].result->outcome, Outcome::Reached);
  EXPECT_GT(nearest, 0.2);
}

TEST(Planner, RobotFromOutsideTheFieldWalksIn) {
  KinematicWorld world;
  world.add_player(Pose2{-3.0, 3.9, -M_PI_2}, to(0.0, 0.0), Params(), 1);
  while (!world.finished() && world.now < 150.0) world.step();
  EXPECT_EQ(world.players[0].result->outcome, Outcome::Reached);
}

TEST(Planner, GoalInBaseFootprintStaysOnTheGround) {
  Room room;
  room.inputs.pose.confidence = 0.0;  // needs no place on the field
  room.inputs.odometry = Pose2{5.0, 5.0, M_PI_2};
  Goal goal = to(1.0, 0.0);
  goal.frame = Frame::BaseFootprint;
  room.send(goal);
  room.fresh_step();
  room.inputs.odometry = Pose2{5.0, 5.5, M_PI_2};
  const auto& outputs = room.fresh_step();
  EXPECT_NEAR(outputs.feedback.distance, 0.5, 0.1);
  EXPECT_FALSE(outputs.path_in_map);
}

TEST(Planner, VelocityIsSlowedByANetAndByRobots) {
  Room room;
  Goal goal;
  goal.kind = GoalKind::Velocity;
  goal.velocity = {0.3, 0.0, 0.0};
  room.send(goal);
  room.run(1.0);
  EXPECT_NEAR(room.fresh_step().velocity->x, 0.3, 0.01);
  room.inputs.model.robots = {robot_at(0.5, 0.0, 4, room.now)};
  room.run(0.5);
  const auto& outputs = room.fresh_step();
  EXPECT_LT(outputs.velocity->x, 0.15);
  EXPECT_EQ(outputs.feedback.blocked_by, "robot 4");
  room.inputs.model.robots.clear();
  room.inputs.pose.pose = {0.0, 3.45, M_PI_2};
  room.run(1.0);
  EXPECT_LT(room.fresh_step().velocity->x, 0.1);
  EXPECT_EQ(room.planner.last_outputs().feedback.blocked_by, "end of the field");
}

TEST(Planner, FollowKeepsUpAndDoesNotEnd) {
  KinematicWorld world;
  Goal goal;
  goal.kind = GoalKind::Follow;
  goal.pose = {-0.8, 0.0, 0.0};
  world.add_player(Pose2{-2.0, 0.0, 0.0}, goal, Params(), 1);
  Vector2d target(0.0, 0.0);
  for (int i = 0; i < 1000; ++i) {
    if (i % 10 == 0) {
      goal.target = target;
      goal.target_velocity = Vector2d(0.15, 0.0);
      goal.stamp = world.now;
      world.players[0].inputs.goal = goal;
    }
    world.step();
    target.x() += 0.15 * KinematicWorld::kTick;
  }
  EXPECT_FALSE(world.players[0].result);
  EXPECT_NEAR(world.players[0].robot.pose().x, target.x() - 0.8, 0.15);
}

TEST(Planner, OrbitEndsOnTheOtherSideOfTheBallWithoutTouchingIt) {
  KinematicWorld world;
  world.ball = Vector2d(0.0, 0.0);
  Goal goal;
  goal.kind = GoalKind::Orbit;
  goal.direction = M_PI;
  world.add_player(Pose2{-0.35, 0.0, 0.0}, goal, Params(), 1);
  bool touched = false;
  while (!world.finished() && world.now < 130.0) {
    world.step();
    touched = touched || world.ball_touched(world.players[0]);
  }
  ASSERT_TRUE(world.finished());
  EXPECT_EQ(world.players[0].result->outcome, Outcome::Reached);
  EXPECT_GT(world.players[0].robot.pose().x, 0.25);
  EXPECT_FALSE(touched);
}

TEST(Planner, SwayedTowardsTheBallItGoesOnRoundIt) {
  Room room;
  Goal goal;
  goal.kind = GoalKind::KickPose;
  goal.direction = 0.0;
  room.inputs.pose.pose = {0.0, 0.30, M_PI};  // beside the ball, 4 cm too near, walking on to behind it
  room.send(goal);
  const auto& path = room.fresh_step().path;
  ASSERT_GE(path.size(), 2U);
  const Vector2d first = (path[1] - path[0]).normalized();
  EXPECT_LT(first.y(), 0.2) << "turns away from the ball before it goes on";
  EXPECT_LT(first.x(), 0.0);
}

TEST(Planner, WhateverComesInNothingBadComesOut) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-6.0, 6.0), part(0.0, 1.0);
  const auto odd = [&]() -> double {
    const double p = part(random);
    return p < 0.02 ? std::nan("") : p < 0.03 ? INFINITY : p < 0.04 ? 1e30 : number(random);
  };
  Room room;
  for (int i = 0; i < 10'000; ++i) {
    if (i % 5 == 0) {
      Goal goal;
      goal.kind = static_cast<GoalKind>(random() % 6);
      goal.frame = static_cast<Frame>(random() % 4);
      goal.heading = static_cast<HeadingMode>(random() % 5);
      goal.pose = {odd(), odd(), odd()};
      goal.ball = {odd(), odd()};
      goal.ball_velocity = {odd(), odd()};
      goal.direction = odd();
      goal.target = {odd(), odd()};
      goal.velocity = {odd(), odd(), odd()};
      goal.avoid_ball = random() % 2 == 0;
      room.send(goal);
    }
    room.inputs.odometry = Pose2{odd(), odd(), odd()};
    room.inputs.model.robots.resize(random() % 12);
    for (auto& robot : room.inputs.model.robots) {
      robot = robot_at(odd(), odd(), static_cast<int>(random() % 20), room.now);
      robot.velocity = {odd(), odd()};
      robot.covariance(0, 0) = odd();
    }
    room.inputs.model.ball.position = {odd(), odd()};
    room.inputs.model.ball.velocity = {odd(), odd()};
    room.inputs.model.ball.confidence = part(random);
    room.inputs.model.ball.last_seen = room.now;
    room.inputs.pose.pose = {odd(), odd(), odd()};
    room.inputs.game.referee_connected = random() % 2 == 0;
    room.inputs.game.allowed_to_move = true;
    room.inputs.game.phase = static_cast<hl_soccer::GamePhase>(random() % 5);
    room.inputs.game.set_play = static_cast<hl_soccer::SetPlay>(random() % 10);
    const auto& outputs = room.fresh_step();
    if (outputs.velocity) {
      ASSERT_TRUE(outputs.velocity->finite()) << i;
      ASSERT_LE(room.inputs.limits.parts(*outputs.velocity), 1.0 + 1e-6) << i;
    }
    for (const Vector2d& p : outputs.path) ASSERT_TRUE(finite(p)) << i;
  }
}
