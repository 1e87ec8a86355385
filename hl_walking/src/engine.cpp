// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/engine.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

using Eigen::Vector2d;

using hl_description::kGravity;

constexpr int kPreview = 4;              // steps; the last one's influence has faded to a few per cent
constexpr double kLandingFrozen = 0.03;  // s before touch-down after which the landing no longer moves
constexpr double kOffsetFade = 0.12;     // s, time constant with which a captured step's posture offset fades
constexpr double kKickStep = 0.9;        // of the longest step, the landing of a kick in walk
constexpr double kKickArrival = 0.7;     // part of the swing after which a kicking foot is in front
constexpr double kTimingSlew = 0.004;    // s per tick, so that the swing foot does not jump
constexpr double kStandGain = 4.0;       // 1/s, how fast the standing robot returns over its middle

}  // namespace

Engine::Engine(const WalkingBody& body, const Params& params)
    : params_(params), planner_(params_), balance_(params_), poser_(body, params_, balance_) {
  reset();
}

void Engine::set_params(const Params& params) {
  params_ = params;
  commanded_ = planner_.limit(commanded_);
}

void Engine::reset() {
  commanded_ = velocity_ = {};
  single_step_.reset();
  kick_.reset();
  kicking_ = false;
  balance_.reset();
  sway_.reset();
  phase_ = Phase::Standing;
  support_ = Side::Left;
  time_ = held_ = step_instability_ = 0.0;
  swing_height_ = 0.0;
  other_foot_ = landing_ = target_ = planner_.neutral(other(support_));
  swing_.start(other_foot_);
  zmp_shift_.setZero();
  com_offset_.setZero();
  output_ = Output{};
  pendulum_.com = pendulum_.dcm = output_.zmp = (zmp_point(support_) + other_foot_ * zmp_point(other(support_))) / 2.0;
  Stance stance;
  stance.com = pendulum_.com;
  stance.other = other_foot_;
  stance.load = 0.5;
  poser_.reset();
  pendulum_.omega = std::sqrt(kGravity / poser_.com_height(stance));
  pose(0.0);
}

Vector2d Engine::zmp_point(Side foot) const {
  return {params_.com_x, -sign(foot) * params_.zmp_y};
}

const Output& Engine::update(double dt, const Sensors& sensors) {
  dt = std::isfinite(dt) ? std::clamp(dt, 0.0, 0.1) : 0.0;
  if (sensors.attitude) {
    balance_.update(*sensors.attitude, params_.trunk_pitch, dt);
  } else {
    balance_.fade(dt);
  }
  if (phase_ == Phase::Standing) {
    stand(dt);
  } else if (waits_for_ground(sensors, dt)) {
    held_ += dt;
  } else {
    time_ += dt;
    plan_landing();
    advance_pendulum(dt);
    advance_swing(dt);
    if (step_is_over(sensors)) end_step();
  }
  com_offset_ *= std::exp(-dt / kOffsetFade);
  pose(dt);
  return output_;
}

void Engine::stand(double dt) {
  const Vector2d middle = (zmp_point(support_) + other_foot_ * zmp_point(other(support_))) / 2.0;
  output_.zmp = clamp_to_support(pendulum_.dcm + kStandGain / pendulum_.omega * (pendulum_.dcm - middle));
  pendulum_.advance(output_.zmp, dt);
  output_.double_support = true;
  output_.step_phase = 0.0;
  if (commanded_.is_zero() && !single_step_) return;
  // The foot on the side the robot goes to is lifted first.
  Side first = other(support_);
  if (single_step_) {  // the foot on the side it goes to
    if (single_step_->y != 0.0) first = single_step_->y > 0.0 ? Side::Left : Side::Right;
  } else if (commanded_.y != 0.0 || commanded_.yaw != 0.0) {
    first = (commanded_.y != 0.0 ? commanded_.y : commanded_.yaw) > 0.0 ? Side::Left : Side::Right;
  }
  begin_step(Phase::Starting, first);
}

