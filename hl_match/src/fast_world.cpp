// SPDX-License-Identifier: Apache-2.0
#include "hl_match/fast_world.hpp"

#include <algorithm>
#include <cmath>

#include "fast_motion.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;
using hl_description::Pose2;

constexpr double kFoot = 0.06;       // m, half the size of what a ball meets of a standing robot
constexpr double kFootAhead = 0.01;  // m, its middle ahead of base_footprint
constexpr double kThickness = 0.09;  // m, half
constexpr double kRebound = 0.3;     // of the speed of a ball that meets something at rest
constexpr double kKickReach = 0.33;  // m from base_footprint
constexpr double kMoves = 0.05;      // m/s from which a robot walks against another

Vector2d along(double direction) {
  return {std::cos(direction), std::sin(direction)};
}

/// The point of a robot that is nearest to `point`.
Vector2d nearest_of(const FastBody& body, const Vector2d& point) {
  const Vector2d feet = body.pose.position();
  if (!body.lies) return feet + kFootAhead * body.pose.heading();
  const Vector2d axis = along(*body.lies);
  return feet + std::clamp((point - feet).dot(axis), 0.0, body.length) * axis;
}

/// m/s with which a ball rolls `distance`.
double speed_for(double distance, const hl_simulation::TurfSpec& turf) {
  double low = 0.0, high = 20.0;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (turf.stopping_distance(middle) < distance ? low : high) = middle;
  }
  return low;
}

}  // namespace

FastWorld::FastWorld(const Spec& spec) : spec_(spec), random_(spec.seed * 2862933555777941757ULL + 3037000493ULL) {
  const auto& model = spec_.files->model;
  ready_ = spec_.files->config.pose(model, "walkready");
  base_ = hl_description::base_footprint(model, model.forward(ready_), hl_description::Side::Left).inverse();
  std::normal_distribution<double> normal;
  for (const Pose2& pose : spec_.robots) {
    FastBody body;
    body.pose = pose;
    body.lag = spec_.params.walk.lag;
    bodies_.push_back(body);
    odometry_errors_.emplace_back(spec_.params.walk.odometry_error * normal(random_),
                                  spec_.params.walk.turn_error * normal(random_));
  }
}

std::unique_ptr<hl_player::Mover> FastWorld::mover(std::size_t robot) {
  return std::make_unique<FastMotion>(*this, robot);
}

bool FastWorld::advance(double seconds) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) walk(i, seconds);
  keep_apart(seconds);
  for (std::size_t i = 0; i < bodies_.size(); ++i) strike(i);
  for (std::size_t i = 0; i < bodies_.size(); ++i) meet_ball(i);
  roll(seconds);
  micros_ += std::llround(1e6 * seconds);
  return true;
}

void FastWorld::walk(std::size_t robot, double seconds) {
  FastBody& body = bodies_[robot];
  const double share = std::min(1.0, seconds / body.lag);
  auto& v = body.velocity;
  v.x += share * (body.wanted.x - v.x);
  v.y += share * (body.wanted.y - v.y);
  v.yaw += share * (body.wanted.yaw - v.yaw);
  const Pose2 step{v.x * seconds, v.y * seconds, v.yaw * seconds};
  const Vector2d& error = odometry_errors_[robot];
  body.pose = body.pose * step;
  body.counted =
      body.counted * Pose2{step.x * (1.0 + error.x()), step.y * (1.0 + error.x()), step.yaw * (1.0 + error.y())};
  if (body.walks && !body.tips &&
      std::uniform_real_distribution<double>()(random_) < spec_.params.walk.falls * seconds) {
    body.tips = std::uniform_real_distribution<double>(-M_PI, M_PI)(random_);
  }
}

