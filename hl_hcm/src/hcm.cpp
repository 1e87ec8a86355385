// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/hcm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hl_hcm {
namespace {

constexpr double never = -1e9;
constexpr double request_lifetime = 2.0;   // s an animation's request stands
constexpr double hardware_patience = 2.0;  // s until a robot without hardware_state is taken to have torque
constexpr double torque_patience = 3.0;    // s the hardware may take to report torque on after it was asked for
constexpr double walk_end_silence = 0.06;  // s without goals, besides the walk's own word, until it has ended
constexpr double motion_factor = 1.3;      // fall limits while getting up or in an animation: the motion itself leans
constexpr double unstable_factor = 0.85;   // the same when the walk itself says that it loses its balance
constexpr double foot_down_time = 0.08;    // s in which both feet come to the ground
constexpr double foot_down_rest = 0.8;     // s until the swing of a stopped walk has died away

Source body_source(State state) {
  switch (state) {
    case State::Walking:
    case State::WalkStopping:
      return Source::Walking;
    case State::Animation:
    case State::GettingUp:
    case State::ShutdownSit:
      return Source::Animation;
    case State::Kicking:
      return Source::Kick;
    case State::Record:
      return Source::Record;
    case State::StartupRamp:
    case State::Settling:
    case State::Falling:
    case State::GettingUpCheck:
    case State::PenaltyIn:
    case State::Penalty:
    case State::PenaltyOut:
    case State::PickedUp:
      return Source::Hcm;
    default:
      return Source::None;
  }
}

bool on_one_foot(State state) {
  return state == State::Walking || state == State::WalkStopping || state == State::Kicking;
}

bool leans_on_purpose(State state) {
  return state == State::GettingUp || state == State::GettingUpCheck || state == State::Animation ||
         state == State::ShutdownSit;
}

bool head_is_free(State state) {
  return state == State::Controllable || state == State::Walking || state == State::WalkStopping ||
         state == State::Settling || state == State::Animation || state == State::Kicking;
}

}  // namespace

Hcm::Hcm(Body body, const Params& params)
    : body_(std::move(body)), params_(params), mixer_(body_.joints, params.goals), fall_(params.fall) {
  heard_.fill(never);
  pick_up_.set(params.pick_up);
}

void Hcm::set(const Params& params) {
  params_ = params;
  mixer_.set(params.goals);
  fall_.set(params.fall);
  pick_up_.set(params.pick_up);
}

void Hcm::on_joint_states(const JointArray& positions, double stamp, double now) {
  if (!(std::abs(now - stamp) <= params_.joint_timeout)) return;
  bool any = false;
  for (std::size_t j = 0; j < body_.joints.size(); ++j) {
    if (!std::isfinite(positions[j])) continue;
    measured_[j] = positions[j];
    measured_at_[j] = now;
    any = true;
  }
  if (!any) return;
  joints_at_ = now;
  joint_stamp_ = stamp;
}

void Hcm::on_imu(const Vector3& up, const Vector3& rate, double stamp, double now) {
  if (!(std::abs(now - stamp) <= params_.imu_timeout)) return;
  for (std::size_t i = 0; i < 3; ++i)
    if (!std::isfinite(up[i]) || !std::isfinite(rate[i])) return;  // counts as silence
  imu_at_ = now;
  up_ = up;
  const bool upright = up[2] > 0.9;
  if (!upright) upright_since_ = -1.0;
  if (upright && upright_since_ < 0.0) upright_since_ = now;
  if (upright && now - upright_since_ > 0.2) was_upright_ = true;
  stillness_.update(rate, now);
  const double factor = leans_on_purpose(state()) ? motion_factor : support_unstable_ ? unstable_factor : 1.0;
  const Direction direction = fall_.update(up, rate, now, factor);
  if (direction != Direction::None && state() != State::Falling) fall_direction_ = direction;
  if (direction != Direction::None) step(now);  // lead time counts: not only at the next tick
}

