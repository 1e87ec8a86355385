// SPDX-License-Identifier: Apache-2.0
#include "hl_match/scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <hl_animation/animation.hpp>
#include <hl_description/geometry.hpp>
#include <random>
#include <stdexcept>

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_description::wrap_angle;
using hl_hcm::Direction;
using hl_soccer::BodyState;

Match::Params alone(const Match::Params& world, std::uint64_t seed, bool with_ball) {
  Match::Params params = world;
  params.players = {1, 0};
  params.referee.reset();
  params.seed = seed;
  params.with_ball = with_ball;
  params.mind = nullptr;
  return params;
}

/// Stands in the middle of the field and is free to be ordered about.
void stand_up(Match& match) {
  match.place(0, {0.0, 0.0, 0.0});
  const auto free = [&] { return match.outputs(0).motion->body == BodyState::Controllable; };
  if (!match.run(8.0, free) || !free()) throw std::runtime_error("the robot does not become controllable");
}

bool body_on_ground(const hl_simulation::Robot& robot) {
  const auto contacts = robot.ground_contacts();
  return std::any_of(contacts.begin(), contacts.end(), [](const auto& contact) {
    return contact.part == hl_simulation::GroundContact::Part::Other && contact.force > 1.0 &&
           contact.link.find("lower_arm") == std::string::npos && contact.link.find("hand") == std::string::npos;
  });
}

Pose2 odometry_of(const Match& match) {
  const auto pose = match.player(0).motion().walking().odometry().footprint();
  return {pose.x, pose.y, pose.yaw};
}

}  // namespace

WalkResult walk(const Match::Params& world, const WalkTrial& trial) {
  Match::Params params = alone(world, trial.seed, false);
  params.friction = trial.friction;
  params.sensors.command_delay = trial.command_delay;
  Match match(params);
  match.simulation().scale_mass(0, trial.mass_factor);
  stand_up(match);
  std::mt19937_64 random(trial.seed);
  const double begin = match.time();
  double next_push = 3.0 + std::uniform_real_distribution<double>(0.0, 2.0)(random);
  const Pose2 start = match.true_pose(0), counted_start = odometry_of(match);
  Pose2 last = start, counted_last = counted_start;
  WalkResult result;
  double turned = 0.0, counted_turn = 0.0;
  while (match.time() - begin < trial.duration && !result.fell) {
    const double time = match.time() - begin;
    match.orders(0).orders.velocity = trial.velocity(time);
    if (trial.push > 0.0 && time > next_push) {
      const double direction = std::uniform_real_distribution<double>(-M_PI, M_PI)(random);
      match.simulation().robot(0).push(trial.push * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0),
                                       0.1);
      next_push += 2.0;
    }
    result.fell = !match.step() || match.timeline().count("fall") > 0 || match.simulation().robot(0).fallen();
    turned += wrap_angle(match.true_pose(0).yaw - last.yaw);
    counted_turn += wrap_angle(odometry_of(match).yaw - counted_last.yaw);
    last = match.true_pose(0);
    counted_last = odometry_of(match);
  }
  result.time = match.time() - begin;
  result.way = start.inverse() * last;
  result.counted = counted_start.inverse() * counted_last;
  result.way.yaw = turned;
  result.counted.yaw = counted_turn;
  return result;
}

KickResult kick(const Match::Params& world, std::uint64_t seed) {
  Match match(alone(world, seed, true));
  match.simulation().place_ball({3.0, 2.0, 0.0});
  stand_up(match);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0.0, 0.01);  // m
  const bool left = random() % 2 == 0;
  const auto& robot = match.simulation().robot(0);
  Eigen::Vector3d ball = robot.frame_pose(left ? "l_toe" : "r_toe").translation();
  const Eigen::Vector3d ahead = robot.pose().linear().col(0).normalized();
  ball += 0.09 * ahead + Eigen::Vector3d(noise(random), noise(random), 0.0);
  ball.z() = 0.0;
  if (const auto refused = match.simulation().place_ball(ball)) throw std::runtime_error(*refused);
  const Pose2 pose = match.true_pose(0);
  hl_player::Motion::KickOrder order;
  order.goal.ball = pose.inverse() * Eigen::Vector2d(ball.head<2>());
  order.goal.target = order.goal.ball + Eigen::Vector2d(3.0, 0.0);
  match.orders(0).orders.kick = order;
  match.run(20.0, [&] {
    return match.timeline().count("kick") + match.timeline().count("kick_failed") > 0 &&
           match.simulation().ball_velocity().norm() < 0.02;
  });
  KickResult result;
  result.kicked = match.timeline().count("kick") > 0;
  result.fell = match.timeline().count("fall") > 0 || match.simulation().robot(0).fallen();
  const Eigen::Vector2d way = (match.simulation().ball_position() - ball).head<2>();
  result.distance = way.norm();
  result.error = wrap_angle(std::atan2(way.y(), way.x()) - pose.yaw);
  return result;
}

