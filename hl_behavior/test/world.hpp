// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "hl_behavior/behavior.hpp"

namespace hl_behavior::test {

using hl_description::wrap_angle;
using hl_soccer::BodyState;

/// A robot that knows everything and stands at `pose`, the ball at `ball` (map), in PLAYING with the ball in play.
inline Knowledge knowledge(const Pose2& pose, const Vector2d& ball, double now) {
  Knowledge k;
  k.personal.stamp = now;
  k.personal.pose.stamp = now;
  k.personal.pose.pose = pose;
  k.personal.pose.covariance = Eigen::Vector3d(0.01, 0.01, 0.01).asDiagonal();
  k.personal.pose.confidence = 0.9;
  k.personal.ball.position = pose.inverse() * ball;
  k.personal.ball.covariance = Eigen::Vector4d(0.01, 0.01, 0.01, 0.01).asDiagonal();
  k.personal.ball.last_seen = now;
  k.personal.ball.confidence = 0.9;
  k.game.stamp = now;
  k.game.referee_connected = true;
  k.game.phase = hl_soccer::GamePhase::Playing;
  k.game.allowed_to_move = true;
  k.game.own_player = 2;
  k.game.players_per_team = 4;
  k.body = BodyState::Controllable;
  return k;
}

inline hl_soccer::TeamMate mate(int number, Role role, const Pose2& pose, double time_to_ball, double now) {
  hl_soccer::TeamMate m;
  m.number = number;
  m.stamp = now;
  m.role = role;
  m.activity = hl_soccer::Activity::Active;
  m.pose = pose;
  m.pose_confidence = 0.9;
  m.time_to_ball = time_to_ball;
  return m;
}

inline void add_rival(Knowledge& k, const Vector2d& place) {
  hl_soccer::RobotBelief robot;
  robot.id = static_cast<int>(k.personal.robots.size()) + 1;
  robot.position = k.personal.pose.pose.inverse() * place;
  robot.team = hl_soccer::Team::Rival;
  robot.last_seen = k.personal.stamp;
  robot.confidence = 0.9;
  k.personal.robots.push_back(robot);
}

/// A robot and a ball without dynamics: walks with its speeds, kicks with the measured spread. Enough to see whether
/// decisions lead anywhere.
class World {
 public:
  explicit World(unsigned seed) : random_(seed) {}

  Pose2 pose;
  Vector2d ball = Vector2d::Zero(), ball_velocity = Vector2d::Zero();
  BodyState body = BodyState::Controllable;
  double now = 10.0;
  int kicks = 0;
  Feedback feedback;
  double noise = 0.01;  // m, of the ball

  Knowledge see() {
    std::normal_distribution<double> normal(0.0, noise);
    Knowledge k = knowledge(pose, ball + Vector2d(normal(random_), normal(random_)), now);
    k.personal.ball.velocity = pose.rotation().inverse() * ball_velocity;
    k.body = body;
    return k;
  }

  void act(const Orders& orders, double dt) {
    now += dt;
    roll(dt);
    if (kick_until_ > 0.0) {
      continue_kick(orders);
      return;
    }
    if (orders.kick && orders.kick->id != feedback.kick.id) {
      start_kick(*orders.kick);
      if (body == BodyState::Kicking) return;
    }
    walk(orders, dt);
  }

 private:
  void roll(double dt) {
    const double speed = ball_velocity.norm();
    if (speed < 1e-3) {
      ball_velocity.setZero();
      return;
    }
    ball += dt * ball_velocity;
    ball_velocity *= std::max(0.0, 1.0 - 0.35 * dt / speed);
  }

  void start_kick(const Orders::Kick& order) {
    feedback.kick = {order.id, Feedback::State::Running, 0.0, ""};
    if (order.goal.in_walk) {
      shoot(order.goal, 0.7, 0.3);
      feedback.kick.state = Feedback::State::Succeeded;
      return;
    }
    if (body != BodyState::Controllable) {
      feedback.kick.state = Feedback::State::Failed;
      feedback.kick.reason = "the robot walks";
      return;
    }
    body = BodyState::Kicking;
    kick_until_ = now + 1.8;
    goal_ = order.goal;
  }

