// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/player.hpp"

#include <algorithm>
#include <cmath>

namespace hl_animation {
namespace {

constexpr int kMaxBranches = 20;  // a motion that does not succeed must end some time
constexpr double kMaxStep = 0.5;  // s; a longer gap is a stall of the machine, not of the robot

}  // namespace

std::optional<std::string> Player::Params::validate() const {
  if (!(speed >= 0.1 && speed <= 5.0)) return "speed must lie between 0.1 and 5";
  if (!(stop_time > 0.0 && stop_time <= 2.0)) return "stop_time must lie between 0 and 2 s";
  return std::nullopt;
}

Player::Player(const Animation& animation, const std::map<std::string, double>& present, const Params& params)
    : animation_(animation),
      params_(params),
      trajectory_(animation_, present),
      positions_(trajectory_.joints().size()),
      velocities_(trajectory_.joints().size()) {
  stop_position_.reserve(positions_.size());
  stop_velocity_.reserve(positions_.size());
  if (!animation_.keyframes.empty()) {
    torque_ = animation_.keyframes.front().torque;
    p_gain_ = animation_.keyframes.front().p_gain;
  }
  evaluate();
}

Player::Status Player::update(double dt, const std::optional<Tilt>& tilt) {
  if (status_ != Status::Playing) return status_;
  const double step = std::clamp(dt, 0.0, kMaxStep);
  if (stop_elapsed_) {
    *stop_elapsed_ += step;
    if (*stop_elapsed_ >= params_.stop_time) status_ = Status::Stopped;
  } else {
    time_ += step * params_.speed;
    reach_keyframes(tilt);
    if (status_ == Status::Playing && next_keyframe_ == animation_.keyframes.size()) status_ = Status::Finished;
  }
  evaluate();
  return status_;
}

void Player::reach_keyframes(const std::optional<Tilt>& tilt) {
  while (next_keyframe_ < animation_.keyframes.size() && time_ >= trajectory_.left(next_keyframe_)) {
    const auto& keyframe = animation_.keyframes[next_keyframe_++];
    if (keyframe.check && tilt && !keyframe.check->holds(tilt->roll, tilt->pitch)) {
      if (keyframe.check->otherwise == "abort") {
        status_ = Status::Aborted;
        message_ = "the tilt condition of keyframe " + std::to_string(next_keyframe_) + " does not hold";
        return;
      }
      branch(keyframe.check->otherwise);
      if (status_ != Status::Playing) return;
      continue;
    }
    if (next_keyframe_ < animation_.keyframes.size()) {
      const auto& coming = animation_.keyframes[next_keyframe_];
      if (coming.torque) torque_ = coming.torque;
      if (coming.p_gain) p_gain_ = coming.p_gain;
    }
  }
}

void Player::branch(const std::string& label) {
  const auto target = animation_.find(label);
  if (!target || ++branches_ > kMaxBranches) {
    status_ = Status::Aborted;
    message_ = target ? "branched more than " + std::to_string(kMaxBranches) + " times" : "no keyframe '" + label + "'";
    return;
  }
  evaluate();
  std::map<std::string, double> present;
  for (std::size_t i = 0; i < positions_.size(); ++i) present[joints()[i]] = positions_[i];
  trajectory_ = JointCurves(animation_, present, *target);
  time_ = 0.0;
  next_keyframe_ = *target;
}

void Player::stop() {
  if (status_ != Status::Playing || stop_elapsed_) return;
  stop_elapsed_ = 0.0;
  stop_position_ = positions_;
  stop_velocity_ = velocities_;
}

void Player::evaluate() {
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (stop_elapsed_) {
      // Constant deceleration from the velocity at the stop to zero.
      const double t = std::min(*stop_elapsed_, params_.stop_time);
      const double rest = 1.0 - t / params_.stop_time;
      positions_[i] = stop_position_[i] + stop_velocity_[i] * t * (1.0 - 0.5 * t / params_.stop_time);
      velocities_[i] = stop_velocity_[i] * rest;
    } else {
      const auto point = trajectory_.at(i, time_);
      positions_[i] = point.position;
      velocities_[i] = point.velocity * params_.speed;
    }
  }
}

double Player::effort(double stall_torque) const {
  constexpr double kLeastTorque = 0.01;  // of the stall torque; an effort of zero would mean no limit
  return torque_ ? std::max(*torque_, kLeastTorque) * stall_torque : 0.0;
}

double Player::percent() const {
  if (status_ == Status::Finished) return 100.0;
  return trajectory_.duration() > 0.0 ? std::min(100.0 * time_ / trajectory_.duration(), 100.0) : 0.0;
}

}  // namespace hl_animation