/// Enters a step on the foot `support`; the other foot is where it is.
void Engine::begin_step(Phase phase, Side support) {
  if (support != support_) {
    const Pose2 from = other_foot_;
    const Pose2 back = from.inverse();
    pendulum_.com = back * pendulum_.com;
    pendulum_.dcm = back * pendulum_.dcm;
    output_.zmp = back * output_.zmp;
    com_offset_ = back.rotation() * com_offset_;
    other_foot_ = back;
    support_ = support;
  }
  phase_ = phase;
  time_ = held_ = 0.0;
  swing_height_ = 0.0;
  zmp_shift_.setZero();
  landing_shift_.setZero();
  const Side swing = other(support_);
  swing_.start(other_foot_);
  output_.double_support = true;
  output_.step_phase = 0.0;
  zmp_step_.from = output_.zmp;
  if (phase == Phase::Walking) {
    velocity_ =
        commanded_.is_zero() ? Velocity{} : planner_.accelerate(velocity_, slowed_velocity(), params_.step_duration);
    step_instability_ = 0.0;
    landing_ = planner_.step(swing, velocity_);
    if (single_step_) {
      landing_ = planner_.reachable(swing, planner_.neutral(swing) * *single_step_);
      single_step_.reset();
    }
    kicking_ = kick_ == swing;
    if (kicking_) {
      landing_ = planner_.reachable(swing, {kKickStep * params_.max_step_forward, landing_.y, landing_.yaw});
      kick_.reset();
    }
    zmp_step_.to = zmp_point(support_);
    zmp_step_.duration = params_.step_duration;
    zmp_step_.double_support = params_.double_support_ratio * params_.step_duration;
  } else {  // weight shift with both feet down
    velocity_ = {};
    kicking_ = false;
    landing_ = other_foot_;
    zmp_step_.to = (zmp_point(support_) + other_foot_ * zmp_point(swing)) / 2.0;
    zmp_step_.duration = params_.start_duration;
    zmp_step_.double_support = 0.3 * params_.start_duration;
  }
  target_ = landing_;
}

/// A robot that stumbles slows down: a shorter planned step leaves more of the legs' reach to catch it.
Velocity Engine::slowed_velocity() const {
  const double part = std::clamp(2.0 - step_instability_ / params_.slow_down_instability, 0.0, 1.0);
  return {part * commanded_.x, part * commanded_.y, part * commanded_.yaw};
}

/// What the DCM should be when the swing foot lands at `landing`: backwards from a stand after a few more steps.
Vector2d Engine::dcm_at_step_end(const Pose2& landing) const {
  if (phase_ == Phase::Stopping) return zmp_step_.to;
  std::array<Vector2d, kPreview + 1> zmp;
  Pose2 foot = landing;
  Side side = other(support_);
  zmp[0] = foot * zmp_point(side);
  for (int i = 1; i <= kPreview; ++i) {
    side = other(side);
    foot = foot * planner_.step(side, velocity_);
    zmp[i] = foot * zmp_point(side);
  }
  Vector2d dcm = (zmp[kPreview] + zmp[kPreview - 1]) / 2.0;
  ZmpStep step;
  step.duration = params_.step_duration;
  step.double_support = params_.double_support_ratio * params_.step_duration;
  for (int i = kPreview - 1; i >= 0; --i) {
    step.to = zmp[i];
    step.from = i > 0 ? zmp[i - 1] : zmp_step_.to;
    dcm = step.dcm_at_start(dcm, pendulum_.omega);
  }
  return dcm;
}

