// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/controller.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

constexpr double kAbsurdSpeed = 10.0;  // m/s or rad/s
constexpr double kServoSpeed = 15.0;   // rad/s, faster than any servo of the class
constexpr double kJump = 0.3;          // rad, on top of it: noise, and late messages
constexpr double kFrozen = 0.15;       // rad that goals move while not one joint does

std::optional<std::string> absurd(const Velocity& v) {
  for (const double part : {v.x, v.y, v.yaw}) {
    if (!(std::abs(part) <= kAbsurdSpeed)) {
      return "a velocity of " + std::to_string(part) + " is refused: m/s and rad/s are expected, at most " +
             std::to_string(static_cast<int>(kAbsurdSpeed));
    }
  }
  return std::nullopt;
}

}  // namespace

Permission permission_from(hl_soccer::BodyState state, bool stop_requested) {
  using hl_soccer::BodyState;
  if (state != BodyState::Controllable && state != BodyState::Walking && state != BodyState::Kicking) {
    return Permission::None;
  }
  return stop_requested ? Permission::Stop : Permission::Full;
}

std::optional<Orientation> orientation_from(const Eigen::Quaterniond& q, const Eigen::Vector3d& rate) {
  if (!(std::abs(q.squaredNorm() - 1.0) < 0.1)) return std::nullopt;
  const auto tilt = hl_description::tilt_of(q);
  return Orientation{{tilt.roll, tilt.pitch, rate.x(), rate.y()}, hl_description::yaw_of(q.normalized())};
}

std::optional<ContactSource> contact_source_from(const std::string& name) {
  if (name == "auto") return ContactSource::Auto;
  if (name == "pressure") return ContactSource::Pressure;
  if (name == "joint_load") return ContactSource::JointLoad;
  if (name == "imu") return ContactSource::Imu;
  return std::nullopt;
}

const hl_node::ParameterTable<Controller::Params>& Controller::parameters() {
  using P = Params;
  static const hl_node::ParameterTable<P> table({
      {"command_timeout", &P::command_timeout, 0.05, 5.0, "without cmd_vel after which the robot stops, s"},
      {"sensor_timeout", &P::sensor_timeout, 0.02, 2.0, "after which a sensor counts as missing, s"},
      {"approach_speed", &P::approach_speed, 0.1, 5.0, "of the fastest joint on the way to the first posture, rad/s"},
      {"quiet_after", &P::quiet_after, 0.0, 5.0, "of standing after which no more goals are sent, s"},
  });
  return table;
}

std::optional<std::string> Controller::Params::validate() const {
  return parameters().check(*this);
}

Controller::Controller(const WalkingBody& body, const hl_walking::Params& walk, const Kick::Params& kick,
                       const Odometry::Params& odometry, const Params& params)
    : params_(params),
      walk_(walk),
      kick_params_(kick),
      odometry_params_(odometry),
      body_(body),
      engine_(body, walk),
      kick_(body, walk_, kick_params_),
      odometry_(body_, odometry_params_) {
  measured_.value = received_.value = goals_at_last_change_ = goals_ = approach_from_ = approach_to_ = body.ready();
}

Controller::Outputs Controller::step(const Inputs& inputs, double now) {
  const double heard = inputs.heard.value_or(now);
  Outputs out;
  if (inputs.joints != nullptr) sense_joints(*inputs.joints, inputs.stamp);
  if (inputs.torques != nullptr) sense_torques(*inputs.torques, inputs.stamp);
  for (const Side side : {Side::Left, Side::Right})
    if (const auto& load = inputs.feet[static_cast<std::size_t>(side)]) sense_foot(side, *load, inputs.stamp);
  if (inputs.imu) sense_imu(inputs.imu->attitude, inputs.imu->yaw, inputs.stamp);
  if (inputs.permission) permit(*inputs.permission);
  if (inputs.command) out.velocity_refused = command(*inputs.command, heard);
  if (inputs.teleoperation)
    if (auto refused = teleoperate(*inputs.teleoperation, heard)) out.velocity_refused = std::move(refused);
  if (inputs.kick) out.kick_refused = start_kick(inputs.kick->goal, inputs.kick->in_walk, heard);
  if (inputs.cancel_kick) cancel_kick();
  if (inputs.steps) out.steps_refused = request_steps(inputs.steps->step, inputs.steps->count, heard);
  out.goals = update(now);
  out.joints = &goals_;
  out.walking = walking();
  out.unstable = unstable();
  return out;
}

