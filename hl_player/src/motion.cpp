// SPDX-License-Identifier: Apache-2.0
#include "hl_player/motion.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_player {
namespace {

using hl_hcm::Source;
using hl_walking::Controller;
using hl_walking::Side;

hl_soccer::BodyState body_state(hl_hcm::State state) {
  return static_cast<hl_soccer::BodyState>(hl_hcm::robot_control_state(state));
}

}  // namespace

Motion::Motion(std::shared_ptr<const RobotFiles> files)
    : files_(std::move(files)),
      hcm_(files_->hcm_body, files_->hcm),
      walking_(*files_->walking_body, files_->walk.walk, files_->walk.kick, files_->walk.odometry,
               files_->walk_control),
      measured_(files_->walking_body->ready()),
      torques_(hl_walking::Joints::Zero(measured_.size())) {
  const auto& names = files_->model.joint_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].rfind("Head", 0) == 0) continue;  // the head is not the walk's to move
    walk_message_.joint_names.push_back(names[i]);
    walk_joints_.push_back(i);
  }
  walk_message_.points[0].positions.resize(walk_joints_.size());
  head_message_.joint_names = {"HeadPan", "HeadTilt"};
  head_message_.points[0].positions.resize(2);
  head_message_.points[0].velocities.resize(2);
  out_.positions.resize(names.size());
  out_.speeds.resize(names.size());
  out_.efforts.resize(names.size());
  hcm_.animation_server(true);
}

const Motion::Outputs& Motion::step(const Inputs& inputs, double now) {
  out_.torque.reset();
  out_.say = nullptr;
  out_.kick.reset();
  out_.animation.reset();
  control_ = {};
  walk_in_ = {};
  control_.heard = walk_in_.heard = inputs.sensors.heard;
  sense(inputs.sensors);
  if (inputs.paused != paused_) control_.paused = paused_ = inputs.paused;
  control_.emergency_stop = inputs.orders.emergency_stop;
  const auto controlled = hcm_.step(control_, now);
  new_goals_ = controlled.new_goals;
  // Of nodes in one process all timers fire before any message is heard: walk and animation act on the state before
  // this tick, the HCM hears them after it.
  body_before_ = body_state(controlled.heard_in);
  stop_before_ = controlled.stop_requested;
  deliver(controlled.commands, now);
  if (inputs.orders.head) move_head(*inputs.orders.head, now);
  walk(inputs.orders, now);
  animate(inputs.orders, now);
  if (own_animation_ended_) {  // the action's result is heard after the last goal
    hcm_.own_animation_ended(*own_animation_ended_, now);
    own_animation_ended_.reset();
  }
  deliver(hcm_.take_commands(), now);
  fill_outputs();
  return out_;
}

Motion::Carriage Motion::carriage() const {
  const auto& odometry = walking_.odometry();
  const auto pose = odometry.footprint();
  return {
      walking_.joints_fresh(), {pose.x, pose.y, pose.yaw}, odometry.velocity(), odometry.base(), walking_.unstable()};
}

void Motion::sense(const SensorFrame& sensors) {
  walk_in_.stamp = sensors.stamp;
  if (sensors.positions && sensors.positions->size() == measured_.size()) {
    measured_ = *sensors.positions;
    auto& joints = control_.joints.emplace();
    joints.positions = hl_hcm::absent_joints();
    joints.stamp = sensors.stamp;
    for (Eigen::Index j = 0; j < measured_.size(); ++j) {
      joints.positions[static_cast<std::size_t>(j)] = measured_[j];
      present_[files_->model.joint_names()[static_cast<std::size_t>(j)]] = measured_[j];
    }
    walk_in_.joints = &measured_;
    if (sensors.efforts && sensors.efforts->size() == measured_.size())
      walk_in_.torques = &(torques_ = *sensors.efforts);
  }
  for (const Side side : {Side::Left, Side::Right}) {
    const auto foot = static_cast<std::size_t>(side);
    const auto& cells = sensors.feet[foot];
    const auto& config = files_->config.foot_sensors[foot];
    if (!cells || !config) continue;
    const bool known = std::all_of(cells->begin(), cells->end(), [](double cell) { return cell >= 0.0; });
    control_.feet[foot] = known ? (*cells)[0] + (*cells)[1] + (*cells)[2] + (*cells)[3] : -1.0;
    walk_in_.feet[foot] = hl_walking::load_from_cells(config->cells, *cells);
  }
  control_.hardware = sensors.hardware;
  if (sensors.imu) {
    const Eigen::Quaterniond& q = sensors.imu->orientation;
    const Eigen::Vector3d& w = sensors.imu->turn_rate;
    tilt_ = hl_description::tilt_of(q);
    walk_in_.imu = hl_walking::orientation_from(q, w);
    control_.imu = {hl_description::up_of(q), {w.x(), w.y(), w.z()}, sensors.stamp};
  }
}

bool Motion::read(Source source, const Message& message, double now) {
  if (const auto error = hl_hcm::read_trajectory(message, hcm_.joints(), hcm_.params().limit_tolerance, goals_)) {
    hcm_.refuse(source, *error);
    return false;
  }
  goals_.stamp = now;
  return true;
}

void Motion::move_head(const HeadOrder& order, double now) {
  auto& point = head_message_.points[0];
  point.positions = {order.pan, order.tilt};
  point.velocities = {order.pan_speed, order.tilt_speed};
  if (read(Source::Head, head_message_, now)) hcm_.request(Source::Head, goals_, now);
}

