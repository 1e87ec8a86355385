// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/engine.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kGravity = 9.81;        // m/s^2
constexpr int kPreview = 4;              // steps; the last one's influence has faded to a few per cent
constexpr double kLandingFrozen = 0.03;  // s before touch-down after which the landing no longer moves
constexpr double kOffsetFade = 0.12;     // s, time constant with which a captured step's posture offset fades
constexpr double kMaxSpeed = 8.0;        // rad/s, of a joint in the plan; a jump in the plan is not a speed
constexpr double kMaxLead = 0.15;        // rad, of a goal over the wanted angle
constexpr double kTimingSlew = 0.004;    // s per tick, so that the swing foot does not jump
constexpr double kStandGain = 4.0;       // 1/s, how fast the standing robot returns over its middle

bool is_roll(std::size_t leg_joint) {
  return leg_joint == 1 || leg_joint == 5;
}

Isometry3d above(const Pose2& pose, double height) {
  Isometry3d t = Isometry3d::Identity();
  t.translation() = Vector3d(pose.x, pose.y, height);
  t.linear() = AngleAxisd(pose.yaw, Vector3d::UnitZ()).toRotationMatrix();
  return t;
}

/// `foot`, turned by roll and pitch about the ankle, which is `height` above the sole.
Isometry3d turned_about_ankle(const Isometry3d& foot, const Vector2d& roll_pitch, double height) {
  const Vector3d ankle(0.0, 0.0, height);
  Isometry3d turn = Isometry3d::Identity();
  turn.linear() = (AngleAxisd(roll_pitch.y(), Vector3d::UnitY()) * AngleAxisd(roll_pitch.x(), Vector3d::UnitX()))
                      .toRotationMatrix();
  turn.translation() = ankle - turn.linear() * ankle;
  return foot * turn;
}

}  // namespace

Engine::Engine(const Body& body, const Params& params)
    : body_(body), params_(params), planner_(params_), balance_(params_) {
  reset();
}

void Engine::set_params(const Params& params) {
  params_ = params;
  wish_ = planner_.limit(wish_);
}

void Engine::reset() {
  wish_ = velocity_ = {};
  single_step_.reset();
  balance_.reset();
  sway_.reset();
  phase_ = Phase::Standing;
  support_ = Side::Left;
  time_ = held_ = 0.0;
  swing_height_ = 0.0;
  other_foot_ = landing_ = target_ = planner_.neutral(other(support_));
  swing_.start(other_foot_);
  zmp_shift_.setZero();
  com_offset_.setZero();
  output_ = Output{};
  posture_ = last_posture_ = output_.joints = body_.ready();
  pendulum_.com = pendulum_.dcm = output_.zmp = (zmp_point(support_) + other_foot_ * zmp_point(other(support_))) / 2.0;
  for (int i = 0; i < 10; ++i) pose(0.0);  // the posture depends on the centre of mass, which depends on the posture
  const Vector3d com = AngleAxisd(params_.trunk_pitch, Vector3d::UnitY()) * body_.com(posture_);
  pendulum_.omega = std::sqrt(kGravity / (params_.trunk_height + com.z()));
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
  if (wish_.is_zero() && !single_step_) return;
  // The foot on the side the robot goes to is lifted first.
  Side first = other(support_);
  if (single_step_) {
    first = single_step_->side;
  } else if (wish_.y != 0.0 || wish_.yaw != 0.0) {
    first = (wish_.y != 0.0 ? wish_.y : wish_.yaw) > 0.0 ? Side::Left : Side::Right;
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
    velocity_ = wish_.is_zero() ? Velocity{} : planner_.accelerate(velocity_, wish_, params_.step_duration);
    landing_ = planner_.step(swing, velocity_);
    if (single_step_ && single_step_->side == swing) {
      landing_ = planner_.reachable(swing, single_step_->landing);
      single_step_.reset();
    }
    zmp_step_.to = zmp_point(support_);
    zmp_step_.duration = params_.step_duration;
    zmp_step_.double_support = params_.double_support_ratio * params_.step_duration;
  } else {  // weight shift with both feet down
    velocity_ = {};
    landing_ = other_foot_;
    zmp_step_.to = (zmp_point(support_) + other_foot_ * zmp_point(swing)) / 2.0;
    zmp_step_.duration = params_.start_duration;
    zmp_step_.double_support = 0.3 * params_.start_duration;
  }
  target_ = landing_;
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
  const FootPlate& plate = body_.plate();
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
  Vector2d felt = balance_.dcm_error(kGravity / (pendulum_.omega * pendulum_.omega), pendulum_.omega);
  const Vector2d mirror(1.0, sign(support_));
  felt = sway_.unusual(felt.cwiseProduct(mirror), time_ / zmp_step_.duration).cwiseProduct(mirror);
  const Vector2d error = felt * std::max(0.0, 1.0 - params_.capture_dead_zone / (felt.norm() + 1e-9));
  const Vector2d most(params_.capture_limit_x, params_.capture_limit_y);
  const Vector2d shift = Vector2d(params_.capture_x * error.x(), params_.capture_y * error.y()) * grow;
  Pose2 target = landing_;
  target.x += std::clamp(shift.x(), -most.x(), most.x());
  target.y += std::clamp(shift.y(), -most.y(), most.y());
  target_ = planner_.reachable(other(support_), target);
  adapt_timing(error.y(), goal.y());
  output_.instability = felt.norm() / (most.norm() + 1e-9);
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
  swing_.advance(target_, swing_time * (params_.swing_end - phase) + dt, dt);
  swing_height_ = swing_height(phase, params_.foot_lift, params_.lift_apex, params_.landing_depth);
}