Vector2d Engine::clamp_to_support(const Vector2d& zmp) const {
  const double m = params_.zmp_margin;
  const bool left = support_ == Side::Left;
  const FootPlate& plate = poser_.body().plate();
  Vector2d low(-plate.heel + m, -(left ? plate.inner : plate.outer) + m);
  Vector2d high(plate.toe - m, (left ? plate.outer : plate.inner) - m);
  if (phase_ != Phase::Walking) {  // both feet: the box around both, cut to what lies between in x
    low = low.cwiseMin(low + other_foot_.position());
    high = high.cwiseMax(high + other_foot_.position());
  }
  return zmp.cwiseMax(low).cwiseMin(high);
}

/// Chooses ZMP and landing so that the DCM at the end of the step is where the next step needs it.
void Engine::plan_landing() {
  const double remaining = zmp_step_.duration - time_;
  if (remaining < kLandingFrozen) return;
  const Vector2d goal = dcm_at_step_end(landing_);
  const Vector2d wanted = zmp_shift(zmp_step_, pendulum_.dcm, time_, goal, pendulum_.omega);
  zmp_shift_ = clamp_to_support(zmp_step_.to + wanted) - zmp_step_.to;
  if (phase_ != Phase::Walking) return;
  // What the ZMP cannot do, the landing does: the whole further plan moves with it.
  const double grow = std::exp(pendulum_.omega * remaining);
  const Vector2d missed = (wanted - zmp_shift_) * (grow - 1.0);
  Pose2 landing = landing_;
  landing.x += missed.x();
  landing.y += missed.y();
  landing_ = planner_.reachable(other(support_), landing);
  // What the torso's tilt says the DCM will be off by, the foot catches.
  Vector2d measured = balance_.dcm_error(kGravity / (pendulum_.omega * pendulum_.omega), pendulum_.omega);
  const Vector2d mirror(1.0, sign(support_));
  measured = sway_.unusual(measured.cwiseProduct(mirror), time_ / zmp_step_.duration).cwiseProduct(mirror);
  const Vector2d error = measured * std::max(0.0, 1.0 - params_.capture_dead_zone / (measured.norm() + 1e-9));
  const Vector2d most(params_.capture_limit_x, params_.capture_limit_y);
  const Vector2d shift = Vector2d(params_.capture_x * error.x(), params_.capture_y * error.y()) * grow;
  Pose2 target = landing_;
  target.x += std::clamp(shift.x(), -most.x(), most.x());
  target.y += std::clamp(shift.y(), -most.y(), most.y());
  target_ = planner_.reachable(other(support_), target);
  adapt_timing(error.y(), goal.y());
  output_.instability = measured.norm() / (most.norm() + 1e-9);
  step_instability_ = std::max(step_instability_, output_.instability);
}

/// A robot that tips aside crosses the middle earlier or later than planned: the step is made to end when it does.
void Engine::adapt_timing(double dcm_error_y, double goal_y) {
  if (params_.timing_gain <= 0.0 || time_ < zmp_step_.double_support) return;
  const double zmp = zmp_step_.to.y() + zmp_shift_.y();
  const double now = pendulum_.dcm.y() + dcm_error_y - zmp, then = goal_y - zmp;
  // A DCM on the outer side of the ZMP never comes back by itself: all the time there is.
  const double most = params_.timing_limit * params_.step_duration;
  const double wanted =
      now * then > 0.0 ? time_ + std::log(then / now) / pendulum_.omega : params_.step_duration + most;
  const double end =
      params_.step_duration + params_.timing_gain * std::clamp(wanted - params_.step_duration, -most, most);
  zmp_step_.duration += std::clamp(end - zmp_step_.duration, -kTimingSlew, kTimingSlew);
}

void Engine::advance_pendulum(double dt) {
  output_.zmp = zmp_step_.zmp(time_) + zmp_shift_;
  pendulum_.advance(output_.zmp, dt);
}

