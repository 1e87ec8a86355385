// SPDX-License-Identifier: Apache-2.0
#include "motion_trials.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "hl_match/fast_world.hpp"

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_description::wrap_angle;
using hl_soccer::BodyState;

const Eigen::Vector3d kAside(3.0, 2.0, 0.0);  // m, where a ball disturbs nobody

Match::Params with(const Match::Params& world, std::array<int, 2> players, std::uint64_t seed) {
  Match::Params params = world;
  params.players = players;
  params.referee.reset();
  params.mind = nullptr;
  params.seed = seed;
  return params;
}

bool ready(const Match& match) {
  for (std::size_t i = 0; i < match.size(); ++i)
    if (match.outputs(i).motion->body != BodyState::Controllable) return false;
  return true;
}

/// Takes the ball away, puts the robots there (each in the map of its team) and waits until they can be ordered about.
void stand_up(Match& match, const std::vector<Pose2>& poses) {
  match.world().place_ball(kAside, Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < poses.size(); ++i)
    if (!match.place(i, poses[i])) throw std::runtime_error("a robot cannot be put where the trial begins");
  match.run(8.0, [&] { return ready(match); });
  if (!ready(match)) throw std::runtime_error("a robot does not become controllable");
}

Eigen::Vector2d ball_of(const Match& match) {
  return match.world().ball_position().head<2>();
}

double along_command(const Pose2& way, double turned, const hl_walking::Velocity& command) {
  if (command.yaw != 0.0) return std::copysign(1.0, command.yaw) * turned;
  return (way.x * command.x + way.y * command.y) / std::hypot(command.x, command.y);
}

/// Watches until the kick has ended and the ball lies.
void follow_kick(Match& match, KickSample& sample, const Eigen::Vector2d& ball, double begin, bool still) {
  bool ended = false;
  match.run(25.0, [&] {
    const auto& kick = match.outputs(0).motion->kick;
    if (sample.contact == 0.0 && match.world().ball_velocity().norm() > 0.3) sample.contact = match.time() - begin;
    if (kick && !ended) {
      ended = true;
      sample.kicked = kick->successful;
      sample.time = match.time() - begin;
    }
    if (!still && !ended) match.orders(0).orders.velocity = hl_walking::Velocity{0.12, 0.0, 0.0};
    return ended && match.time() - begin > 3.0 && match.world().ball_velocity().norm() < 0.02;
  });
  sample.distance = (ball_of(match) - ball).norm();
}

}  // namespace

WalkSample walk_sample(const Match::Params& world, const hl_walking::Velocity& command, double seconds,
                       std::uint64_t seed) {
  Match match(with(world, {1, 0}, seed));
  stand_up(match, {{0.0, 0.0, 0.0}});
  WalkSample sample;
  const auto odometry = [&] { return match.player(0).mover().carriage().odometry; };
  Pose2 start = match.true_pose(0), counted_start = odometry(), last = start, counted_last = counted_start;
  double turned = 0.0, counted_turn = 0.0;
  const auto count = [&] {
    turned += wrap_angle(match.true_pose(0).yaw - last.yaw);
    counted_turn += wrap_angle(odometry().yaw - counted_last.yaw);
    last = match.true_pose(0);
    counted_last = odometry();
    return false;
  };
  const auto walk_for = [&](double time) {
    for (const double end = match.time() + time; match.time() < end;) {
      match.orders(0).orders.velocity = command;
      match.step();
      count();
    }
  };
  walk_for(seconds);
  sample.way = along_command(start.inverse() * last, turned, command);
  sample.counted = along_command(counted_start.inverse() * counted_last, counted_turn, command);
  std::mt19937_64 random(seed);
  walk_for(std::uniform_real_distribution<double>(0.0, 1.0)(random));  // the order to stop comes at any phase of a step
  start = last;
  turned = 0.0;
  const double begin = match.time();
  match.run(6.0, [&] {
    match.orders(0).orders.velocity = hl_walking::Velocity{};
    count();
    return match.outputs(0).motion->body == BodyState::Controllable;
  });
  sample.stop_time = match.time() - begin;
  sample.stop_way = along_command(start.inverse() * last, turned, command);
  sample.fell = match.timeline().count("fall") > 0;
  return sample;
}

KickSample kick_sample(const Match::Params& world, double speed, std::uint64_t seed) {
  Match match(with(world, {1, 0}, seed));
  stand_up(match, {{0.0, 0.0, 0.0}});
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0.0, 0.01);  // m
  const double side = random() % 2 == 0 ? 1.0 : -1.0;
  const Pose2 pose = match.true_pose(0);
  const Eigen::Vector2d ahead(0.19 + noise(random), side * 0.05 + noise(random));
  const Eigen::Vector2d ball = pose * ahead;
  if (const auto refused = match.world().place_ball({ball.x(), ball.y(), 0.0}, Eigen::Vector3d::Zero()))
    throw std::runtime_error(*refused);
  hl_player::Mover::KickOrder order;
  order.goal.ball = ahead;
  order.goal.target = ahead + Eigen::Vector2d(3.0, 0.0);
  order.goal.speed = speed;
  match.orders(0).orders.kick = order;
  KickSample sample;
  follow_kick(match, sample, ball, match.time(), true);
  const Eigen::Vector2d way = ball_of(match) - ball;
  sample.direction = side * wrap_angle(std::atan2(way.y(), way.x()) - pose.yaw);
  return sample;
}

