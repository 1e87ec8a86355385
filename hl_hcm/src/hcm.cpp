// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/hcm.hpp"

#include <algorithm>
#include <cmath>

#include "state_traits.hpp"

namespace hl_hcm {
namespace {

constexpr double kRequestLifetime = 2.0;   // s an animation's request stands
constexpr double kHardwarePatience = 2.0;  // s until a robot without hardware_state is taken to have torque
constexpr double kTorquePatience = 3.0;    // s the hardware may take to report torque on after it was asked for
constexpr double kWalkEndSilence = 0.06;   // s without goals, besides the walk's own word, until it has ended
constexpr double kFootDownTime = 0.08;     // s in which both feet come to the ground
constexpr double kFootDownRest = 0.8;      // s until the swing of a stopped walk has died away

}  // namespace

Hcm::Hcm(HcmBody body, const Params& params)
    : body_(std::move(body)), params_(params), senses_(body_.joints, params), mixer_(body_.joints, params.goals) {
  last_message_time_.fill(kNever);
}

void Hcm::set(const Params& params) {
  params_ = params;
  mixer_.set(params.goals);
  senses_.set(params);
}

void Hcm::on_imu(const Vector3& up, const Vector3& rate, double stamp, double now) {
  const Direction direction = senses_.on_imu(up, rate, stamp, now, lean_of(state()));
  if (direction == Direction::None) return;
  if (state() != State::Falling) fall_direction_ = direction;
  advance(now);  // lead time counts: not only at the next tick
}

void Hcm::on_paused(bool paused, double now) {
  paused_ = paused;
  advance(now);
}

void Hcm::emergency_stop(bool stop, double now) {
  emergency_ = stop;
  advance(now);
}

Verdict Hcm::shutdown(bool shutdown, double now) {
  if (shutdown && paused_)
    return {false, "the robot is penalised and must not move; release it, or use the emergency stop"};
  shutdown_ = shutdown;
  advance(now);
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
      advance(now);
      return {true, {}};
    default:
      if (!on) {
        record_ = false;
        return {true, {}};
      }
      return {false, "the robot is busy; wait until it is controllable"};
  }
}