  void continue_kick(const Orders& orders) {
    const double left = kick_until_ - now;
    feedback.kick.progress = std::clamp(1.0 - left / 1.8, 0.0, 1.0);
    if (!orders.kick && feedback.kick.progress < 0.4) {
      feedback.kick.state = Feedback::State::Failed;
      feedback.kick.reason = "cancelled";
      kick_until_ = 0.0;
      body = BodyState::Controllable;
      return;
    }
    if (left > 0.0) return;
    shoot(goal_, 3.1 * (goal_.speed > 0.0 ? goal_.speed : 1.0), 0.13);
    feedback.kick.state = Feedback::State::Succeeded;
    kick_until_ = 0.0;
    body = BodyState::Controllable;
  }

  void shoot(const KickGoal& goal, double distance, double spread) {
    const Vector2d at = pose.inverse() * ball;
    if (at.x() < 0.0 || at.x() > 0.3 || std::abs(at.y()) > 0.16) return;  // missed
    std::normal_distribution<double> normal(0.0, 1.0);
    const Vector2d aim = goal.target - goal.ball;
    const double direction = std::atan2(aim.y(), aim.x()) + spread * normal(random_);
    const double way = distance * std::max(0.3, 1.0 + 0.15 * normal(random_));
    ball_velocity = std::sqrt(2.0 * 0.35 * way) * Vector2d(std::cos(direction), std::sin(direction));
    ++kicks;
  }

  /// Where the planner would go for this goal.
  Pose2 target_of(const NavigateGoal& goal) const {
    if (goal.kind == NavigateGoal::Kind::KickPose) {
      const Vector2d along(std::cos(goal.direction), std::sin(goal.direction));
      const Vector2d left(-along.y(), along.x());
      const Vector2d place = goal.ball - 0.15 * along + 0.05 * left;  // for the right foot
      return {place.x(), place.y(), goal.direction};
    }
    if (goal.frame == Frame::BaseFootprint) return pose * goal.pose;
    return goal.pose;
  }

  void walk(const Orders& orders, double dt) {
    if (!orders.navigate) {
      body = BodyState::Controllable;
      return;
    }
    body = BodyState::Walking;
    const auto& goal = orders.navigate->goal;
    if (goal.kind == NavigateGoal::Kind::Velocity) {
      pose = pose * Pose2{goal.velocity.x * dt, goal.velocity.y * dt, goal.velocity.yaw * dt};
      return;
    }
    const Pose2 target = target_of(goal);
    Vector2d way = target.position() - pose.position();
    // Around the ball, not through it.
    if (goal.kind == NavigateGoal::Kind::KickPose || goal.avoid_ball) {
      const Vector2d to_ball = ball - pose.position();
      const Vector2d along = way.norm() > 1e-6 ? Vector2d(way.normalized()) : Vector2d(1.0, 0.0);
      const double ahead = to_ball.dot(along), beside = along.x() * to_ball.y() - along.y() * to_ball.x();
      const bool between = ahead > 0.0 && ahead < way.norm() - 0.02 && std::abs(beside) < 0.3;
      if (between && to_ball.norm() < 0.5) {
        const Vector2d around(-to_ball.y(), to_ball.x());
        way = way.norm() * (beside > 0.0 ? Vector2d(-around) : around).normalized();
      }
    }
    const double distance = (target.position() - pose.position()).norm();
    const double step = std::min(0.25 * dt, distance);
    if (way.norm() > 1e-6) {
      pose.x += step * way.normalized().x();
      pose.y += step * way.normalized().y();
    }
    const double turn = wrap_angle(target.yaw - pose.yaw);
    pose.yaw = wrap_angle(pose.yaw + std::clamp(turn, -dt, dt));
    if (distance < 0.02 && std::abs(turn) < 0.05)
      feedback.navigate = {orders.navigate->id, Feedback::State::Succeeded, 1.0, ""};
    else
      feedback.navigate = {orders.navigate->id, Feedback::State::Running, 0.0, ""};
  }

  std::mt19937 random_;
  double kick_until_ = 0.0;
  KickGoal goal_;
};

}  // namespace hl_behavior::test
