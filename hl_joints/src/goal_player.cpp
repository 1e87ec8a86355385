// SPDX-License-Identifier: Apache-2.0
#include "hl_joints/goal_player.hpp"

#include <algorithm>

namespace hl_joints {

std::optional<std::string> GoalPlayer::Params::validate() const {
  const auto bad = [](const char* name, double value, const char* range) {
    return std::string(name) + " is " + std::to_string(value) + ", must be " + range;
  };
  if (!(hold_after > 0.0)) return bad("hold_after", hold_after, "positive");
  if (!(soften_after >= hold_after)) return bad("soften_after", soften_after, "not below hold_after");
  if (!(soft_stiffness > 0.0 && soft_stiffness <= 1.0))
    return bad("soft_stiffness", soft_stiffness, "above 0 and at most 1");
  if (!(max_age > 0.0)) return bad("max_age", max_age, "positive");
  if (!(limit_tolerance >= 0.0 && limit_tolerance <= 0.2)) return bad("limit_tolerance", limit_tolerance, "0..0.2 rad");
  return std::nullopt;
}

GoalPlayer::GoalPlayer(JointSet joints, const Params& params)
    : joints_(std::move(joints)),
      params_(params),
      slot_(joints_.size(), kNone),
      from_(joints_.size(), 0.0),
      goals_(joints_.size()) {}

void GoalPlayer::set(std::size_t joint, double position) {
  goals_[joint].position = position;
  slot_[joint] = kNone;
}

void GoalPlayer::forget() {
  for (auto& goal : goals_) goal = {};
  std::fill(slot_.begin(), slot_.end(), kNone);
  activity_ = Activity::Idle;
}

std::size_t GoalPlayer::free_slot() {
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (std::find(slot_.begin(), slot_.end(), s) == slot_.end()) return s;
  slots_.emplace_back();
  return slots_.size() - 1;
}

std::optional<std::string> GoalPlayer::accept(const Trajectory& trajectory, double now) {
  if (trajectory.points.empty()) return "has no points";
  if (const char* problem = stamp_problem(trajectory.stamp, now, params_.max_age)) return problem;

  update(now);  // where each joint is sent right now is where it starts from
  const auto names = [&](std::size_t j) { return given(trajectory.points.front().position[j]); };
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (names(j)) slot_[j] = kNone;
  const std::size_t s = free_slot();
  slots_[s].points.assign(trajectory.points.begin(), trajectory.points.end());
  slots_[s].start = now;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!names(j)) continue;
    from_[j] = goals_[j].set ? goals_[j].position : trajectory.points.front().position[j];
    slot_[j] = s;
    goals_[j].set = true;
  }
  last_message_ = now;
  end_ = trajectory.points.back().time;
  activity_ = Activity::Following;
  update(now);
  return std::nullopt;
}

const std::vector<GoalPlayer::Goal>& GoalPlayer::update(double now) {
  if (activity_ == Activity::Idle) return goals_;
  const double silence = now - last_message_ - end_;  // a long trajectory is no silence while it runs
  activity_ = silence > params_.soften_after ? Activity::Softened
              : silence > params_.hold_after ? Activity::Holding
                                             : Activity::Following;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (slot_[j] == kNone) continue;
    const Slot& slot = slots_[slot_[j]];
    const JointGoal goal = goal_at(slot.points, j, from_[j], now - slot.start);
    goals_[j].position = goal.position;
    goals_[j].speed_limit = joints_.joints[j].speed_limit(goal.velocity);
    goals_[j].torque_limit = joints_.joints[j].torque_share(goal.effort);
  }
  return goals_;
}

}  // namespace hl_joints