void Motion::walk(const Orders& orders, double now) {
  if (!walk_lives) return;
  walk_in_.permission = hl_walking::permission_from(body_before_, stop_before_);
  walk_in_.command = orders.velocity;
  walk_in_.teleoperation = orders.teleoperation;
  if (kicking_ == Kicking::No) walk_in_.kick = orders.kick;
  walk_in_.cancel_kick =
      orders.cancel_kick && (kicking_ == Kicking::Standing || (orders.kick && !orders.kick->in_walk));
  walk_in_.steps = orders.steps;
  const auto out = walking_.step(walk_in_, now);
  if (orders.kick && kicking_ != Kicking::No)
    out_.kick = Ended{false, "a kick is under way"};
  else if (out.kick_refused)
    out_.kick = Ended{false, *out.kick_refused};
  else if (orders.kick)
    kicking_ = orders.kick->in_walk ? Kicking::InWalk : Kicking::Standing;
  if (out.goals != Controller::Goals::None) {
    auto& point = walk_message_.points[0];
    for (std::size_t i = 0; i < walk_joints_.size(); ++i)
      point.positions[i] = (*out.joints)[static_cast<Eigen::Index>(walk_joints_[i])];
    const Source source = out.goals == Controller::Goals::Kick ? Source::Kick : Source::Walking;
    if (read(source, walk_message_, now)) hcm_.request(source, goals_, now);
  }
  follow_kick();
  hcm_.on_support(out.walking, out.unstable);
}

void Motion::follow_kick() {
  out_.kick_progress = walking_.kicking() ? walking_.kick().progress() : 0.0;
  if (kicking_ == Kicking::Standing && !walking_.kicking()) {
    const bool done = walking_.kick().finished();
    out_.kick = Ended{done, done ? "kicked" : "the body was taken away or the kick was cancelled"};
    kicking_ = Kicking::No;
  }
  if (kicking_ == Kicking::InWalk && walking_.walk_kick() != Controller::WalkKick::Waiting) {
    const bool done = walking_.walk_kick() == Controller::WalkKick::Done;
    out_.kick = Ended{done, done ? "kicked in walk" : "the robot stopped before the step of that foot"};
    kicking_ = Kicking::No;
  }
}

void Motion::end_animation(bool successful, const std::string& message) {
  if (performance_->by_hcm())
    own_animation_ended_ = successful;
  else
    out_.animation = Ended{successful, message};
  performance_.reset();
}

void Motion::play(const std::string& name, bool by_hcm) {
  const auto fail = [&](const std::string& reason) {
    if (by_hcm)
      own_animation_ended_ = false;
    else
      out_.animation = Ended{false, reason};
  };
  const auto found = files_->animations.animations.find(name);
  if (found == files_->animations.animations.end()) {
    fail("there is no animation '" + name + "'");
    return;
  }
  if (performance_) {
    if (!performance_->yields_to(by_hcm)) {
      fail("'" + performance_->animation().name + "' is playing and may not be interrupted");
      return;
    }
    end_animation(false, "interrupted by '" + name + "'");
    if (by_hcm) own_animation_ended_.reset();
  }
  performance_ = std::make_unique<hl_animation::Performance>(found->second, by_hcm, files_->performance);
}

void Motion::animate(const Orders& orders, double now) {
  if (orders.animation) play(*orders.animation, false);
  if (!performance_ || performed_at_ == now) return;  // it begins in the tick in which it was ordered
  performed_at_ = now;
  if (orders.cancel_animation && !performance_->by_hcm()) performance_->cancel();
  const auto output = performance_->step({body_before_, &present_, tilt_}, now);
  const hl_hcm::Hcm::AnimationGoals flags{output.ask, output.first, output.last, performance_->by_hcm(),
                                          !performance_->animation().fall_check};
  if (output.ask) {
    goals_.points.clear();
    goals_.stamp = now;
    hcm_.animation(flags, goals_, now);
  } else if (output.goals) {
    const auto& player = *performance_->player();
    auto& point = animation_message_.points[0];
    animation_message_.joint_names = player.joints();
    point.positions = player.positions();
    point.effort.clear();
    if (player.torque()) {
      for (const auto& joint : player.joints()) {
        const auto index = files_->model.joint_index(joint);
        point.effort.push_back(index ? player.effort(files_->model.limits(*index).effort) : 0.0);
      }
    }
    if (read(Source::Animation, animation_message_, now)) hcm_.animation(flags, goals_, now);
  }
  if (!output.ended) return;
  const bool successful = performance_->result() == hl_animation::Performance::Result::Finished;
  const std::string message = performance_->message();
  end_animation(successful, message);
}

/// What the HCM wants of others.
void Motion::deliver(const hl_hcm::Hcm::Commands& commands, double now) {
  if (commands.torque) out_.torque = commands.torque;
  if (commands.speak != nullptr) out_.say = commands.speak;
  if (commands.cancel_animation && performance_ && performance_->by_hcm()) performance_.reset();
  if (commands.play) {
    play(*commands.play, true);
    animate({}, now);
  }
}

void Motion::fill_outputs() {
  const bool fresh = hcm_.take_new_goals() || new_goals_;
  out_.goals = fresh || (hcm_.mixer().started() && hcm_.state() != hl_hcm::State::Record);
  if (out_.goals) {
    const auto& mixer = hcm_.mixer();
    for (std::size_t j = 0; j < out_.positions.size(); ++j) {
      out_.positions[j] = mixer.goals()[j];
      out_.speeds[j] = hl_hcm::given(mixer.velocities()[j]) ? mixer.velocities()[j] : 0.0;
      out_.efforts[j] = hl_hcm::given(mixer.efforts()[j]) ? mixer.efforts()[j] : 0.0;
    }
    out_.goals = std::none_of(out_.positions.begin(), out_.positions.end(), [](double p) { return std::isnan(p); });
  }
  out_.body = body_state(hcm_.state());
  out_.stop_requested = hcm_.stop_requested();
}

}  // namespace hl_player