void Hcm::on_foot_load(std::size_t foot, double newtons, double now) {
  if (!std::isfinite(newtons)) return;
  foot_load_[foot] = newtons;
  foot_at_ = now;
}

void Hcm::on_hardware(const HardwareReport& report, double now) {
  hardware_ = report;
  if (report.torque_on)
    torque_off_since_ = -1.0;
  else if (torque_off_since_ < 0.0)
    torque_off_since_ = now;
}

void Hcm::on_support(bool walking, bool unstable, double) {
  support_known_ = true;
  support_walking_ = walking;
  support_unstable_ = unstable;
}

void Hcm::on_paused(bool paused, double now) {
  paused_ = paused;
  step(now);
}

void Hcm::emergency_stop(bool stop, double now) {
  emergency_ = stop;
  step(now);
}

Verdict Hcm::shutdown(bool shutdown, double now) {
  if (shutdown && paused_)
    return {false, "the robot is penalised and must not move; release it, or use the emergency stop"};
  shutdown_ = shutdown;
  step(now);
  return {true, {}};
}

Verdict Hcm::record(bool on, double now) {
  if (on && paused_) return {false, "the robot is penalised"};
  switch (state()) {
    case State::Controllable:
    case State::Walking:
    case State::WalkStopping:
    case State::Settling:
    case State::Fallen:
    case State::Helpless:
    case State::PickedUp:
    case State::MotorOff:
    case State::Record:
      record_ = on;
      step(now);
      return {true, {}};
    default:
      if (!on) {
        record_ = false;
        return {true, {}};
      }
      return {false, "the robot is busy; wait until it is controllable"};
  }
}

JointArray Hcm::measured_since(double time) const {
  JointArray result = absent_joints();
  for (std::size_t j = 0; j < body_.joints.size(); ++j)
    if (given(measured_at_[j]) && measured_at_[j] >= time) result[j] = measured_[j];
  return result;
}

bool Hcm::legs_readable(double now) const {
  const JointArray positions = measured_since(now - params_.joint_timeout);
  for (std::size_t j = 0; j < body_.joints.size(); ++j)
    if (body_.joints.joints[j].limb == Limb::Leg && !given(positions[j])) return false;
  return true;
}

bool Hcm::watches_falls() const {
  switch (state()) {
    case State::GettingUp:
    case State::GettingUpCheck:
      return was_upright_;  // lying is no fall; having stood and going down again is
    case State::Animation:
      return !fall_check_off_;
    case State::StartupRamp:
    case State::Controllable:
    case State::Walking:
    case State::WalkStopping:
    case State::Settling:
    case State::Kicking:
    case State::PenaltyOut:
    case State::ShutdownSit:
      return true;
    default:
      return false;
  }
}