GetUpResult get_up(const Match::Params& world, Direction side, std::uint64_t seed) {
  Match match(alone(world, seed, false));
  stand_up(match);
  auto& robot = match.simulation().robot(0);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0.0, 0.03);  // rad
  hl_simulation::Placement placement;
  placement.joints.assign(robot.joint_count(), 0.0);
  for (const auto& [joint, position] : hl_animation::lying_pose())
    placement.joints[static_cast<std::size_t>(robot.spec().joint_index(joint))] = position;
  for (double& joint : placement.joints) joint += noise(random);
  placement.pitch = side == Direction::Front ? M_PI_2 : side == Direction::Back ? -M_PI_2 : 0.0;
  placement.roll = side == Direction::Right ? M_PI_2 : side == Direction::Left ? -M_PI_2 : 0.0;
  if (const auto refused = robot.place(placement)) throw std::runtime_error(*refused);
  const double begin = match.time();
  match.run(1.0);
  match.run(30.0, [&] { return match.outputs(0).motion->body == BodyState::Controllable; });
  GetUpResult result;
  result.time = match.time() - begin;
  result.stands = match.outputs(0).motion->body == BodyState::Controllable && robot.tilt() < 0.3;
  return result;
}

AnimationResult animate(const Match::Params& world, const std::string& name, std::uint64_t seed) {
  constexpr double kBallGap = 0.0975;  // m from the toe to the middle of the ball
  constexpr double kWatch = 1.5;       // s
  const auto found = world.files->animations.animations.find(name);
  if (found == world.files->animations.animations.end())
    throw std::runtime_error("there is no animation '" + name + "'");
  const hl_animation::Posture end = found->second.end;
  const bool kicks = name.rfind("kick", 0) == 0;
  Match match(alone(world, seed, kicks));
  if (kicks) match.simulation().place_ball({3.0, 2.0, 0.0});
  stand_up(match);
  const double height = match.simulation().robot(0).pose().translation().z();
  auto& robot = match.simulation().robot(0);
  Eigen::Vector3d ball = Eigen::Vector3d::Zero();
  if (kicks) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0.0, 0.01);  // m
    ball = robot.frame_pose(name.find("right") != std::string::npos ? "r_toe" : "l_toe").translation();
    ball += kBallGap * robot.pose().linear().col(0).normalized() + Eigen::Vector3d(noise(random), noise(random), 0.0);
    ball.z() = 0.0;
    if (const auto refused = match.simulation().place_ball(ball)) throw std::runtime_error(*refused);
  }
  AnimationResult result;
  const double begin = match.time();
  match.orders(0).orders.animation = name;
  bool ended = false;
  match.run(20.0, [&] {
    const auto& end_of_it = match.outputs(0).motion->animation;
    ended = end_of_it.has_value();
    result.ended_well = ended && end_of_it->successful;
    return ended;
  });
  result.time = match.time() - begin;
  double widest = 0.0, lowest = height;
  match.run(kWatch, [&] {
    widest = std::max(widest, robot.tilt());
    lowest = std::min(lowest, robot.pose().translation().z());
    return false;
  });
  using hl_animation::Posture;
  constexpr double kUpright = 0.3, kSits = 0.9;  // rad
  result.as_declared = result.ended_well && (end == Posture::Standing  ? widest < kUpright && lowest > 0.9 * height
                                             : end == Posture::Sitting ? widest < kSits && lowest < 0.9 * height
                                                                       : true);
  if (kicks) {
    match.run(10.0, [&] { return match.simulation().ball_velocity().norm() < 0.02; });
    result.ball = (match.simulation().ball_position() - ball).head<2>().norm();
  }
  return result;
}

PushResult push_over(const Match::Params& world, std::uint64_t seed) {
  Match match(alone(world, seed, false));
  stand_up(match);
  std::mt19937_64 random(seed);
  const double direction = std::uniform_real_distribution<double>(-M_PI, M_PI)(random);
  const double force = std::uniform_real_distribution<double>(20.0, 70.0)(random);  // N
  auto& robot = match.simulation().robot(0);
  robot.push(force * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0), 0.2);
  PushResult result;
  double noticed = -1.0, ground = -1.0;
  match.run(4.0, [&] {
    if (noticed < 0.0 && match.timeline().count("fall") > 0) noticed = match.time();
    if (ground < 0.0 && body_on_ground(robot)) ground = match.time();
    return false;
  });
  result.fell = ground >= 0.0;
  result.noticed = noticed >= 0.0;
  if (result.fell && result.noticed) result.lead = ground - noticed;
  match.run(20.0, [&] { return match.outputs(0).motion->body == BodyState::Controllable; });
  result.stands = match.outputs(0).motion->body == BodyState::Controllable && robot.tilt() < 0.3;
  return result;
}

}  // namespace hl_match