KickSample walk_kick_sample(const Match::Params& world, std::uint64_t seed) {
  Match match(with(world, {1, 0}, seed));
  stand_up(match, {{0.0, 0.0, 0.0}});
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> aside(-0.06, 0.06);  // m
  const Eigen::Vector2d ball = match.true_pose(0) * Eigen::Vector2d(0.55, aside(random));
  match.world().place_ball({ball.x(), ball.y(), 0.0}, Eigen::Vector3d::Zero());
  match.run(8.0, [&] {
    match.orders(0).orders.velocity = hl_walking::Velocity{0.12, 0.0, 0.0};
    return (match.true_pose(0).inverse() * ball).x() < 0.24;
  });
  const Pose2 pose = match.true_pose(0);
  hl_player::Mover::KickOrder order;
  order.in_walk = true;
  order.goal.ball = pose.inverse() * ball_of(match);
  order.goal.target = order.goal.ball + Eigen::Vector2d(1.0, 0.0);
  match.orders(0).orders.kick = order;
  match.orders(0).orders.velocity = hl_walking::Velocity{0.12, 0.0, 0.0};
  KickSample sample;
  follow_kick(match, sample, ball, match.time(), false);
  const Eigen::Vector2d way = ball_of(match) - ball;
  sample.direction = wrap_angle(std::atan2(way.y(), way.x()) - pose.yaw);
  return sample;
}

namespace {

/// Pushes a robot that stands or walks, harder each time, until it falls.
void tip_over(Match& match, double direction, std::mt19937_64& random) {
  constexpr double kBetween = 2.5, kHarder = 1.5;  // s, factor
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const hl_walking::Velocity velocity{random() % 2 == 0 ? 0.15 : 0.0, 0.0, 0.0};
  double force = in(25.0, 60.0);  // N
  const double duration = in(0.15, 0.3);
  double next = match.time() + in(1.5, 2.5);  // at any phase of a step
  match.run(30.0, [&] {
    match.orders(0).orders.velocity = velocity;
    if (match.time() < next) return match.timeline().count("fall") > 0;
    const double towards = match.true_pose(0).yaw + direction;
    match.simulation().robot(0).push(force * Eigen::Vector3d(std::cos(towards), std::sin(towards), 0.0), duration);
    next += kBetween;
    force *= kHarder;
    return false;
  });
}

}  // namespace

FallSample fall_sample(const Match::Params& world, double direction, std::uint64_t seed) {
  Match match(with(world, {1, 0}, seed));
  stand_up(match, {{0.0, 0.0, 0.0}});
  std::mt19937_64 random(seed);
  if (auto* fast = dynamic_cast<FastWorld*>(&match.world())) {
    fast->fast_body(0).tips = direction;
    match.run(1.0, [&] { return match.timeline().count("fall") > 0; });
  } else {
    tip_over(match, direction, random);
  }
  FallSample sample;
  double fell = -1.0, stands = -1.0;
  const auto read = [&] {
    for (const Event& event : match.timeline().events()) {
      if (event.kind == "fall" && fell < 0.0) fell = event.time, sample.direction = event.text;
      if (event.kind == "stands_again" && fell >= 0.0 && stands < 0.0) stands = event.time;
    }
    return stands >= 0.0;
  };
  match.run(45.0, read);
  sample.time = stands - fell;
  if (stands < 0.0) sample.direction.clear();
  return sample;
}

ContactSample contact_sample(const Match::Params& world, std::uint64_t seed) {
  Match match(with(world, {1, 1}, seed));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> aside(-0.12, 0.12), turn(-0.4, 0.4);
  const double y = aside(random);
  stand_up(match, {{-0.45, 0.0, 0.0}, {-0.45, y, turn(random)}});  // face to face
  ContactSample sample;
  match.run(6.0, [&] {
    for (const std::size_t i : {0, 1}) match.orders(i).orders.velocity = hl_walking::Velocity{0.15, 0.0, 0.0};
    const bool stand = !is_down(match.outputs(0).motion->body) && !is_down(match.outputs(1).motion->body);
    if (match.world().body(0).touching.empty() || !stand) return false;
    if (sample.contact == 0.0)
      sample.distance =
          (match.world().body(0).footprint.position() - match.world().body(1).footprint.position()).norm();
    sample.contact += Match::kTick;
    return false;
  });
  sample.falls = static_cast<int>(match.timeline().count("fall"));
  return sample;
}

double push_sample(const Match::Params& world, std::uint64_t seed) {
  constexpr double kSpeed = 0.2;  // m/s
  Match match(with(world, {1, 0}, seed));
  stand_up(match, {{0.0, 0.0, 0.0}});
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> aside(-0.06, 0.06);  // m
  match.world().place_ball({0.9, aside(random), 0.0}, Eigen::Vector3d::Zero());
  double fastest = 0.0;
  match.run(8.0, [&] {
    match.orders(0).orders.velocity = hl_walking::Velocity{kSpeed, 0.0, 0.0};
    fastest = std::max(fastest, match.world().ball_velocity().head<2>().norm());
    return false;
  });
  return fastest / kSpeed;
}

}  // namespace hl_match
