// SPDX-License-Identifier: Apache-2.0
#include "fast_motion.hpp"

#include <algorithm>
#include <cmath>

namespace hl_match {
namespace {

using hl_description::wrap_angle;
using hl_hcm::Direction;

constexpr double kStartup = 1.0;         // s until it may be ordered about
constexpr double kFalling = 0.8;         // s from the first tilt to the ground
constexpr double kRising = 0.7;          // share of getting up after which it is on its feet
constexpr double kCommandTimeout = 0.5;  // s, as the walk's
constexpr double kToPenalty = 0.6;       // s to take the penalty pose, and to leave it
constexpr double kWalkKick = 0.4;        // s until the step of the right foot
constexpr double kDive = 0.7;            // share of a dive after which it lies: 1.1 s, as in physics
constexpr double kDiveLength = 0.9;      // m, from the feet to the hand that is stretched out
constexpr double kLength = 0.45;         // m, to the head of a robot that fell
constexpr double kHeadSpeed = 5.0;       // rad/s, of the neck's servos

double gained(double value, double ahead, double back) {
  return value > 0.0 ? value * ahead : value * back;
}

void approach(double& value, double goal, double step) {
  value += std::clamp(goal - value, -step, step);
}

Direction direction_of(double angle) {
  angle = wrap_angle(angle);
  if (std::abs(angle) < 0.25 * M_PI) return Direction::Front;
  if (std::abs(angle) > 0.75 * M_PI) return Direction::Back;
  return angle > 0.0 ? Direction::Left : Direction::Right;
}

}  // namespace

FastMotion::FastMotion(FastWorld& world, std::size_t robot)
    : world_(world),
      body_(world.fast_body(robot)),
      params_(world.spec().params),
      random_(world.spec().seed * 6364136223846793005ULL + robot) {
  const auto joints = world.spec().files->model.joint_names().size();
  out_.positions.resize(joints);
  out_.speeds.resize(joints);
  out_.efforts.resize(joints);
  until_ = kStartup;
}

FastMotion::Carriage FastMotion::carriage() const {
  return {true, body_.counted, body_.velocity, world_.base_in_footprint(), false};
}

const FastMotion::Outputs& FastMotion::step(const Inputs& inputs, double now) {
  out_.kick.reset();
  out_.animation.reset();
  if (body_.placed) {
    body_.placed = false;
    if (is_down(state_)) enter(State::Controllable, now);
  }
  if (body_.tips) {
    if (!body_.lies && state_ != State::Penalty && state_ != State::Startup) fall(*body_.tips, now);
    body_.tips.reset();
  }
  pause(inputs.paused, now);
  go_on(now);
  obey(inputs.orders, now);
  follow_kick(now);
  walk(now);
  move_head(now - last_);
  last_ = now;
  out_.body = state_;
  return out_;
}

void FastMotion::enter(State state, double now, double until) {
  state_ = state;
  since_ = now;
  until_ = until;
  stopping_since_ = -1.0;
}

/// What ends by itself.
void FastMotion::go_on(double now) {
  if (state_ == State::AnimationRunning && body_.lies == std::nullopt && animation_.rfind("dive_", 0) == 0 &&
      animation_ != "dive_center" && now - since_ > kDive * (until_ - since_)) {
    body_.lies = body_.pose.yaw + (animation_ == "dive_left" ? M_PI_2 : -M_PI_2);
    body_.length = kDiveLength;
  }
  if (state_ == State::GettingUp && now - get_up_at_ > kRising * (stands_at_ - get_up_at_)) body_.lies.reset();
  if (now < until_) return;
  switch (state_) {
    case State::Falling:
      body_.lies = body_.lies.value_or(body_.pose.yaw);
      return enter(State::Fallen, now, now);
    case State::Fallen:
      return enter(State::GettingUp, now, stands_at_);
    case State::AnimationRunning:
      out_.animation = Ended{true, ""};
      if (body_.lies) return fall(*body_.lies, now);  // and gets up
      return enter(State::Controllable, now);
    case State::PenaltyAnimation:
      return enter(State::Penalty, now);
    default:
      return enter(State::Controllable, now);
  }
}

void FastMotion::fall(double direction, double now) {
  direction_ = direction_of(direction - body_.pose.yaw);
  if (kick_) out_.kick = Ended{false, "the robot fell"};
  if (state_ == State::AnimationRunning && !out_.animation) out_.animation = Ended{false, "the robot fell"};
  kick_.reset();
  const auto& fall = params_.fall;
  const double mean = direction_ == Direction::Front  ? fall.front
                      : direction_ == Direction::Back ? fall.back
                      : direction_ == Direction::Left ? fall.left
                                                      : fall.right;
  const double time = std::max(2.0 * kFalling, mean * (1.0 + spread(fall.spread)));
  get_up_at_ = now + kFalling;
  stands_at_ = now + time;
  if (!body_.lies) body_.length = kLength;
  body_.lies = direction;
  enter(State::Falling, now, now + kFalling);
}

void FastMotion::pause(bool paused, double now) {
  const bool in_penalty = state_ == State::Penalty || state_ == State::PenaltyAnimation;
  if (paused && !in_penalty && !is_down(state_) && state_ != State::Startup && state_ != State::AnimationRunning) {
    if (kick_) out_.kick = Ended{false, "paused"};
    kick_.reset();
    enter(State::PenaltyAnimation, now, now + params_.walk.stop_time + kToPenalty);
  }
  if (!paused && state_ == State::Penalty) enter(State::PenaltyAnimation, now, now + kToPenalty);
  if (!paused && state_ == State::PenaltyAnimation && now >= until_) enter(State::Controllable, now);
}

void FastMotion::obey(const Orders& orders, double now) {
  for (const auto& velocity : {orders.velocity, orders.teleoperation}) {
    if (!velocity) continue;
    command_ = *velocity;
    commanded_at_ = now;
  }
  if (orders.head) head_ = orders.head;
  if (orders.kick) start_kick(*orders.kick, now);
  if (orders.animation) play(*orders.animation, now);
  if (orders.cancel_kick && kick_ && !kick_->struck && !kick_->in_walk) {
    kick_.reset();
    out_.kick = Ended{false, "taken back"};
    enter(State::Controllable, now);
  }
}

void FastMotion::walk(double now) {
  const bool may = state_ == State::Controllable || state_ == State::Walking;
  const auto& limits = world_.spec().files->walk.walk;
  hl_walking::Velocity commanded;
  if (may && now - commanded_at_ <= kCommandTimeout) {
    commanded.x = std::clamp(command_.x, -limits.max_backward, limits.max_forward);
    commanded.y = std::clamp(command_.y, -limits.max_sideways, limits.max_sideways);
    commanded.yaw = std::clamp(command_.yaw, -limits.max_turn, limits.max_turn);
  }
  const auto& fit = params_.walk;
  body_.wanted = {gained(commanded.x, fit.forward, fit.backward), commanded.y * fit.sideways, commanded.yaw * fit.turn};
  body_.lag = commanded.is_zero() ? fit.stop_lag : fit.lag;
  if (state_ == State::Controllable && !commanded.is_zero()) enter(State::Walking, now);
  if (state_ == State::Walking && commanded.is_zero()) {
    if (stopping_since_ < 0.0) stopping_since_ = now;
    if (now - stopping_since_ >= fit.stop_time) enter(State::Controllable, now);
  } else {
    stopping_since_ = -1.0;
  }
  if (is_down(state_) || state_ == State::Penalty) body_.velocity = {};
  body_.walks = state_ == State::Walking;
}

void FastMotion::start_kick(const KickOrder& order, double now) {
  const State needed = order.in_walk ? State::Walking : State::Controllable;
  if (kick_ || state_ != needed) {
    out_.kick = Ended{false, kick_ ? "a kick is under way" : order.in_walk ? "the robot stands" : "the robot walks"};
    return;
  }
  const auto& fit = params_.kick;
  const Eigen::Vector2d way = order.goal.target - order.goal.ball;
  const double side = order.goal.ball.y() >= 0.0 ? 1.0 : -1.0;
  Kick kick;
  kick.in_walk = order.in_walk;
  kick.contact = now + (order.in_walk ? kWalkKick : fit.contact);
  kick.end = now + (order.in_walk ? 2.0 * kWalkKick : fit.time);
  const double aim = body_.pose.yaw + std::atan2(way.y(), way.x());
  if (order.in_walk) {
    kick.strike = {aim + spread(fit.walk_spread), fit.walk_distance * std::max(0.1, 1.0 + spread(fit.distance_spread))};
  } else {
    const double share = std::clamp(2.0 * order.goal.speed - 1.0, 0.0, 1.0);  // of the hardest; half speed: soft
    const double distance = fit.soft_distance + share * (fit.distance - fit.soft_distance);
    kick.strike = {aim + side * fit.direction_bias + spread(fit.direction_spread),
                   distance * std::max(0.1, 1.0 + spread(fit.distance_spread))};
    enter(State::Kicking, now);
  }
  kick_ = kick;
}

void FastMotion::follow_kick(double now) {
  if (!kick_) return;
  const double begin = kick_->contact - (kick_->in_walk ? kWalkKick : params_.kick.contact);
  out_.kick_progress = std::clamp((now - begin) / (kick_->end - begin), 0.0, 1.0);
  if (kick_->in_walk && state_ != State::Walking) {
    out_.kick = Ended{false, "the robot stopped before the step of that foot"};
    kick_.reset();
    return;
  }
  if (!kick_->struck && now >= kick_->contact) {
    body_.strike = kick_->strike;
    kick_->struck = true;
  }
  if (now < kick_->end) return;
  out_.kick = Ended{true, kick_->in_walk ? "kicked in walk" : "kicked"};
  if (!kick_->in_walk) enter(State::Controllable, now);
  kick_.reset();
}

void FastMotion::play(const std::string& name, double now) {
  const auto& library = world_.spec().files->animations.animations;
  const auto found = library.find(name);
  const bool may = state_ == State::Controllable || state_ == State::Walking;
  if (found == library.end() || !may) {
    out_.animation = Ended{false, found == library.end() ? "there is no animation '" + name + "'" : "not now"};
    return;
  }
  animation_ = name;
  enter(State::AnimationRunning, now, now + found->second.duration());
}

void FastMotion::move_head(double seconds) {
  if (!head_ || is_down(state_)) return;
  const auto speed = [](double limit) { return limit > 0.0 ? std::min(limit, kHeadSpeed) : kHeadSpeed; };
  approach(body_.pan, head_->pan, speed(head_->pan_speed) * seconds);
  approach(body_.tilt, head_->tilt, speed(head_->tilt_speed) * seconds);
}

}  // namespace hl_match