void FastWorld::keep_apart(double seconds) {
  const double room = spec_.params.fall.contact_distance;
  for (FastBody& body : bodies_) body.touching.clear();
  for (std::size_t a = 0; a < bodies_.size(); ++a) {
    for (std::size_t b = a + 1; b < bodies_.size(); ++b) {
      FastBody &one = bodies_[a], &other = bodies_[b];
      if ((one.pose.position() - other.pose.position()).norm() > room + one.length + other.length) continue;
      const Vector2d p = nearest_of(one, other.pose.position()), q = nearest_of(other, p);
      const Vector2d apart = q - p;
      const double distance = apart.norm();
      if (distance >= room) continue;
      one.touching.push_back(b);
      other.touching.push_back(a);
      const Vector2d normal = distance > 1e-6 ? Vector2d(apart / distance) : Vector2d(1.0, 0.0);
      const Vector2d shift = 0.5 * (room - distance) * normal;
      one.pose.x -= shift.x(), one.pose.y -= shift.y();
      other.pose.x += shift.x(), other.pose.y += shift.y();
      const auto speed = [](const FastBody& body) { return std::hypot(body.velocity.x, body.velocity.y); };
      if (std::max(speed(one), speed(other)) < kMoves) continue;
      const double away = std::atan2(normal.y(), normal.x());
      const double chance = spec_.params.fall.contact_rate * seconds;
      if (std::uniform_real_distribution<double>()(random_) < chance && !one.lies) one.tips = away + M_PI;
      if (std::uniform_real_distribution<double>()(random_) < chance && !other.lies) other.tips = away;
    }
  }
}

void FastWorld::strike(std::size_t robot) {
  FastBody& body = bodies_[robot];
  if (!body.strike) return;
  const Vector2d ball = body.pose.inverse() * ball_;
  const auto hit = *body.strike;
  body.strike.reset();
  if (ball.norm() > kKickReach || ball.x() < 0.0 || std::abs(ball.y()) > 0.2) return;
  ball_velocity_ = speed_for(hit.distance, {}) * along(hit.direction);
  touched_by_ = robot;
}

/// The ball leaves a round thing at `centre` that moves at `speed`.
void FastWorld::bounce_off(const Vector2d& centre, double distance, const Vector2d& speed, double push) {
  const Vector2d apart = ball_ - centre;
  const double now = apart.norm();
  const Vector2d normal = now > 1e-6 ? Vector2d(apart / now) : Vector2d(1.0, 0.0);
  ball_ = centre + distance * normal;
  const double along_normal = ball_velocity_.dot(normal), pushed = push * std::max(0.0, speed.dot(normal));
  if (along_normal >= pushed) return;
  const double rebound = along_normal < 0.0 ? -kRebound * along_normal : 0.0;
  ball_velocity_ += (std::max(rebound, pushed) - along_normal) * normal;
}

void FastWorld::meet_ball(std::size_t robot) {
  const FastBody& body = bodies_[robot];
  const Vector2d at = nearest_of(body, ball_);
  const double distance = (body.lies ? kThickness : kFoot) + spec_.field.ball_radius;
  if ((ball_ - at).norm() >= distance) return;
  const Vector2d speed = body.pose.rotation() * Vector2d(body.velocity.x, body.velocity.y);
  bounce_off(at, distance, speed, spec_.params.ball.push);
  touched_by_ = robot;
}

void FastWorld::roll(double seconds) {
  const hl_simulation::TurfSpec turf;
  const double speed = ball_velocity_.norm();
  const double loss = (turf.rolling_friction * hl_description::kGravity + turf.rolling_drag * speed) * seconds;
  const Vector2d before = ball_;
  ball_ += ball_velocity_ * seconds;
  ball_velocity_ *= speed > loss ? 1.0 - loss / speed : 0.0;
  const auto& field = spec_.field;
  const double line = 0.5 * field.length, post = 0.5 * (field.goal_width + field.post_diameter);
  for (const double x : {line, -line}) {
    for (const double y : {post, -post}) {
      const double reach = 0.5 * field.post_diameter + field.ball_radius;
      if ((ball_ - Vector2d(x, y)).norm() < reach) bounce_off({x, y}, reach, Vector2d::Zero(), 0.0);
    }
  }
  // The nets: whoever came in through the mouth stays in.
  const double side = 0.5 * field.goal_width - field.ball_radius, back = line + field.goal_depth - field.ball_radius;
  if (std::abs(before.x()) > line && std::abs(before.x()) < line + field.goal_depth && std::abs(before.y()) <= side) {
    if (std::abs(ball_.y()) > side) ball_.y() = std::copysign(side, ball_.y()), ball_velocity_.setZero();
    if (std::abs(ball_.x()) > back) ball_.x() = std::copysign(back, ball_.x()), ball_velocity_.setZero();
  }
}

