// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/goal_player.hpp"

#include <algorithm>
#include <cmath>

namespace hl_hardware_cm730 {

std::optional<std::string> GoalPlayer::Params::validate() const {
  if (!(hold_after > 0.0)) return "hold_after is " + std::to_string(hold_after) + ", must be positive";
  if (!(soften_after >= hold_after)) {
    return "soften_after is " + std::to_string(soften_after) + ", must not be below hold_after";
  }
  if (!(soft_stiffness > 0.0 && soft_stiffness <= 1.0)) {
    return "soft_stiffness is " + std::to_string(soft_stiffness) + ", must be above 0 and at most 1";
  }
  if (!(max_age > 0.0)) return "max_age is " + std::to_string(max_age) + ", must be positive";
  return std::nullopt;
}

GoalPlayer::GoalPlayer(std::vector<Joint> joints, const Params& params)
    : joints_(std::move(joints)), params_(params), tracks_(joints_.size()), goals_(joints_.size()) {}

void GoalPlayer::set(size_t joint, double position) {
  goals_[joint].position = position;
  tracks_[joint].count = 0;
}

void GoalPlayer::forget() {
  for (auto& goal : goals_) goal = {};
  for (auto& track : tracks_) track.count = 0;
  activity_ = Activity::Idle;
}

std::optional<std::string> GoalPlayer::accept(const Trajectory& trajectory, double now) {
  if (trajectory.points.empty()) return "the trajectory has no points";
  const double age = now - trajectory.stamp;
  if (age > params_.max_age) return "the goals are " + std::to_string(age) + " s old";
  if (age < -params_.max_age) return "the goals' stamp lies " + std::to_string(-age) + " s in the future";
  double previous = -1.0;
  for (const auto& point : trajectory.points) {
    if (!std::isfinite(point.time) || point.time < 0.0 || point.time <= previous) {
      return "time_from_start must increase from point to point";
    }
    previous = point.time;
    const size_t n = trajectory.joints.size();
    if (point.positions.size() != n) {
      return std::to_string(point.positions.size()) + " positions for " + std::to_string(n) + " joints";
    }
    for (const auto* values : {&point.velocities, &point.efforts}) {
      if (!values->empty() && values->size() != n) return "velocities or effort do not fit the number of joints";
    }
    for (const auto* values : {&point.positions, &point.velocities, &point.efforts}) {
      for (size_t i = 0; i < values->size(); ++i) {
        if (!std::isfinite((*values)[i])) return "the goal of '" + trajectory.joints[i] + "' is not a number";
      }
    }
  }
  for (const auto& name : trajectory.joints) {
    if (std::none_of(joints_.begin(), joints_.end(), [&](const Joint& j) { return j.name == name; })) {
      return "there is no joint '" + name + "'";
    }
  }

  update(now);  // where each joint is sent right now is where it starts from
  for (size_t column = 0; column < trajectory.joints.size(); ++column) {
    const auto found = std::find_if(joints_.begin(), joints_.end(),
                                    [&](const Joint& j) { return j.name == trajectory.joints[column]; });
    const auto index = static_cast<size_t>(found - joints_.begin());
    const Joint& joint = *found;
    Track& track = tracks_[index];
    track.from = goals_[index].position;
    track.count = trajectory.points.size();
    if (track.segments.size() < track.count) track.segments.resize(track.count);
    for (size_t k = 0; k < track.count; ++k) {
      const Point& point = trajectory.points[k];
      Segment& segment = track.segments[k];
      segment.time = point.time;
      segment.position = std::clamp(point.positions[column], joint.lower, joint.upper);
      if (segment.position != point.positions[column]) ++clipped_;
      const double speed = point.velocities.empty() ? 0.0 : std::abs(point.velocities[column]);
      segment.speed_limit = joint.max_speed > 0.0 && speed > joint.max_speed ? joint.max_speed : speed;
      const double effort = point.efforts.empty() ? 0.0 : std::abs(point.efforts[column]);
      segment.torque_limit = effort > 0.0 && joint.max_effort > 0.0 ? std::min(1.0, effort / joint.max_effort) : 1.0;
    }
    if (!goals_[index].set) track.from = track.segments[0].position;
    goals_[index].set = true;
  }
  start_ = last_message_ = now;
  end_ = trajectory.points.back().time;
  activity_ = Activity::Following;
  update(now);
  return std::nullopt;
}

const std::vector<GoalPlayer::Goal>& GoalPlayer::update(double now) {
  if (activity_ == Activity::Idle) return goals_;
  const double t = now - start_;
  const double silence = now - last_message_ - end_;  // a long trajectory is no silence while it runs
  activity_ = silence > params_.soften_after ? Activity::Softened
              : silence > params_.hold_after ? Activity::Holding
                                             : Activity::Following;
  for (size_t i = 0; i < tracks_.size(); ++i) {
    Track& track = tracks_[i];
    if (track.count == 0) continue;
    Goal& goal = goals_[i];
    double from = track.from, from_time = 0.0;
    size_t k = 0;
    while (k + 1 < track.count && track.segments[k].time <= t) {
      from = track.segments[k].position;
      from_time = track.segments[k].time;
      ++k;
    }
    const Segment& to = track.segments[k];
    const double share = to.time > from_time ? std::clamp((t - from_time) / (to.time - from_time), 0.0, 1.0) : 1.0;
    goal.position = from + share * (to.position - from);
    goal.speed_limit = to.speed_limit;
    goal.torque_limit = to.torque_limit;
  }
  return goals_;
}

}  // namespace hl_hardware_cm730
