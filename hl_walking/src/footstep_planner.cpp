// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/footstep_planner.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

constexpr double kHalfSole = 0.085;  // m, more than half the sole of any robot of the league's small class

double finite_or_zero(double value) {
  return std::isfinite(value) ? value : 0.0;
}

double towards(double from, double to, double most) {
  return from + std::clamp(to - from, -most, most);
}

}  // namespace

Velocity FootstepPlanner::limit(const Velocity& commanded) const {
  Velocity v = {finite_or_zero(commanded.x), finite_or_zero(commanded.y), finite_or_zero(commanded.yaw)};
  v.x = std::clamp(v.x, -params_.max_backward, params_.max_forward);
  v.y = std::clamp(v.y, -params_.max_sideways, params_.max_sideways);
  v.yaw = std::clamp(v.yaw, -params_.max_turn, params_.max_turn);
  // All at once asks more of the legs than each alone: the sum of the parts may be 1.
  const double parts = std::abs(v.x) / (v.x > 0 ? params_.max_forward : params_.max_backward) +
                       std::abs(v.y) / params_.max_sideways + std::abs(v.yaw) / params_.max_turn;
  if (parts > 1.0) v = {v.x / parts, v.y / parts, v.yaw / parts};
  return v;
}

Velocity FootstepPlanner::accelerate(const Velocity& current, const Velocity& commanded, double dt) const {
  return {towards(current.x, commanded.x, params_.acceleration * dt),
          towards(current.y, commanded.y, params_.acceleration * dt),
          towards(current.yaw, commanded.yaw, params_.turn_acceleration * dt)};
}

Pose2 FootstepPlanner::neutral(Side swing) const {
  return {0.0, sign(swing) * params_.foot_distance, sign(swing) * 2.0 * params_.toe_out};
}

Pose2 FootstepPlanner::step(Side swing, const Velocity& velocity) const {
  const double side = sign(swing);
  const double time = params_.step_duration;
  const auto leading = [&](double distance) { return distance * side > 0.0 ? 2.0 * distance : 0.0; };
  const Pose2 motion = {velocity.x * (velocity.x > 0.0 ? params_.gain_forward : params_.gain_backward) * time,
                        leading(velocity.y * params_.gain_sideways * time),
                        leading(velocity.yaw * params_.gain_turn * time)};
  // The robot's middle moves and turns; the foot keeps its place beside the middle.
  const Pose2 to_middle = {0.0, side * params_.foot_distance / 2.0, side * params_.toe_out};
  return reachable(swing, to_middle * motion * to_middle);
}

Pose2 FootstepPlanner::reachable(Side swing, const Pose2& landing) const {
  const double side = sign(swing);
  Pose2 foot = swing == Side::Left ? landing : mirrored(landing);  // from here on for a left foot: y > 0
  foot.x = std::clamp(foot.x, -params_.max_step_backward, params_.max_step_forward);
  const double toe = 2.0 * params_.toe_out;
  foot.yaw = std::clamp(foot.yaw, toe - params_.max_step_turn / 2.0, toe + params_.max_step_turn);
  // Toes or heels of turned feet come closer by half a sole length times the turn.
  const double closest = params_.min_foot_distance + kHalfSole * std::abs(std::sin(foot.yaw - toe));
  foot.y = std::clamp(foot.y, closest, std::max(closest, params_.foot_distance + params_.max_step_sideways));
  return side > 0 ? foot : mirrored(foot);
}

}  // namespace hl_walking
