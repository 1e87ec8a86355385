// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/goal_mixer.hpp"

#include <algorithm>

namespace hl_hcm {
namespace {

constexpr double kLongestUnused = 0.03;  // s, some control ticks: enough for late messages, too little for a jump

}  // namespace

const char* name_of(Source source) {
  static constexpr const char* kNames[] = {"nobody", "hcm", "walking", "animation", "kick", "head", "record"};
  return kNames[static_cast<std::size_t>(source)];
}

GoalMixer::GoalMixer(const JointSet& joints, const Params& params) : joints_(joints), params_(params) {
  for (Slot& slot : slots_) slot.goals.points.reserve(8);
}

void GoalMixer::start(const JointArray& measured, double now) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    // A joint that cannot be read starts in the middle of what is known of it: where it was sent, else at zero.
    const auto& joint = joints_.joints[j];
    const double from = given(measured[j]) ? measured[j] : given(goal_[j]) ? goal_[j] : 0.0;
    goal_[j] = joint.clamped(from);
  }
  wanted_ = goal_;
  ramp_.active = next_ramp_.active = false;
  for (Slot& slot : slots_) slot.active = false;
  restart_clock(now);
  started_ = true;
}

void GoalMixer::stop() {
  started_ = false;
  ramp_.active = next_ramp_.active = false;
  for (Slot& slot : slots_) slot.active = false;
  owner_.fill(Source::None);
}

void GoalMixer::take(Source source, const Trajectory& goals, double now) {
  Slot& slot = slots_[static_cast<std::size_t>(source)];
  slot.goals.stamp = goals.stamp;
  slot.goals.points.assign(goals.points.begin(), goals.points.end());
  slot.from = goal_;
  slot.start = now;
  slot.active = true;
}

bool GoalMixer::names(Source source, std::size_t joint) const {
  const Slot& slot = slots_[static_cast<std::size_t>(source)];
  return slot.active && !slot.goals.points.empty() && given(slot.goals.points.front().position[joint]);
}

JointArray GoalMixer::within_limits(const JointArray& target) const {
  JointArray result = goal_;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (given(target[j])) result[j] = joints_.joints[j].clamped(target[j]);
  }
  return result;
}

void GoalMixer::ramp(const JointArray& target, double duration, double now) {
  ramp_ = {goal_, within_limits(target), now, duration, true};
  next_ramp_.active = false;
  owner_.fill(Source::Hcm);
}

void GoalMixer::ramp_afterwards(const JointArray& target, double duration, double pause) {
  next_ramp_ = {ramp_.to, target, ramp_.end() + pause, duration, true};
}

bool GoalMixer::ramp_done(double now) const {
  if (!ramp_.active) return true;
  if (next_ramp_.active || now < ramp_.end()) return false;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (owner_[j] == Source::Hcm && goal_[j] != ramp_.to[j]) return false;
  return true;
}

void GoalMixer::go(const JointArray& target) {
  ramp_.active = next_ramp_.active = false;
  wanted_ = within_limits(target);
}

void GoalMixer::hold() {
  ramp_.active = next_ramp_.active = false;
  wanted_ = goal_;
}

void GoalMixer::follow(const JointArray& measured) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (given(measured[j])) goal_[j] = wanted_[j] = joints_.joints[j].clamped(measured[j]);
  }
}

Source GoalMixer::owner(const Access& access, std::size_t joint) const {
  const bool head = joints_.joints[joint].limb == Limb::Head;
  const bool body_names = access.body != Source::None && access.body != Source::Hcm && names(access.body, joint);
  if (head && access.head && names(Source::Head, joint) && !(access.body_keeps_head && body_names)) return Source::Head;
  if (access.body == Source::Hcm) return Source::Hcm;
  return body_names ? access.body : Source::None;
}

double GoalMixer::wanted_by(Source source, std::size_t j, double now) {
  if (source == Source::Hcm) {
    if (!ramp_.active) return wanted_[j];
    const double t = ramp_.duration > 0.0 ? std::clamp((now - ramp_.start) / ramp_.duration, 0.0, 1.0) : 1.0;
    return t < 1.0 ? ramp_.from[j] + (ramp_.to[j] - ramp_.from[j]) * t * t * (3 - 2 * t) : ramp_.to[j];
  }
  Slot& slot = slots_[static_cast<std::size_t>(source)];
  const hl_joints::JointGoal goal = hl_joints::goal_at(slot.goals.points, j, slot.from[j], now - slot.start);
  velocity_[j] = goal.velocity;
  effort_[j] = goal.effort;
  return goal.position;
}

void GoalMixer::limit_effort(std::size_t j) {
  const bool own = owner_[j] == Source::Hcm || owner_[j] == Source::None;
  const double most = joints_.joints[j].effort;
  if (own && softness_ < 1.0 && most > 0.0) effort_[j] = softness_ * most;
}

bool GoalMixer::update(const Access& access, double now) {
  if (!started_) return false;
  if (next_ramp_.active && now >= next_ramp_.start) {
    const Ramp next = next_ramp_;
    ramp(next.to, next.duration, now);
  }
  // A clock that jumps back must not freeze the goals.
  const double dt = std::max(0.0, now - last_update_);
  last_update_ = now;
  bool changed = false;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto& joint = joints_.joints[j];
    const double effort_before = effort_[j];
    velocity_[j] = effort_[j] = kAbsent;
    owner_[j] = owner(access, j);
    if (owner_[j] != Source::None) {
      const double wanted = wanted_by(owner_[j], j, now);
      if (std::isfinite(wanted)) wanted_[j] = joint.clamped(wanted);
    }
    limit_effort(j);
    changed = changed || given(effort_[j]) != given(effort_before) || effort_[j] > effort_before ||
              effort_[j] < effort_before;
    double speed = params_.velocity_factor * joint.velocity;
    if (given(velocity_[j])) speed = std::min(speed, velocity_[j]);
    // Time that a joint did not use is kept: a message that closely follows another one is not held back. It is worth
    // one step at most, or two messages of one moment would jump twice.
    unused_time_[j] = std::min({unused_time_[j] + dt, kLongestUnused, params_.max_step / speed});
    const double step = speed * unused_time_[j];
    const double before = goal_[j];
    goal_[j] = std::abs(wanted_[j] - before) <= step ? wanted_[j] : before + std::copysign(step, wanted_[j] - before);
    unused_time_[j] = std::max(0.0, unused_time_[j] - std::abs(goal_[j] - before) / speed);
    changed = changed || goal_[j] != before;
  }
  return changed;
}

}  // namespace hl_hcm