Situation Hcm::situation(double now) const {
  const auto heard = [&](Source source) { return heard_[static_cast<std::size_t>(source)]; };
  Situation s;
  s.time = now - entered_;
  s.paused = paused_;
  s.emergency = emergency_;
  s.shutdown = shutdown_;
  s.record = record_;
  s.joints_ok = now - joints_at_ <= params_.joint_timeout && legs_readable(now);
  s.imu_ok = now - imu_at_ <= params_.imu_timeout;
  s.blind = now - imu_at_ > params_.walk_imu_timeout;
  s.torque_on = hardware_ ? hardware_->torque_on : s.time > hardware_patience;
  s.hardware_ok =
      !hardware_ || (!hardware_->error && (!hardware_->torque_on || !hardware_->legs_lost || state() == State::Record));
  s.torque_lost = torque_off_since_ >= 0.0 && now - torque_off_since_ > 0.5 && now - torque_asked_ > torque_patience;
  s.hot = hardware_ && hardware_->hot;
  s.falling = s.imu_ok && fall_.state() != Direction::None && watches_falls();
  s.lying = s.imu_ok && lying(up_) != Direction::None;
  s.upright = s.imu_ok && up_[2] > 0.8;
  s.still = s.imu_ok ? std::min(stillness_.still(), s.time) : 0.0;  // rest from before this state does not count
  s.lifted = pick_up_.lifted();
  const double walk_silence = now - heard(Source::Walking);
  s.animation_request = requested_ > never;
  s.walk_goals = walk_silence <= params_.walk_timeout && (state() != State::Controllable || !s.animation_request);
  s.walk_ended = support_known_ && !support_walking_ && walk_silence > walk_end_silence;
  s.animation_goals = animation_active_ && now - heard(Source::Animation) <= params_.animation_silence;
  s.animation_ended = animation_ended_;
  s.kick_goals = now - heard(Source::Kick) <= params_.kick_timeout;
  s.ramp_done = mixer_.ramp_done(now);
  s.own_animation = own_;
  s.animation_server = animation_server_;
  s.attempts = attempts_;
  const Direction side = lying(up_);
  s.rolled_over = on_side_ && s.imu_ok && (side == Direction::Front || side == Direction::Back);
  s.max_attempts = static_cast<int>(params_.max_attempts);
  s.still_time = params_.still_time;
  s.help_pause = params_.help_pause;
  s.animation_timeout = params_.animation_timeout;
  s.walk_stop_timeout = params_.walk_stop_timeout;
  s.startup_timeout = params_.startup_timeout;
  return s;
}

void Hcm::step(double now) {
  if (first_) {
    first_ = false;
    entered_ = now;
  }
  if (now < last_step_ - 0.5) restart_clock(now);
  last_step_ = now;
  if (now - requested_ > request_lifetime) requested_ = never;
  constexpr int chain = 4;  // transitions that may follow each other at once
  for (int i = 0; i < chain; ++i) {
    const Transition* transition = machine_.step(situation(now));
    if (!transition) return;
    act(*transition, now);
  }
}

void Hcm::restart_clock(double now) {
  // Times of before the jump would look fresh for ever; whatever is alive will be heard again at once.
  entered_ = now;
  joints_at_ = goals_at_ = imu_at_ = foot_at_ = requested_ = torque_asked_ = never;
  upright_since_ = torque_off_since_ = -1.0;
  heard_.fill(never);
  measured_at_ = absent_joints();
  fall_.reset();
  mixer_.restart_clock(now);
  if (mixer_.started()) mixer_.hold();
}

double Hcm::ramp_duration(const JointArray& target, double speed) const {
  double distance = 0.0;
  for (std::size_t j = 0; j < body_.joints.size(); ++j)
    if (given(target[j])) distance = std::max(distance, std::abs(target[j] - mixer_.goals()[j]));
  return distance < 0.005
             ? 0.0
             : std::max(0.2, 1.5 * distance / speed);  // the middle of a smooth ramp is 1.5 times its mean speed
}

