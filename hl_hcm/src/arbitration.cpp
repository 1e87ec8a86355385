// SPDX-License-Identifier: Apache-2.0
// The part of the HCM that decides whose goals reach the joints.
#include <algorithm>
#include <cstdio>

#include "hl_hcm/hcm.hpp"
#include "state_traits.hpp"

namespace hl_hcm {

Verdict Hcm::refuse(Source source, std::string_view reason) {
  ++refusals_;
  const int length =
      std::snprintf(refusal_text_.data(), refusal_text_.size(), "%s in %s: %.*s", name_of(source), name_of(state()),
                    static_cast<int>(std::min<std::size_t>(reason.size(), 140)), reason.data());
  refusal_ = {refusal_text_.data(),
              static_cast<std::size_t>(std::max(0, std::min<int>(length, refusal_text_.size() - 1)))};
  return {false, refusal_};
}

Verdict Hcm::request(Source source, const Trajectory& goals, double now) {
  if (const char* problem = hl_joints::stamp_problem(goals.stamp, now, params_.stale)) return refuse(source, problem);
  if (goals.points.empty()) return refuse(source, "has no points");
  if (source == Source::Animation) return refuse(source, "animations have their own way in");
  // A kick that is refused now must not begin in its middle later.
  if (source != Source::Kick || state() == State::Controllable || state() == State::Kicking ||
      state() == State::MotorOff) {
    double& last_message_time = last_message_time_[static_cast<std::size_t>(source)];
    if (source == body_source(state()))
      usual_interval_ += 0.2 * (std::min(now - last_message_time, 0.1) - usual_interval_);
    last_message_time = now;
  }
  advance(now);

  const State at = state();
  const bool body = body_source(at) == source;
  const bool head = source == Source::Head && head_is_free(at);
  if (!body && !head)
    return refuse(source, at == State::Controllable ? "the body is wanted for something else" : "not in this state");
  mixer_.take(source, goals, now);
  mix(now);
  if (!mixer_.started()) return refuse(source, "the robot is not ready");
  for (std::size_t j = 0; j < body_.joints.size(); ++j)
    if (mixer_.owners()[j] == source) return {true, {}};
  return refuse(source, "all its joints belong to somebody else");
}

Verdict Hcm::animation(const AnimationGoals& flags, const Trajectory& goals, double now) {
  constexpr Source source = Source::Animation;
  if (const char* problem = hl_joints::stamp_problem(goals.stamp, now, params_.stale)) return refuse(source, problem);
  if (flags.request) {
    requested_ = now;
    advance(now);
    return {true, {}};
  }
  if (goals.points.empty()) return refuse(source, "has no points");
  const bool own = state() == State::GettingUp || state() == State::ShutdownSit;
  if (flags.hcm != own) return refuse(source, own ? "the HCM plays its own animation" : "the HCM did not ask for it");
  if (own && own_ != OwnAnimation::Running) return refuse(source, "the HCM's animation is over");

  if (!own && state() != State::Animation && !flags.first)
    return refuse(source, "an animation begins with its first goal");
  if (!own && state() == State::Animation && flags.first && animation_active_ && !animation_ended_)
    return refuse(source, "another animation runs");
  last_message_time_[static_cast<std::size_t>(source)] = now;
  if (!own) {
    const State before = state();
    animation_active_ = true;
    if (flags.first) animation_ended_ = false;
    fall_check_off_ = flags.fall_check_off;
    advance(now);
    if (state() != State::Animation) {
      animation_active_ = false;
      if (before == State::Walking || before == State::WalkStopping) requested_ = now;
      return refuse(source, "not in this state");
    }
    requested_ = kNever;
  }
  mixer_.take(source, goals, now);
  mix(now);
  if (!own && flags.last) animation_ended_ = true;
  return {true, {}};
}

GoalMixer::Access Hcm::access() const {
  GoalMixer::Access access;
  access.body = feet_put_down_ ? Source::Hcm : body_source(state());
  access.head = head_is_free(state());
  access.body_keeps_head = state() == State::Animation;
  return access;
}

/// Into the protective pose with all force, then soft: limbs that give way break less, also while others pull at them.
bool Hcm::compliant(double now) const {
  return state() == State::Fallen || state() == State::Helpless ||
         (state() == State::Falling && now - entered_ >= params_.soft_after);
}

/// A walk or kick has missed several of its goals; it may stand on one foot.
bool Hcm::source_pauses(double now) const {
  const double silence = now - last_message_time_[static_cast<std::size_t>(body_source(state()))];
  return on_one_foot(state()) && silence > std::max(params_.walk_gap, 2.5 * usual_interval_);
}

void Hcm::mix(double now) {
  if (state() == State::Record && now - last_message_time_[static_cast<std::size_t>(Source::Record)] > 0.5) {
    // Moved by hand: what is sent next must start from there. What was measured before the last goals says nothing.
    mixer_.follow(senses_.measured_since(goals_at_));
    mixer_.forget(Source::Record);
  }
  const bool pauses = body_.feet_down && source_pauses(now);
  if (pauses && !feet_put_down_) put_feet_down(now);
  feet_put_down_ = pauses;
  mixer_.soften(compliant(now) ? params_.soft_torque : 1.0);
  if (mixer_.update(access(), now)) {
    new_goals_ = true;
    goals_at_ = now;
  }
}

}  // namespace hl_hcm