/// Part of the weight on a foot; not a number without sensors.
double Engine::load_on(Side foot, const Sensors& sensors) const {
  if (!sensors.foot_force) return std::nan("");
  return (*sensors.foot_force)[static_cast<std::size_t>(foot)] / (body_.mass() * kGravity);
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
  if (done == Phase::Walking && wish_.is_zero() && !single_step_) {
    const Pose2 rest = planner_.neutral(next);
    together = std::abs(other_foot_.x - rest.x) < 0.012 && std::abs(other_foot_.y - rest.y) < 0.015 &&
               std::abs(wrap_angle(other_foot_.yaw - rest.yaw)) < 0.08;
  }
  begin_step(together ? Phase::Stopping : Phase::Walking, next);
}

/// Servos give way under load and lag behind moving goals: their goals are moved ahead by what they will lose. The load
/// is the ground's force, which the plan knows: it goes through the ZMP and holds the pendulum up.
void Engine::lead_servos(const Isometry3d& to_base, double load, double dt) {
  output_.joints = posture_;
  for (const Side side : {Side::Left, Side::Right}) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double lag = k == 0 ? params_.lag_yaw : is_roll(k) ? params_.lag_roll : params_.lag_pitch;
      const auto joint = static_cast<Eigen::Index>(body_.leg(side).joints()[k]);
      const double moved = dt > 0.0 ? posture_[joint] - last_posture_[joint] : 0.0;
      output_.joints[joint] += lag * std::clamp(moved / std::max(dt, 1e-6), -kMaxSpeed, kMaxSpeed);
    }
  }
  last_posture_ = posture_;
  if (params_.stiffness_roll <= 0.0 && params_.stiffness_pitch <= 0.0) return;

  const Vector2d push = body_.mass() * pendulum_.omega * pendulum_.omega * (pendulum_.com - output_.zmp);
  const Vector3d force = to_base.linear() * Vector3d(push.x(), push.y(), body_.mass() * kGravity);
  const Vector2d other_zmp = other_foot_ * zmp_point(other(support_));
  if (phase_ != Phase::Walking) {  // the ZMP's place between the feet says who carries how much
    const Vector2d line = other_zmp - zmp_point(support_);
    load = 1.0 - std::clamp((output_.zmp - zmp_point(support_)).dot(line) / line.squaredNorm(), 0.0, 1.0);
  }
  for (const Side side : {Side::Left, Side::Right}) {
    const double part = side == support_ ? load : 1.0 - load;
    if (part <= 0.0) continue;
    const Vector2d point = side != support_ ? other_zmp : load < 1.0 ? zmp_point(support_) : output_.zmp;
    const auto torque = body_.leg_torque(side, to_base * Vector3d(point.x(), point.y(), 0.0), part * force);
    for (std::size_t k = 1; k < 6; ++k) {
      const double stiffness = is_roll(k) ? params_.stiffness_roll : params_.stiffness_pitch;
      if (stiffness <= 0.0) continue;
      const auto joint = static_cast<Eigen::Index>(body_.leg(side).joints()[k]);
      output_.joints[joint] += std::clamp(torque[k] / stiffness, -kMaxLead, kMaxLead);
    }
  }
}

void Engine::pose(double dt) {
  const Pose2 swing = swing_.pose();
  const double yaw = swing.yaw / 2.0;
  const Vector2d hip = balance_.hip();
  const auto heading = AngleAxisd(yaw, Vector3d::UnitZ());
  const Vector3d com = heading * (AngleAxisd(params_.trunk_pitch, Vector3d::UnitY()) * body_.com(posture_));
  Isometry3d base = Isometry3d::Identity();
  base.linear() =
      (heading * AngleAxisd(params_.trunk_pitch + hip.y(), Vector3d::UnitY()) * AngleAxisd(hip.x(), Vector3d::UnitX()))
          .toRotationMatrix();
  const Vector2d over = pendulum_.com + com_offset_;
  base.translation() = Vector3d(over.x() - com.x(), over.y() - com.y(), params_.trunk_height);
  const Isometry3d to_base = base.inverse();

  // Load passes from the old support foot to the new one during double support.
  double load = 1.0;
  if (phase_ == Phase::Walking && time_ < zmp_step_.double_support) load = time_ / zmp_step_.double_support;
  const Vector2d ankle = balance_.ankle(), level = -params_.swing_level * balance_.tilt();
  const bool both = phase_ != Phase::Walking;
  const Vector2d support_turn = both ? ankle : Vector2d(load * ankle + (1.0 - load) * level);
  const Vector2d swing_turn = both ? ankle : Vector2d((1.0 - load) * ankle + load * level);
  const double h = body_.ankle_height();
  const Isometry3d support_foot = turned_about_ankle(Isometry3d::Identity(), support_turn, h);
  const Isometry3d swing_foot = turned_about_ankle(above(swing, swing_height_), swing_turn, h);
  output_.reachable = body_.solve_leg(support_, to_base * support_foot, posture_);
  output_.reachable &= body_.solve_leg(other(support_), to_base * swing_foot, posture_);

  const double ahead = (to_base * swing_foot).translation().x() - (to_base * support_foot).translation().x();
  for (const Side side : {Side::Left, Side::Right}) {
    const double foot_ahead = side == support_ ? -ahead : ahead;
    const auto joint = static_cast<Eigen::Index>(body_.shoulder_pitch(side));
    posture_[joint] = body_.ready()[joint] - body_.shoulder_sign(side) * params_.arm_swing * foot_ahead;
  }
  lead_servos(to_base, load, dt);
  output_.phase = phase_;
  output_.support = support_;
  output_.com = pendulum_.com;
  output_.dcm = pendulum_.dcm;
  output_.landing = target_;
}

}  // namespace hl_walking
