// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/goal_mixer.hpp"

#include <algorithm>

namespace hl_hcm {

const char* name_of(Source source) {
  static constexpr const char* names[] = {"nobody", "hcm", "walking", "animation", "kick", "head", "record"};
  return names[static_cast<std::size_t>(source)];
}

GoalMixer::GoalMixer(const JointSet& joints, const Params& params) : joints_(joints), params_(params) {
  for (Slot& slot : slots_) slot.goals.points.reserve(8);
}

void GoalMixer::start(const JointArray& measured, double now) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    // A joint that cannot be read starts in the middle of what is known of it: where it was sent, else at zero.
    const auto& joint = joints_.joints[j];
    const double from = given(measured[j]) ? measured[j] : given(goal_[j]) ? goal_[j] : 0.0;
    goal_[j] = std::clamp(from, joint.lower, joint.upper);
  }
  wanted_ = goal_;
  ramp_.active = false;
  for (Slot& slot : slots_) slot.active = false;
  last_sent_ = now;
  started_ = true;
}

void GoalMixer::stop() {
  started_ = false;
  ramp_.active = false;
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

void GoalMixer::ramp(const JointArray& target, double duration, double now) {
  ramp_.from = goal_;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto& joint = joints_.joints[j];
    ramp_.to[j] = given(target[j]) ? std::clamp(target[j], joint.lower, joint.upper) : goal_[j];
  }
  ramp_.start = now;
  ramp_.duration = duration;
  ramp_.active = true;
  owner_.fill(Source::Hcm);
}

bool GoalMixer::ramp_done(double now) const {
  if (!ramp_.active) return true;
  if (now < ramp_.start + ramp_.duration) return false;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (owner_[j] == Source::Hcm && goal_[j] != ramp_.to[j]) return false;
  return true;
}

void GoalMixer::go(const JointArray& target) {
  ramp_.active = false;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto& joint = joints_.joints[j];
    wanted_[j] = given(target[j]) ? std::clamp(target[j], joint.lower, joint.upper) : goal_[j];
  }
}

void GoalMixer::hold() {
  ramp_.active = false;
  wanted_ = goal_;
}

void GoalMixer::follow(const JointArray& measured) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto& joint = joints_.joints[j];
    if (given(measured[j])) goal_[j] = wanted_[j] = std::clamp(measured[j], joint.lower, joint.upper);
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
  const auto& points = slot.goals.points;
  const double t = now - slot.start;
  double before_time = 0.0, before = slot.from[j];
  for (const Goals& point : points) {
    velocity_[j] = point.velocity[j];
    effort_[j] = point.effort[j];
    if (t < point.time) {
      const double fraction = std::clamp((t - before_time) / (point.time - before_time), 0.0, 1.0);
      return before + fraction * (point.position[j] - before);
    }
    before_time = point.time;
    before = point.position[j];
  }
  return before;
}

bool GoalMixer::update(const Access& access, double now) {
  if (!started_) return false;
  // A clock that jumps back must not freeze the goals.
  const double dt = std::max(0.0, now - last_sent_);
  bool changed = false;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto& joint = joints_.joints[j];
    velocity_[j] = effort_[j] = absent;
    owner_[j] = owner(access, j);
    if (owner_[j] != Source::None) {
      const double wanted = wanted_by(owner_[j], j, now);
      if (std::isfinite(wanted)) wanted_[j] = std::clamp(wanted, joint.lower, joint.upper);
    }
    double speed = params_.velocity_factor * joint.velocity;
    if (given(velocity_[j])) speed = std::min(speed, velocity_[j]);
    const double step = std::min(speed * dt, params_.max_step);
    const double before = goal_[j];
    goal_[j] = std::abs(wanted_[j] - before) <= step ? wanted_[j] : before + std::copysign(step, wanted_[j] - before);
    changed = changed || goal_[j] != before;
  }
  return changed;
}

}  // namespace hl_hcm