void Hcm::act(const Transition& transition, double now) {
  history_[transition_count_ % history_size] = {now, transition.from, transition.to, transition.reason,
                                                contains(transition.actions, Action::Warn)};
  ++transition_count_;
  entered_ = now;
  const Action actions = transition.actions;
  const auto does = [actions](Action action) { return contains(actions, action); };

  // What the old state left behind must not move the new one.
  const Source body = body_source(transition.to);
  if (mixer_.started()) mixer_.hold();
  for (const Source source : {Source::Walking, Source::Animation, Source::Kick, Source::Record}) {
    if (source == body) continue;
    mixer_.forget(source);
    heard_[static_cast<std::size_t>(source)] = never;
  }
  if (!head_is_free(transition.to)) mixer_.forget(Source::Head);
  if (transition.to != State::Animation) animation_active_ = animation_ended_ = false;

  if (transition.to == State::Off || transition.to == State::Stopped || transition.to == State::MotorOff ||
      transition.to == State::Startup || transition.to == State::HardwareProblem)
    mixer_.stop();
  else if (!mixer_.started())
    mixer_.start(measured_since(now - params_.joint_timeout), now);

  if (does(Action::CancelAnimation)) {
    if (own_ == OwnAnimation::Running) commands_.cancel_animation = true;
    commands_.play = nullptr;
    own_ = OwnAnimation::None;
  }
  if (does(Action::RampToWalkready)) move_to(body_.walkready, params_.ramp_speed, transition.from, now);
  if (does(Action::SoftStart)) move_to(body_.walkready, params_.soft_start_speed, transition.from, now);
  if (does(Action::RampToPenalty))
    move_to(body_.penalty, transition.from == State::Startup ? params_.soft_start_speed : params_.penalty_speed,
            transition.from, now);
  if (does(Action::ProtectivePose)) mixer_.go(body_.protective[static_cast<std::size_t>(fall_direction_)]);
  if (does(Action::TorqueOff)) {
    commands_.torque = false;
    record_ = false;
  }
  if (does(Action::TorqueOn)) {
    commands_.torque = true;
    torque_asked_ = now;
  }
  if (does(Action::PlayGetUp)) {
    const Direction side = lower_side(up_);
    on_side_ = side == Direction::Left || side == Direction::Right;
    const auto& variants = body_.get_up[static_cast<std::size_t>(side)];
    if (variants.empty()) {
      own_ = OwnAnimation::Failed;
    } else {
      commands_.play = &variants[static_cast<std::size_t>(attempts_) % variants.size()];
      own_ = OwnAnimation::Running;
    }
  }
  if (does(Action::PlaySitDown)) {
    commands_.play = &body_.sit_down;
    own_ = OwnAnimation::Running;
  }
  if (does(Action::CountAttempt)) ++attempts_;
  if (does(Action::ForgetAttempts)) attempts_ = 0;
  if (does(Action::CallForHelp)) commands_.speak = "I cannot get up. Please help me.";
  if (transition.to == State::Controllable) fall_direction_ = Direction::None;
  if (transition.to == State::GettingUp) was_upright_ = false;
}

/// At `speed` (rad/s) to a standing pose. A robot that was walking first stands as its feet are: pulled together at
/// once they would let it fall over its toes.
void Hcm::move_to(const JointArray& pose, double speed, State from, double now) {
  if (!on_one_foot(from) || !body_.feet_down || ramp_duration(pose, speed) == 0.0) {
    mixer_.ramp(pose, ramp_duration(pose, speed), now);
    return;
  }
  put_feet_down(now);
  mixer_.ramp_afterwards(pose, ramp_duration(pose, speed), foot_down_rest);
}

void Hcm::put_feet_down(double now) {
  JointArray target = mixer_.goals();
  body_.feet_down(target);
  mixer_.ramp(target, foot_down_time, now);
}

GoalMixer::Access Hcm::access() const {
  GoalMixer::Access access;
  access.body = feet_put_down_ ? Source::Hcm : body_source(state());
  access.head = head_is_free(state());
  access.body_keeps_head = state() == State::Animation;
  return access;
}

/// Into the protective pose with all force, then soft: limbs that give way break less, also while others pull at them.
bool Hcm::gives_way(double now) const {
  return state() == State::Fallen || state() == State::Helpless ||
         (state() == State::Falling && now - entered_ >= params_.soft_after);
}

/// A walk or kick has missed several of its goals; it may stand on one foot.
bool Hcm::source_pauses(double now) const {
  const double silence = now - heard_[static_cast<std::size_t>(body_source(state()))];
  return on_one_foot(state()) && silence > std::max(params_.walk_gap, 2.5 * usual_interval_);
}

