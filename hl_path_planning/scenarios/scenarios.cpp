// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include <algorithm>

namespace hl_path_planning {
namespace {

double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Pose2 somewhere(std::mt19937& random, const hl_description::Field& field) {
  const double x = between(random, -0.5, 0.5) * (field.length - 1.0),
               y = between(random, -0.5, 0.5) * (field.width - 1.0);
  return {x, y, between(random, -M_PI, M_PI)};
}

Trial judge(const KinematicWorld& world, const KinematicWorld::Player& player, const Pose2& start, const Pose2& goal,
            double begin) {
  Trial trial;
  trial.reached = player.result && player.result->outcome == Outcome::Reached;
  trial.reason = player.result ? player.result->reason : "time is over";
  trial.time = (player.result ? player.finished : world.now) - begin;
  trial.ideal = ideal_time(start, goal, world.limits);
  const Pose2& end = player.robot.pose();
  trial.position_error = (end.position() - goal.position()).norm();
  trial.heading_error = std::abs(wrap_angle(end.yaw - goal.yaw));
  trial.contacts = world.contacts;
  trial.longest_wait = player.longest_wait;
  return trial;
}

}  // namespace

double ideal_time(const Pose2& start, const Pose2& goal, const WalkingLimits& limits) {
  const Vector2d way = goal.position() - start.position();
  const double direction = angle_of(way);
  const double turns = std::abs(wrap_angle(direction - start.yaw)) + std::abs(wrap_angle(goal.yaw - direction));
  return way.norm() / limits.forward + turns / limits.turn + 1.5;
}

RandomWorld random_world(std::uint32_t seed, const hl_description::Field& field) {
  std::mt19937 random(seed);
  RandomWorld world;
  world.start = somewhere(random, field);
  do {
    world.goal.pose = somewhere(random, field);
  } while ((world.goal.pose.position() - world.start.position()).norm() < 1.0);
  const int others = std::uniform_int_distribution<int>(0, 8)(random);
  while (static_cast<int>(world.walkers.size()) < others) {
    Walker walker;
    walker.position = walker.from = somewhere(random, field).position();
    walker.to = walker.position;
    if (between(random, 0.0, 1.0) < 0.4) {  // walks to and fro
      const Vector2d way = unit(between(random, -M_PI, M_PI));
      walker.velocity = way * between(random, 0.1, 0.25);
      walker.to = walker.position + way * between(random, 1.0, 3.0);
    }
    const double to_start = (walker.position - world.start.position()).norm();
    const double to_goal = point_segment_distance(world.goal.pose.position(), walker.from, walker.to);
    if (to_start > 0.8 && to_goal > 0.7) world.walkers.push_back(walker);
  }
  return world;
}

KickWorld kick_world(std::uint32_t seed, KickSide side, double distance) {
  std::mt19937 random(seed);
  KickWorld world;
  world.ball = Vector2d(between(random, -1.5, 1.5), between(random, -1.0, 1.0));
  world.goal.kind = GoalKind::KickPose;
  world.goal.ball = world.ball;
  world.goal.direction = between(random, -M_PI, M_PI);
  const double bearing =
      side == KickSide::Worst ? world.goal.direction + between(random, -0.3, 0.3) : between(random, -M_PI, M_PI);
  const Vector2d place = world.ball + distance * unit(bearing);
  // At first it looks at the ball, more or less.
  world.start = {place.x(), place.y(), wrap_angle(bearing + M_PI + between(random, -0.5, 0.5))};
  return world;
}

Crossing crossing(std::uint32_t seed, const hl_description::Field& field) {
  std::mt19937 random(seed);
  Crossing result;
  for (int i = 0; i < 8; ++i) {
    const double side = i % 2 == 0 ? -1.0 : 1.0;
    const double y = (static_cast<double>(i / 2) - 1.5) * field.width / 5.0 + between(random, -0.2, 0.2);
    const double x = side * (field.length / 2.0 - between(random, 1.2, 2.0));
    result.starts.push_back({x, y, side < 0.0 ? 0.0 : M_PI});
    Goal goal;
    goal.pose = {-x, -y, side < 0.0 ? 0.0 : M_PI};
    result.goals.push_back(goal);
  }
  // Nobody's goal is nearer than 0.8 m to another's.
  for (int round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = i + 1; j < 8; ++j) {
        Pose2 &a = result.goals[i].pose, &b = result.goals[j].pose;
        const Vector2d apart = b.position() - a.position();
        if (apart.norm() >= 0.8) continue;
        const double push = a.y < b.y ? 0.05 : -0.05;
        a.y -= push;
        b.y += push;
      }
    }
  }
  return result;
}

Trial run_random_world(std::uint32_t seed, const Params& params, KinematicWorld* keep) {
  KinematicWorld own;
  KinematicWorld& world = keep != nullptr ? *keep : own;
  const RandomWorld setup = random_world(seed, world.field);
  world.walkers = setup.walkers;
  world.add_player(setup.start, setup.goal, params, seed);
  const double begin = world.now;
  while (!world.finished() && world.now - begin < 90.0) world.step();
  return judge(world, world.players[0], setup.start, setup.goal.pose, begin);
}

Trial run_kick(std::uint32_t seed, KickSide side, const Params& params, KinematicWorld* keep) {
  KinematicWorld own;
  KinematicWorld& world = keep != nullptr ? *keep : own;
  const KickWorld setup = kick_world(seed, side);
  world.ball = setup.ball;
  world.add_player(setup.start, setup.goal, params, seed);
  const double begin = world.now;
  bool touched = false;
  while (!world.finished() && world.now - begin < 60.0) {
    world.step();
    touched = touched || world.ball_touched(world.players[0]);
  }
  const Pose2 at_ball{setup.ball.x(), setup.ball.y(), setup.goal.direction};
  const Pose2 left = at_ball * Pose2{-params.kick_ahead, -params.kick_aside, 0.0};
  const Pose2 right = at_ball * Pose2{-params.kick_ahead, params.kick_aside, 0.0};
  const Vector2d end = world.players[0].robot.pose().position();
  const bool is_left = (end - left.position()).norm() < (end - right.position()).norm();
  Trial trial = judge(world, world.players[0], setup.start, is_left ? left : right, begin);
  trial.ball_touched = touched;
  return trial;
}

Trial run_crossing(std::uint32_t seed, const Params& params, KinematicWorld* keep) {
  KinematicWorld own;
  KinematicWorld& world = keep != nullptr ? *keep : own;
  const Crossing setup = crossing(seed, world.field);
  for (std::size_t i = 0; i < setup.starts.size(); ++i)
    world.add_player(setup.starts[i], setup.goals[i], params, seed * 100 + static_cast<std::uint32_t>(i));
  const double begin = world.now;
  while (!world.finished() && world.now - begin < 120.0) world.step();
  Trial worst;
  worst.reached = true;
  for (std::size_t i = 0; i < setup.starts.size(); ++i) {
    const Trial trial = judge(world, world.players[i], setup.starts[i], setup.goals[i].pose, begin);
    worst.time = std::max(worst.time, trial.time);
    worst.ideal = std::max(worst.ideal, trial.ideal);
    worst.position_error = std::max(worst.position_error, trial.position_error);
    worst.heading_error = std::max(worst.heading_error, trial.heading_error);
    worst.longest_wait = std::max(worst.longest_wait, trial.longest_wait);
    worst.contacts = trial.contacts;
    if (!trial.reached) worst.reason = trial.reason;
    worst.reached = worst.reached && trial.reached;
  }
  return worst;
}

}  // namespace hl_path_planning