void Controller::permit(Permission permission) {
  if (permission == Permission::None && permission_ != Permission::None) {
    engine_.reset();
    kick_cancelled_ = kick_.active();
    if (walk_kick_ == WalkKick::Waiting) walk_kick_ = WalkKick::Lost;
    moving_ = false;
    steps_wanted_ = 0;
    approach_ = 0.0;
  }
  permission_ = permission;
}

std::optional<std::string> Controller::command(const Velocity& velocity, double now) {
  if (auto refused = absurd(velocity)) return refused;
  command_ = {velocity, now};
  return std::nullopt;
}

std::optional<std::string> Controller::teleoperate(const Velocity& velocity, double now) {
  if (auto refused = absurd(velocity)) return refused;
  teleop_ = {velocity, now};
  return std::nullopt;
}

void Controller::sense_joints(const Joints& measured, double stamp) {
  if (measured.size() != measured_.value.size() || !measured.allFinite()) return;
  const double moved = (measured - received_.value).cwiseAbs().maxCoeff();
  const double time = std::clamp(stamp - received_.stamp, 0.0, 1.0);
  const bool first = received_.stamp < 0.0 || time >= 1.0;
  received_.value = measured;
  received_.stamp = stamp;
  if (!first && moved > kServoSpeed * time + kJump) return;
  if (moved > 0.0) frozen_ = false;
  if (moved > 0.0 || !moving_) goals_at_last_change_ = goals_;
  if ((goals_ - goals_at_last_change_).cwiseAbs().maxCoeff() > kFrozen) frozen_ = true;
  if (frozen_) return;
  measured_.value = measured;
  measured_.stamp = stamp;
}

void Controller::sense_torques(const Joints& torques, double stamp) {
  if (torques.size() != measured_.value.size() || !torques.allFinite()) return;
  torques_.value = torques;
  torques_.stamp = stamp;
}

void Controller::sense_imu(const Attitude& attitude, double yaw, double stamp) {
  imu_.value = {attitude, yaw};
  imu_.stamp = stamp;
}

void Controller::sense_foot(Side side, const FootLoad& load, double stamp) {
  if (!std::isfinite(load.force)) return;
  foot_[static_cast<std::size_t>(side)] = {load, stamp};
}

std::optional<Eigen::Vector2d> Controller::measured_zmp() const {
  if (!last_ || !joints_fresh_) return std::nullopt;
  for (const auto& foot : foot_) {
    if (!foot.fresh(*last_, params_.sensor_timeout)) return std::nullopt;
  }
  return hl_walking::measured_zmp(body_, measured_.value, engine_.output().support, {foot_[0].value, foot_[1].value});
}

std::optional<Eigen::Vector2d> Controller::measured_com() {
  if (!joints_fresh_) return std::nullopt;
  const Eigen::Isometry3d sole = body_.sole(engine_.output().support, measured_.value);
  return Eigen::Vector2d((sole.inverse() * body_.com(measured_.value)).head<2>());
}

/// Which foot carries how much, by what the robot has and the parameter allows.
void Controller::sense_ground(double now) {
  const ContactSource source = params_.contact_source;
  const auto fresh = [&](const auto& value) { return value.fresh(now, params_.sensor_timeout); };
  if (source != ContactSource::JointLoad && source != ContactSource::Imu && fresh(foot_[0]) && fresh(foot_[1])) {
    sensors_.foot_force = {{foot_[0].value.force, foot_[1].value.force}};
  } else if ((source == ContactSource::Auto || source == ContactSource::JointLoad) && joints_fresh_ &&
             fresh(torques_)) {
    sensors_.foot_force = load_from_joints(body_, measured_.value, torques_.value);
  }
}

Velocity Controller::commanded_velocity(double now) const {
  if (permission_ != Permission::Full || !joints_fresh_) return {};
  if (teleop_.fresh(now, params_.command_timeout)) return teleop_.value;
  if (command_.fresh(now, params_.command_timeout)) return command_.value;
  return {};
}

std::optional<std::string> Controller::request_steps(const Pose2& step, int count, double now) {
  if (count <= 0) {
    steps_wanted_ = 0;
    return std::nullopt;
  }
  if (!std::isfinite(step.x) || !std::isfinite(step.y) || !std::isfinite(step.yaw)) return "the step is not a number";
  if (count > 20) return "at most 20 single steps; further than that, send a velocity";
  if (permission_ != Permission::Full) return "the body is not free for walking";
  if (kick_.active()) return "a kick is under way";
  if (!commanded_velocity(now).is_zero()) return "the robot walks by velocity; stop that first";
  steps_wanted_ = count;
  step_ = step;
  return std::nullopt;
}