void Hcm::mix(double now) {
  if (state() == State::Record && now - heard_[static_cast<std::size_t>(Source::Record)] > 0.5) {
    // Moved by hand: what is sent next must start from there. What was measured before the last goals says nothing.
    mixer_.follow(measured_since(goals_at_));
    mixer_.forget(Source::Record);
  }
  const bool pauses = body_.feet_down && source_pauses(now);
  if (pauses && !feet_put_down_) put_feet_down(now);
  feet_put_down_ = pauses;
  mixer_.soften(gives_way(now) ? params_.soft_torque : 1.0);
  if (mixer_.update(access(), now)) {
    new_goals_ = true;
    goals_at_ = now;
  }
}

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
  const double age = now - goals.stamp;
  if (!(age <= params_.stale)) return refuse(source, "stamp is too old");
  if (age < -params_.stale) return refuse(source, "stamp lies in the future");
  if (goals.points.empty()) return refuse(source, "has no points");
  if (source == Source::Animation) return refuse(source, "animations have their own way in");
  // A kick that is refused now must not begin in its middle later.
  if (source != Source::Kick || state() == State::Controllable || state() == State::Kicking ||
      state() == State::MotorOff) {
    double& heard = heard_[static_cast<std::size_t>(source)];
    if (source == body_source(state())) usual_interval_ += 0.2 * (std::min(now - heard, 0.1) - usual_interval_);
    heard = now;
  }
  step(now);

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
  const double age = now - goals.stamp;
  if (!(age <= params_.stale)) return refuse(source, "stamp is too old");
  if (age < -params_.stale) return refuse(source, "stamp lies in the future");
  if (flags.request) {
    requested_ = now;
    step(now);
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
  heard_[static_cast<std::size_t>(source)] = now;
  if (!own) {
    const State before = state();
    animation_active_ = true;
    if (flags.first) animation_ended_ = false;
    fall_check_off_ = flags.fall_check_off;
    step(now);
    if (state() != State::Animation) {
      animation_active_ = false;
      if (before == State::Walking || before == State::WalkStopping) requested_ = now;
      return refuse(source, "not in this state");
    }
    requested_ = never;
  }
  mixer_.take(source, goals, now);
  mix(now);
  if (!own && flags.last) animation_ended_ = true;
  return {true, {}};
}

void Hcm::own_animation_ended(bool successful, double now) {
  if (own_ != OwnAnimation::Running) return;
  own_ = successful ? OwnAnimation::Succeeded : OwnAnimation::Failed;
  step(now);
}

void Hcm::tick(double now) {
  std::optional<double> load;
  if (foot_load_[0] >= 0.0 && foot_load_[1] >= 0.0 && now - foot_at_ <= params_.joint_timeout)
    load = foot_load_[0] + foot_load_[1];
  pick_up_.update(load, now - imu_at_ <= params_.imu_timeout && up_[2] > 0.7, now);
  step(now);
  // The hardware may have missed the word, or come up later than we.
  if (state() == State::Startup && hardware_ && !hardware_->torque_on && now - torque_asked_ > 1.0) {
    commands_.torque = true;
    torque_asked_ = now;
  }
  mix(now);
}

bool Hcm::take_new_goals() {
  const bool result = new_goals_;
  new_goals_ = false;
  return result;
}

Hcm::Commands Hcm::take_commands() {
  const Commands result = commands_;
  commands_ = {};
  return result;
}

bool Hcm::stop_requested() const {
  return state() == State::WalkStopping || (state() == State::Controllable && requested_ > never);
}

const char* Hcm::advice() const {
  switch (state()) {
    case State::Startup:
      return "waits for joint_states, imu/data and torque";
    case State::HardwareProblem:
      return "check joint_states, imu/data and hardware_state";
    case State::Helpless:
      return "put the robot on its feet, or check the animation server";
    case State::Stopped:
      return "release the emergency stop (service emergency_stop, stop: false)";
    case State::Off:
      return "wake it (service shutdown_robot, restart: true)";
    case State::MotorOff:
      return "send an order or switch the torque on";
    default:
      return "";
  }
}

}  // namespace hl_hcm
