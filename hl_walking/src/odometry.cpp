// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/odometry.hpp"

#include <cmath>

namespace hl_walking {
namespace {

constexpr double kMaxJump = 0.1;          // m or rad per tick; no leg moves so fast
constexpr double kVelocityFilter = 0.25;  // s: longer than a step, so that the sway is averaged out

}  // namespace

const hl_node::ParameterTable<Odometry::Params>& Odometry::parameters() {
  using P = Params;
  static const hl_node::ParameterTable<P> table({
      {"scale_forward", &P::scale_forward, 0.5, 2.0, "true over counted way, forward"},
      {"scale_backward", &P::scale_backward, 0.5, 2.0, "true over counted way, backward"},
      {"scale_sideways", &P::scale_sideways, 0.5, 2.0, "true over counted way, sideways"},
      {"scale_turn", &P::scale_turn, 0.5, 2.0, "true over counted turn, without an IMU"},
  });
  return table;
}

std::optional<std::string> Odometry::Params::validate() const {
  if (auto error = parameters().check(*this))
    return "odometry." + *error + ": walk 2 m and divide the true way by the counted one";
  return std::nullopt;
}

void Odometry::reset(const Pose2& pose) {
  footprint_ = pose;
  heading_ = last_ ? pose * last_->footprint.inverse() : pose;
  velocity_ = {};
  distance_ = 0.0;
  last_.reset();
  last_yaw_.reset();
}

std::optional<Odometry::Feet> Odometry::measure(const OdometryInput& input) {
  if (input.joints == nullptr || input.joints->size() != body_.ready().size() || !input.joints->allFinite()) {
    return std::nullopt;
  }
  body_.model().forward(*input.joints, posture_);
  Eigen::Quaterniond upright;
  if (input.attitude) {
    if (!input.attitude->allFinite()) return std::nullopt;
    upright = Eigen::AngleAxisd(input.attitude->y(), Eigen::Vector3d::UnitY()) *
              Eigen::AngleAxisd(input.attitude->x(), Eigen::Vector3d::UnitX());
  } else {  // the sole lies flat
    const Eigen::Matrix3d sole = posture_.links[body_.model().sole(input.support)].linear();
    upright = Eigen::Quaterniond(Eigen::Matrix3d(sole.transpose()));
    const Eigen::Vector3d ahead = upright * Eigen::Vector3d::UnitX();
    upright = Eigen::AngleAxisd(-std::atan2(ahead.y(), ahead.x()), Eigen::Vector3d::UnitZ()) * upright;
  }
  Feet feet;
  for (const Side side : {Side::Left, Side::Right}) {
    Eigen::Isometry3d sole = posture_.links[body_.model().sole(side)];
    sole = Eigen::Isometry3d(upright) * sole;
    feet.sole[static_cast<int>(side)] = on_ground(sole);
  }
  const Eigen::Isometry3d footprint = hl_description::base_footprint(body_.model(), posture_, input.support, upright);
  feet.footprint = on_ground(Eigen::Isometry3d(upright) * footprint);
  feet.base = footprint.inverse();
  return feet;
}

void Odometry::update(const OdometryInput& input) {
  const auto now = measure(input);
  if (!now) return;
  const auto yaw = input.attitude ? std::optional<double>(input.attitude->z()) : std::nullopt;
  if (!last_) {
    heading_ = footprint_ * now->footprint.inverse();
  } else {
    // The foot that carried keeps its place: the body has moved against it.
    const int foot = static_cast<int>(support_);
    Pose2 moved = last_->sole[foot] * now->sole[foot].inverse();
    moved.yaw = wrap_angle(moved.yaw);
    const bool jumped = moved.position().norm() > kMaxJump || std::abs(moved.yaw) > kMaxJump;
    if (jumped) moved = {};
    moved.yaw *= params_.scale_turn;
    if (yaw && last_yaw_) {
      // Turn about the foot by what the IMU says.
      const double turn = wrap_angle(*yaw - *last_yaw_);
      if (!jumped) {
        const Eigen::Vector2d foot_then = last_->sole[foot].position(), foot_now = now->sole[foot].position();
        const Eigen::Vector2d shift = foot_then - Eigen::Rotation2Dd(turn) * foot_now;
        moved = {shift.x(), shift.y(), turn};
      } else {
        moved.yaw = turn;
      }
    }
    moved.x *= velocity_.x >= 0.0 ? params_.scale_forward : params_.scale_backward;
    moved.y *= params_.scale_sideways;
    heading_ = heading_ * moved;
  }
  heading_.yaw = wrap_angle(heading_.yaw);
  const Pose2 before = footprint_;
  footprint_ = heading_ * now->footprint;
  footprint_.yaw = wrap_angle(footprint_.yaw);
  if (last_ && input.dt > 0.0) {
    const Pose2 step = before.inverse() * footprint_;
    const double blend = input.dt / (input.dt + kVelocityFilter);
    velocity_.x += blend * (step.x / input.dt - velocity_.x);
    velocity_.y += blend * (step.y / input.dt - velocity_.y);
    velocity_.yaw += blend * (wrap_angle(step.yaw) / input.dt - velocity_.yaw);
    distance_ += step.position().norm();
  }
  base_ = now->base;
  last_ = now;
  last_yaw_ = yaw;
  support_ = input.support;
}

}  // namespace hl_walking