void Engine::advance_swing(double dt) {
  output_.step_phase = std::min(1.0, time_ / zmp_step_.duration);
  output_.double_support = phase_ != Phase::Walking || time_ < zmp_step_.double_support;
  if (output_.double_support) return;
  const double swing_time = zmp_step_.duration - zmp_step_.double_support;
  const double phase = (time_ - zmp_step_.double_support) / swing_time;
  const double arrival = kicking_ ? kKickArrival : params_.swing_end;
  swing_.advance(target_, swing_time * (arrival - phase) + dt, dt);
  swing_height_ = swing_height(phase, params_.foot_lift, params_.lift_apex, params_.landing_depth);
}

/// Part of the weight on a foot; not a number without sensors.
double Engine::load_on(Side foot, const Sensors& sensors) const {
  if (!sensors.foot_force) return std::nan("");
  return (*sensors.foot_force)[static_cast<std::size_t>(foot)] / (poser_.body().mass() * kGravity);
}

/// Double support does not end before the new support foot carries, unless that takes too long.
bool Engine::waits_for_ground(const Sensors& sensors, double dt) const {
  return phase_ == Phase::Walking && time_ < zmp_step_.double_support && time_ + dt >= zmp_step_.double_support &&
         held_ < params_.contact_hold && load_on(support_, sensors) < params_.contact_force;
}

/// By the clock, or earlier if the foot touches down early.
bool Engine::step_is_over(const Sensors& sensors) const {
  if (time_ >= zmp_step_.duration) return true;
  const double swing_time = zmp_step_.duration - zmp_step_.double_support;
  return phase_ == Phase::Walking && time_ - zmp_step_.double_support >= params_.contact_phase * swing_time &&
         load_on(other(support_), sensors) > params_.contact_force;
}

void Engine::end_step() {
  const Phase done = phase_;
  if (done == Phase::Stopping) {
    phase_ = Phase::Standing;
    velocity_ = {};
    return;
  }
  const Side next = other(support_);
  if (done == Phase::Walking) {
    ++output_.steps;
    other_foot_ = swing_.pose();
    // The pendulum lives on as if the foot had landed where it was planned; the robot stands where it was caught.
    const Vector2d caught = target_.position() - landing_.position();
    pendulum_.com += caught;
    pendulum_.dcm += caught;
    com_offset_ -= caught;
  }
  bool together = false;
  if (done == Phase::Walking && commanded_.is_zero() && !single_step_) {
    const Pose2 rest = planner_.neutral(next);
    together = std::abs(other_foot_.x - rest.x) < 0.012 && std::abs(other_foot_.y - rest.y) < 0.015 &&
               std::abs(wrap_angle(other_foot_.yaw - rest.yaw)) < 0.08;
  }
  begin_step(together ? Phase::Stopping : Phase::Walking, next);
}

void Engine::pose(double dt) {
  const Side swing = other(support_);
  Stance stance;
  stance.support = support_;
  stance.com = pendulum_.com + com_offset_;
  stance.push = pendulum_.omega * pendulum_.omega * (pendulum_.com - output_.zmp);
  stance.other = swing_.pose();
  stance.other_height = swing_height_;
  stance.other_zmp = other_foot_ * zmp_point(swing);
  stance.zmp = zmp_point(support_);
  if (phase_ != Phase::Walking) {  // the ZMP's place between the feet says who carries how much
    const Vector2d line = stance.other_zmp - stance.zmp;
    stance.load = 1.0 - std::clamp((output_.zmp - stance.zmp).dot(line) / line.squaredNorm(), 0.0, 1.0);
  } else if (time_ < zmp_step_.double_support) {  // passes from the old support foot to the new one
    stance.load = time_ / zmp_step_.double_support;
  } else {
    stance.zmp = output_.zmp;
  }
  output_.joints = poser_.pose(stance, dt);
  output_.reachable = poser_.reachable();
  output_.phase = phase_;
  output_.support = support_;
  output_.com = pendulum_.com;
  output_.dcm = pendulum_.dcm;
  output_.landing = target_;
  output_.swing_foot = stance.other;
  output_.swing_height = swing_height_;
  output_.velocity = velocity_;
}

}  // namespace hl_walking