bool Hcm::watches_falls() const {
  switch (state()) {
    case State::GettingUp:
    case State::GettingUpCheck:
      return senses_.was_upright();  // lying is no fall; having stood and going down again is
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
  const auto last_message_time = [&](Source source) { return last_message_time_[static_cast<std::size_t>(source)]; };
  Situation s;
  s.time = now - entered_;
  s.paused = paused_;
  s.emergency = emergency_;
  s.shutdown = shutdown_;
  s.record = record_;
  senses_.describe(s, now);
  s.still = std::min(s.still, s.time);  // rest from before this state does not count
  s.falling = s.imu_ok && senses_.fall().state() != Direction::None && watches_falls();
  const auto& hardware = senses_.hardware();
  s.torque_on = hardware ? hardware->torque_on : s.time > kHardwarePatience;
  s.hardware_ok =
      !hardware || (!hardware->error && (!hardware->torque_on || !hardware->legs_lost || state() == State::Record));
  s.torque_lost = senses_.torque_off_for(now) > 0.5 && now - torque_asked_ > kTorquePatience;
  const double walk_silence = now - last_message_time(Source::Walking);
  s.animation_request = requested_ > kNever;
  s.walk_goals = walk_silence <= params_.walk_timeout && (state() != State::Controllable || !s.animation_request);
  s.walk_ended = senses_.walk_is_over() && walk_silence > kWalkEndSilence;
  s.animation_goals = animation_active_ && now - last_message_time(Source::Animation) <= params_.animation_silence;
  s.animation_ended = animation_ended_;
  s.kick_goals = now - last_message_time(Source::Kick) <= params_.kick_timeout;
  s.ramp_done = mixer_.ramp_done(now);
  s.own_animation = own_;
  s.animation_server = animation_server_;
  s.attempts = attempts_;
  const Direction side = lying(senses_.up());
  s.rolled_over = on_side_ && s.imu_ok && (side == Direction::Front || side == Direction::Back);
  s.max_attempts = static_cast<int>(params_.max_attempts);
  s.still_time = params_.still_time;
  s.help_pause = params_.help_pause;
  s.animation_timeout = params_.animation_timeout;
  s.walk_stop_timeout = params_.walk_stop_timeout;
  s.startup_timeout = params_.startup_timeout;
  return s;
}

void Hcm::advance(double now) {
  if (first_) {
    first_ = false;
    entered_ = now;
  }
  if (now < last_step_ - 0.5) restart_clock(now);
  last_step_ = now;
  if (now - requested_ > kRequestLifetime) requested_ = kNever;
  constexpr int kChain = 4;  // transitions that may follow each other at once
  for (int i = 0; i < kChain; ++i) {
    const Transition* transition = machine_.step(situation(now));
    if (!transition) return;
    act(*transition, now);
  }
}

void Hcm::restart_clock(double now) {
  // Times of before the jump would look fresh for ever; whatever is alive will be heard again at once.
  entered_ = now;
  goals_at_ = requested_ = torque_asked_ = kNever;
  last_message_time_.fill(kNever);
  senses_.restart_clock();
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
  history_[transition_count_ % kHistorySize] = {now, transition.from, transition.to, transition.reason,
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
    last_message_time_[static_cast<std::size_t>(source)] = kNever;
  }
  if (!head_is_free(transition.to)) mixer_.forget(Source::Head);
  if (transition.to != State::Animation) animation_active_ = animation_ended_ = false;

  if (transition.to == State::Off || transition.to == State::Stopped || transition.to == State::MotorOff ||
      transition.to == State::Startup || transition.to == State::HardwareProblem)
    mixer_.stop();
  else if (!mixer_.started())
    mixer_.start(senses_.measured_lately(now), now);

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
  if (does(Action::ProtectivePose)) {
    if (fall_direction_ == Direction::None) fall_direction_ = lower_side(senses_.up());
    mixer_.go(body_.protective[static_cast<std::size_t>(fall_direction_)]);
  }
  if (does(Action::TorqueOff)) {
    commands_.torque = false;
    record_ = false;
  }
  if (does(Action::TorqueOn)) {
    commands_.torque = true;
    torque_asked_ = now;
  }
  if (does(Action::PlayGetUp)) {
    const Direction side = lower_side(senses_.up());
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
  if (transition.to == State::GettingUp) senses_.forget_standing();
}

/// At `speed` (rad/s) to a standing pose. A robot that was walking first stands as its feet are: pulled together at
/// once they would let it fall over its toes.
void Hcm::move_to(const JointArray& pose, double speed, State from, double now) {
  if (!on_one_foot(from) || !body_.feet_down || ramp_duration(pose, speed) == 0.0) {
    mixer_.ramp(pose, ramp_duration(pose, speed), now);
    return;
  }
  put_feet_down(now);
  mixer_.ramp_afterwards(pose, ramp_duration(pose, speed), kFootDownRest);
}

void Hcm::put_feet_down(double now) {
  JointArray target = mixer_.goals();
  body_.feet_down(target);
  mixer_.ramp(target, kFootDownTime, now);
}

void Hcm::own_animation_ended(bool successful, double now) {
  if (own_ != OwnAnimation::Running) return;
  own_ = successful ? OwnAnimation::Succeeded : OwnAnimation::Failed;
  advance(now);
}

Hcm::Outputs Hcm::step(const Inputs& inputs, double now) {
  const double heard = inputs.heard.value_or(now);
  if (inputs.joints) on_joint_states(inputs.joints->positions, inputs.joints->stamp, heard);
  for (std::size_t foot = 0; foot < inputs.feet.size(); ++foot)
    if (inputs.feet[foot]) on_foot_load(foot, *inputs.feet[foot], heard);
  if (inputs.hardware) on_hardware(*inputs.hardware, heard);
  if (inputs.imu) on_imu(inputs.imu->up, inputs.imu->rate, inputs.imu->stamp, heard);
  if (inputs.support) on_support(inputs.support->walking, inputs.support->unstable);
  if (inputs.paused) on_paused(*inputs.paused, heard);
  if (inputs.emergency_stop) emergency_stop(*inputs.emergency_stop, heard);
  Outputs out;
  out.heard_in = state();
  out.stop_requested = stop_requested();
  tick(now);
  out.new_goals = take_new_goals();
  out.commands = take_commands();
  return out;
}

void Hcm::tick(double now) {
  senses_.tick(now);
  advance(now);
  // The hardware may have missed the word, or come up later than we.
  if (state() == State::Startup && senses_.hardware() && !senses_.hardware()->torque_on && now - torque_asked_ > 1.0) {
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
  return state() == State::WalkStopping || (state() == State::Controllable && requested_ > kNever);
}

bool Hcm::waits_for_source() const {
  switch (state()) {
    case State::Walking:
    case State::WalkStopping:
      return !senses_.walk_is_over();
    case State::Animation:
    case State::Kicking:
    case State::GettingUp:
    case State::ShutdownSit:
      return true;
    default:
      return false;
  }
}

const char* Hcm::advice() const {
  return advice_for(state());
}

}  // namespace hl_hcm