std::optional<std::string> Controller::start_kick(const KickGoal& goal, bool in_walk, double now) {
  if (permission_ != Permission::Full) return "the body is not free for a kick";
  if (in_walk) {
    if (!moving_ || commanded_velocity(now).is_zero()) return "the robot does not walk: ask for a standing kick";
    if (!goal.ball.allFinite()) return "the ball's place is not a number";
    if (walk_kick_ == WalkKick::Waiting) return "a kick in walk is under way";
    kicking_foot_ = goal.ball.y() > 0.0 ? Side::Left : Side::Right;
    engine_.request_kick(kicking_foot_);
    walk_kick_ = WalkKick::Waiting;
    return std::nullopt;
  }
  if (moving_ || !commanded_velocity(now).is_zero()) return "the robot walks: stop first, or ask for a kick in walk";
  kick_cancelled_ = false;
  if (auto refused = kick_.start(goal)) return refused;
  kicking_foot_ = kick_.foot();
  begin_approach(engine_.output().joints);
  return std::nullopt;
}

void Controller::follow_walk_kick() {
  if (walk_kick_ != WalkKick::Waiting) return;
  const Phase phase = engine_.output().phase;
  if (!engine_.kick_pending()) {
    walk_kick_ = WalkKick::Done;
  } else if (phase == Phase::Stopping || phase == Phase::Standing) {
    engine_.drop_kick();
    walk_kick_ = WalkKick::Lost;
  }
}

/// The joints go from where they are to `to`, none faster than the approach speed.
void Controller::begin_approach(const Joints& to) {
  approach_from_ = joints_fresh_ ? measured_.value : to;
  approach_to_ = to;
  approach_ = approach_time_ = (approach_to_ - approach_from_).cwiseAbs().maxCoeff() / params_.approach_speed;
}

bool Controller::approaching(double dt) {
  if (approach_ <= 0.0) return false;
  approach_ = std::max(0.0, approach_ - dt);
  const double part = 1.0 - approach_ / approach_time_;
  goals_ = approach_from_ + part * (approach_to_ - approach_from_);
  return true;
}

void Controller::update_odometry(double now, double dt) {
  if (!joints_fresh_) return;
  OdometryInput input;
  input.joints = &measured_.value;
  input.dt = dt;
  input.support = engine_.output().support;
  if (sensors_.foot_force) {
    input.support = (*sensors_.foot_force)[0] > (*sensors_.foot_force)[1] ? Side::Left : Side::Right;
  }
  if (imu_.fresh(now, params_.sensor_timeout)) {
    const Imu& imu = imu_.value;
    input.attitude = Eigen::Vector3d(imu.attitude.roll, imu.attitude.pitch, imu.yaw);
  }
  odometry_.update(input);
}

Controller::Goals Controller::update(double now) {
  const double dt = last_ ? std::clamp(now - *last_, 0.0, 0.1) : 0.0;
  last_ = now;
  joints_fresh_ = measured_.fresh(now, params_.sensor_timeout);
  sensors_ = {};
  if (imu_.fresh(now, params_.sensor_timeout)) sensors_.attitude = imu_.value.attitude;
  sense_ground(now);
  update_odometry(now, dt);

  const bool told = teleop_.fresh(now, params_.command_timeout) || command_.fresh(now, params_.command_timeout);
  complaint_ = !told                             ? ""
               : permission_ == Permission::None ? "the HCM does not let the walk move the body"
               : !joints_fresh_                  ? "joint_states are missing or old"
                                                 : "";
  if (permission_ == Permission::None) {
    if (kick_.active()) kick_.abort();
    return Goals::None;
  }

  if (kick_.active()) {
    if (approaching(dt)) return Goals::Kick;
    if (kick_cancelled_) kick_.cancel();
    goals_ = kick_.update(dt, sensors_.attitude);
    if (!kick_.active()) engine_.reset();
    return Goals::Kick;
  }

  Velocity velocity = commanded_velocity(now);
  const bool wanted = !velocity.is_zero() || steps_wanted_ > 0;
  if (!moving_) {
    if (!wanted) return Goals::None;
    engine_.reset();
    begin_approach(engine_.output().joints);
    goals_at_last_change_ = approach_from_;
    moving_ = true;
    quiet_ = 0.0;
  }
  if (approaching(dt)) return Goals::Walking;
  if (steps_wanted_ > 0 && velocity.is_zero() && engine_.ready_for_step()) {
    engine_.request_step(step_);
    --steps_wanted_;
  }
  engine_.set_velocity(velocity);
  goals_ = engine_.update(dt, sensors_).joints;
  quiet_ = engine_.standing() && !wanted ? quiet_ + dt : 0.0;
  follow_walk_kick();
  if (quiet_ > params_.quiet_after) moving_ = false;
  return Goals::Walking;
}

}  // namespace hl_walking
