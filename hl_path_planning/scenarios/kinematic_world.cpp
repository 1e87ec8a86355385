// SPDX-License-Identifier: Apache-2.0
#include "kinematic_world.hpp"

#include <algorithm>

namespace hl_path_planning {

KinematicRobot::KinematicRobot(const Pose2& pose, const Params& params, std::uint32_t seed)
    : params_(params), pose_(pose), random_(seed) {
  std::uniform_real_distribution<double> gain(1.0 - params.gain_error, 1.0 + params.gain_error);
  gain_ = {gain(random_), gain(random_), gain(random_)};
}

void KinematicRobot::step(const Velocity& command, const WalkingLimits& limits, double dt) {
  if (!walks_) {
    if (command.is_zero()) return;
    walks_ = true;
    pause_ = params_.start_duration;
    left_ = 0.0;
    planned_ = moves_ = Velocity();
  }
  if (pause_ > 0.0) {
    pause_ -= dt;
    return;
  }
  if (left_ <= 0.0) {
    const bool stood = planned_.is_zero() && moves_.is_zero() && command.is_zero();
    if (stood) {
      walks_ = false;
      return;
    }
    const Velocity wanted = limits.cut(command);
    const auto approach = [](double from, double to, double most) { return from + std::clamp(to - from, -most, most); };
    const double a = params_.acceleration * params_.step_duration,
                 w = params_.turn_acceleration * params_.step_duration;
    planned_ = {approach(planned_.x, wanted.x, a), approach(planned_.y, wanted.y, a),
                approach(planned_.yaw, wanted.yaw, w)};
    std::normal_distribution<double> slip(1.0, params_.slip);
    moves_ = {planned_.x * gain_.x * slip(random_), planned_.y * gain_.y * slip(random_),
              planned_.yaw * gain_.yaw * slip(random_)};
    left_ = params_.step_duration;
  }
  left_ -= dt;
  pose_ = pose_ * Pose2{moves_.x * dt, moves_.y * dt, moves_.yaw * dt};
  pose_.yaw = wrap_angle(pose_.yaw);
}

void Walker::step(double dt) {
  if (velocity.isZero()) return;
  position += velocity * dt;
  if ((to - position).dot(velocity) < 0.0) {
    std::swap(from, to);
    velocity = -velocity;
  }
}

void KinematicWorld::add_player(const Pose2& pose, const Goal& goal, const Params& params, std::uint32_t seed) {
  Player player{KinematicRobot(pose, KinematicRobot::Params(), seed), Planner(field, params), {}, {}, 0.0, {}, {}};
  player.inputs.limits = limits;
  player.inputs.goal = goal;
  player.inputs.goal->stamp = now;
  players.push_back(std::move(player));
}

void KinematicWorld::look(std::size_t index) {
  Planner::Inputs& inputs = players[index].inputs;
  const Pose2& here = players[index].robot.pose();
  const Pose2 base = here.inverse();
  const Eigen::Rotation2Dd turn = base.rotation();
  inputs.pose.stamp = inputs.model.stamp = now;
  inputs.pose.pose = here;
  inputs.pose.confidence = 1.0;
  inputs.pose.covariance = Eigen::Matrix3d::Identity() * 1e-4;
  inputs.model.robots.clear();
  const auto add = [&](int id, const Vector2d& position, const Vector2d& velocity) {
    hl_soccer::RobotBelief robot;
    robot.id = id;
    robot.position = base * position;
    robot.velocity = turn * velocity;
    robot.covariance = Eigen::Matrix2d::Identity() * 1e-4;
    robot.last_seen = now;
    robot.confidence = 1.0;
    inputs.model.robots.push_back(robot);
  };
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (i == index) continue;
    const Pose2& pose = players[i].robot.pose();
    add(static_cast<int>(i), pose.position(), pose.rotation() * players[i].robot.velocity().linear());
  }
  for (std::size_t i = 0; i < walkers.size(); ++i)
    add(100 + static_cast<int>(i), walkers[i].position, walkers[i].velocity);
  inputs.model.ball.confidence = ball ? 1.0 : 0.0;
  if (ball) {
    inputs.model.ball.position = base * *ball;
    inputs.model.ball.velocity = turn * ball_velocity;
    inputs.model.ball.last_seen = now;
  }
}

void KinematicWorld::step() {
  const bool think = ticks_ % 2 == 0;
  if (think) {
    for (std::size_t i = 0; i < players.size(); ++i) look(i);
  }
  for (Player& player : players) {
    if (think) {
      const Planner::Outputs& outputs = player.planner.step(player.inputs, now);
      player.inputs.goal.reset();
      if (outputs.planned && player.planned.empty()) player.planned = outputs.path;
      if (outputs.result) {
        player.result = outputs.result;
        player.finished = now;
      }
      player.inputs.odometry.reset();
    }
    const Planner::Outputs& outputs = player.planner.last_outputs();
    const Vector2d before = player.robot.pose().position();
    const double yaw = player.robot.pose().yaw;
    player.robot.step(outputs.velocity.value_or(Velocity()), limits, kTick);
    const bool moves = (player.robot.pose().position() - before).norm() > 0.02 * kTick ||
                       std::abs(wrap_angle(player.robot.pose().yaw - yaw)) > 0.1 * kTick;
    player.waited = outputs.active && !moves ? player.waited + kTick : 0.0;
    player.longest_wait = std::max(player.longest_wait, player.waited);
    if (ticks_ % 5 == 0) player.trace.push_back(player.robot.pose());
  }
  for (Walker& walker : walkers) walker.step(kTick);
  if (ball && !ball_velocity.isZero()) {
    const double speed = ball_velocity.norm(), slower = std::max(0.0, speed - 0.3 * kTick);
    *ball += ball_velocity * kTick;
    ball_velocity *= slower / speed;
  }
  const std::size_t all = players.size() + walkers.size();
  touching_.resize(all * all, 0);
  for (std::size_t i = 0; i < players.size(); ++i) {
    for (std::size_t j = i + 1; j < all; ++j) {
      const Vector2d other =
          j < players.size() ? Vector2d(players[j].robot.pose().position()) : walkers[j - players.size()].position;
      const double distance = (players[i].robot.pose().position() - other).norm();
      nearest = std::min(nearest, distance);
      char& touching = touching_[i * all + j];
      if (distance < kContact && touching == 0) {
        touching = 1;
        ++contacts;
      }
    }
  }
  now += kTick;
  ++ticks_;
}

bool KinematicWorld::finished() const {
  return std::all_of(players.begin(), players.end(), [](const Player& p) { return p.result.has_value(); });
}

bool KinematicWorld::ball_touched(const Player& player) const {
  if (!ball) return false;
  constexpr double kFootLength = 0.165, kFootWidth = 0.08, kFeet = 0.121;  // m, Minibot
  const Vector2d seen = player.robot.pose().inverse() * *ball;
  for (const double side : {-1.0, 1.0}) {
    const double dx = std::max(0.0, std::abs(seen.x()) - kFootLength / 2.0);
    const double dy = std::max(0.0, std::abs(seen.y() - side * kFeet / 2.0) - kFootWidth / 2.0);
    if (std::hypot(dx, dy) < field.ball_radius) return true;
  }
  return false;
}

}  // namespace hl_path_planning