std::optional<std::string> FastWorld::place_ball(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
  const Vector2d place = position.head<2>();
  for (const FastBody& body : bodies_) {
    if ((nearest_of(body, place) - place).norm() < kFoot + spec_.field.ball_radius)
      return "a robot stands where the ball shall lie";
  }
  ball_ = place;
  ball_velocity_ = velocity.head<2>();
  touched_by_.reset();
  return std::nullopt;
}

World::Body FastWorld::body(std::size_t robot) const {
  const FastBody& body = bodies_[robot];
  Body seen;
  seen.footprint = body.pose;
  seen.trunk = body.pose.position();
  seen.velocity = body.pose.rotation() * Vector2d(body.velocity.x, body.velocity.y);
  seen.upright = !body.lies;
  seen.touching = body.touching;
  return seen;
}

std::optional<std::string> FastWorld::place(std::size_t robot, const Pose2& pose, const std::vector<double>&) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (i != robot && (nearest_of(bodies_[i], pose.position()) - pose.position()).norm() < 0.3)
      return "another robot is in the way";
  }
  FastBody& body = bodies_[robot];
  body.pose = pose;
  body.velocity = body.wanted = {};
  body.lies.reset();
  body.tips.reset();
  body.placed = true;
  return std::nullopt;
}

hl_simulation::Scene FastWorld::scene() const {
  hl_simulation::Scene scene;
  scene.field = spec_.field;
  scene.ball = ball_position();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const FastBody& body = bodies_[i];
    hl_simulation::Figure figure;
    figure.feet = {body.pose.x, body.pose.y, 0.0};
    const double height = base_.translation().z();
    figure.radius = 0.35 * height;
    figure.head = figure.feet + Eigen::Vector3d(0.0, 0.0, 1.6 * height);
    if (body.lies) figure.head = figure.feet + Eigen::Vector3d(0.0, 0.0, kThickness);
    if (body.lies) figure.head.head<2>() += body.length * along(*body.lies);
    scene.robots.push_back(figure);
  }
  return scene;
}

std::optional<hl_simulation::Eye> FastWorld::eye(std::size_t robot) const {
  const FastBody& body = bodies_[robot];
  const auto& camera = spec_.robot->camera;
  if (body.lies || camera.frame.empty()) return std::nullopt;  // it sees grass
  const auto& model = spec_.files->model;
  const auto posture = model.forward(*sense(robot).positions);
  hl_simulation::Eye eye;
  eye.robot = robot;
  eye.footprint = hl_description::above(body.pose, 0.0);
  eye.camera = eye.footprint * base_ * posture.links[model.link(camera.frame)];
  eye.horizontal_fov = camera.horizontal_fov;
  eye.vertical_fov = 2.0 * std::atan(std::tan(0.5 * camera.horizontal_fov) * camera.height / camera.width);
  return eye;
}

hl_player::SensorFrame FastWorld::sense(std::size_t robot) const {
  hl_player::SensorFrame frame;
  frame.stamp = time();
  frame.positions = ready_;
  const auto& model = spec_.files->model;
  (*frame.positions)[static_cast<Eigen::Index>(model.joint("HeadPan"))] = bodies_[robot].pan;
  (*frame.positions)[static_cast<Eigen::Index>(model.joint("HeadTilt"))] = bodies_[robot].tilt;
  return frame;
}

}  // namespace hl_match
