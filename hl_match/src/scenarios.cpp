// SPDX-License-Identifier: Apache-2.0
#include "hl_match/scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <optional>
#include <random>

#include "ahead_of_toe.hpp"

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_description::wrap_angle;
using hl_hcm::Direction;

/// Counts a way on, tick by tick, so that turns beyond half a circle count.
class Way {
 public:
  explicit Way(const Pose2& start) : start_(start), last_(start) {}
  void go(const Pose2& pose) {
    turned_ += wrap_angle(pose.yaw - last_.yaw);
    last_ = pose;
  }
  Pose2 total() const {
    Pose2 way = start_.inverse() * last_;
    way.yaw = turned_;
    return way;
  }

 private:
  Pose2 start_, last_;
  double turned_ = 0.0;  // rad
};

/// Mean square of the leg servos' loads, 0..1.
double leg_load(const LoneRobot& robot) {
  const auto& body = *robot.motion().files().walking_body;
  double sum = 0.0;
  for (const auto side : {hl_walking::Side::Left, hl_walking::Side::Right}) {
    for (const std::size_t joint : body.leg(side).joints()) {
      const double load = robot.body().servo(joint).load();
      sum += load * load / 12.0;
    }
  }
  return sum;
}

constexpr double kRests = 0.02;  // m/s, of a ball

}  // namespace

WalkResult walk(const Match::Params& world, const WalkTrial& trial) {
  Match::Params params = world;
  params.friction = trial.friction;
  params.sensors.command_delay = trial.command_delay;
  LoneRobot robot(params, trial.seed);
  robot.simulation().scale_mass(0, trial.mass_factor);
  robot.get_ready();
  std::mt19937_64 random(trial.seed);
  const double begin = robot.time();
  double next_push = 3.0 + std::uniform_real_distribution<double>(0.0, 2.0)(random);
  std::optional<Way> way, counted;
  WalkResult result;
  std::size_t ticks = 0;
  for (double time = 0.0; time < trial.duration && !result.fell; time = robot.time() - begin) {
    if (!way && time >= trial.settled) {
      way.emplace(robot.pose());
      counted.emplace(robot.counted());
    }
    robot.walk(trial.velocity(time));
    if (trial.push > 0.0 && time > next_push) {
      const double direction = std::uniform_real_distribution<double>(-M_PI, M_PI)(random);
      robot.body().push(trial.push * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0), 0.1);
      next_push += 2.0;
    }
    result.fell = !robot.step() || robot.fell();
    result.heat += leg_load(robot);
    ++ticks;
    if (way) {
      way->go(robot.pose());
      counted->go(robot.counted());
    }
    if (trial.watch) trial.watch(robot, time);
  }
  result.time = std::max(0.0, robot.time() - begin - trial.settled);
  result.heat /= static_cast<double>(std::max<std::size_t>(1, ticks));
  if (!way) return result;
  result.way = way->total();
  result.counted = counted->total();
  return result;
}

KickResult kick(const Match::Params& world, std::uint64_t seed, Roll roll) {
  LoneRobot robot(world, seed, LoneRobot::Ball::Aside);
  robot.get_ready();
  std::mt19937_64 random(seed);
  const bool left = random() % 2 == 0;
  const Eigen::Vector3d ball = ahead_of_toe(robot, left, 0.09, random);
  const double direction = std::uniform_real_distribution<double>(-0.15, 0.15)(random);
  const Pose2 pose = robot.pose();
  robot.kick(pose.inverse() * Eigen::Vector2d(ball.head<2>()), direction);
  const auto speed = [&] { return robot.simulation().ball_velocity().norm(); };
  KickResult result;
  bool ended = false;
  robot.run(20.0, [&] {
    if (const auto& kick = robot.outputs().kick) {
      ended = true;
      result.kicked = kick->successful;
    }
    return ended && (roll == Roll::Predicted || speed() < kRests);
  });
  if (roll == Roll::Predicted) robot.run(1.0);  // until it falls or stands
  result.fell = robot.fell();
  const Eigen::Vector2d way = (robot.simulation().ball_position() - ball).head<2>();
  result.distance =
      way.norm() + (roll == Roll::Predicted ? robot.simulation().world().turf.stopping_distance(speed()) : 0.0);
  result.error = wrap_angle(std::atan2(way.y(), way.x()) - pose.yaw - direction);
  return result;
}

GetUpResult get_up(const Match::Params& world, Direction side, std::uint64_t seed) {
  LoneRobot robot(world, seed);
  robot.get_ready();
  robot.lie_down(side);
  const double begin = robot.time();
  robot.run(1.0);
  robot.run_until(hl_hcm::State::Controllable, 30.0);
  return {robot.stands(), robot.time() - begin};
}

PushResult push_over(const Match::Params& world, std::uint64_t seed) {
  LoneRobot robot(world, seed);
  robot.get_ready();
  std::mt19937_64 random(seed);
  const double direction = std::uniform_real_distribution<double>(-M_PI, M_PI)(random);
  const double force = std::uniform_real_distribution<double>(20.0, 70.0)(random);  // N
  robot.body().push(force * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0), 0.2);
  double noticed = -1.0, ground = -1.0;
  robot.run(4.0, [&] {
    if (noticed < 0.0 && robot.hcm().state() == hl_hcm::State::Falling) noticed = robot.time();
    if (ground < 0.0 && robot.lies()) ground = robot.time();
    return false;
  });
  PushResult result;
  result.fell = ground >= 0.0;
  result.noticed = noticed >= 0.0;
  if (result.fell && result.noticed) result.lead = ground - noticed;
  robot.run_until(hl_hcm::State::Controllable, 20.0);
  result.stands = robot.stands();
  return result;
}

}  // namespace hl_match
