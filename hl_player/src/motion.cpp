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

hl_soccer::BodyState body_state(const hl_hcm::Hcm& hcm) {
  return static_cast<hl_soccer::BodyState>(hl_hcm::robot_control_state(hcm.state()));
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
  const double heard = inputs.sensors.heard.value_or(now);
  sense(inputs.sensors, heard);
  if (inputs.paused != paused_) hcm_.on_paused(paused_ = inputs.paused, heard);
  if (inputs.orders.emergency_stop) hcm_.emergency_stop(*inputs.orders.emergency_stop, heard);
  // Of nodes in one process all timers fire before any message is heard: walk and animation act on the state before
  // this tick, the HCM hears them after it.
  body_before_ = body_state(hcm_);
  stop_before_ = hcm_.stop_requested();
  hcm_.tick(now);
  deliver(now);
  if (inputs.orders.head) move_head(*inputs.orders.head, now);
  walk(inputs.orders, heard, now);
  animate(inputs.orders, now);
  if (own_animation_ended_) {  // the action's result is heard after the last goal
    hcm_.own_animation_ended(*own_animation_ended_, now);
    own_animation_ended_.reset();
  }
  deliver(now);
  fill_outputs();
  return out_;
}

Motion::Carriage Motion::carriage() const {
  const auto& odometry = walking_.odometry();
  const auto pose = odometry.footprint();
  return {walking_.joints_fresh(), {pose.x, pose.y, pose.yaw}, odometry.velocity(), odometry.base()};
}

void Motion::sense(const SensorFrame& sensors, double heard) {
  if (sensors.positions && sensors.positions->size() == measured_.size()) {
    measured_ = *sensors.positions;
    for (Eigen::Index j = 0; j < measured_.size(); ++j) {
      positions_[static_cast<std::size_t>(j)] = measured_[j];
      present_[files_->model.joint_names()[static_cast<std::size_t>(j)]] = measured_[j];
    }
    hcm_.on_joint_states(positions_, sensors.stamp, heard);
    walking_.sense_joints(measured_, sensors.stamp);
    if (sensors.efforts && sensors.efforts->size() == measured_.size())
      walking_.sense_torques(torques_ = *sensors.efforts, sensors.stamp);
  }
  for (const Side side : {Side::Left, Side::Right}) {
    const auto foot = static_cast<std::size_t>(side);
    const auto& cells = sensors.feet[foot];
    const auto& config = files_->config.foot_sensors[foot];
    if (!cells || !config) continue;
    const bool known = std::all_of(cells->begin(), cells->end(), [](double cell) { return cell >= 0.0; });
    hcm_.on_foot_load(foot, known ? (*cells)[0] + (*cells)[1] + (*cells)[2] + (*cells)[3] : -1.0, heard);
    if (const auto load = hl_walking::load_from_cells(config->cells, *cells))
      walking_.sense_foot(side, *load, sensors.stamp);
  }
  if (sensors.hardware) hcm_.on_hardware(*sensors.hardware, heard);
  if (sensors.imu) {
    const Eigen::Quaterniond& q = sensors.imu->orientation;
    const Eigen::Vector3d& w = sensors.imu->turn_rate;
    tilt_ = hl_description::tilt_of(q);
    if (const auto measured = hl_walking::orientation_from(q, w))
      walking_.sense_imu(measured->attitude, measured->yaw, sensors.stamp);
    hcm_.on_imu(hl_description::up_of(q), {w.x(), w.y(), w.z()}, sensors.stamp, heard);
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

void Motion::walk(const Orders& orders, double heard, double now) {
  if (!walk_lives) return;
  walking_.permit(body_before_, stop_before_);
  if (orders.velocity) walking_.command(*orders.velocity, heard);
  if (orders.teleoperation) walking_.teleoperate(*orders.teleoperation, heard);
  if (orders.kick) {
    const auto refused = kicking_ != Kicking::No ? std::optional<std::string>("a kick is under way")
                                                 : walking_.start_kick(orders.kick->goal, orders.kick->in_walk, heard);
    if (refused)
      out_.kick = Ended{false, *refused};
    else
      kicking_ = orders.kick->in_walk ? Kicking::InWalk : Kicking::Standing;
  }
  if (orders.cancel_kick && kicking_ == Kicking::Standing) walking_.cancel_kick();
  if (orders.steps) walking_.request_steps(orders.steps->step, orders.steps->count, heard);
  const auto goals = walking_.update(now);
  if (goals != Controller::Goals::None) {
    auto& point = walk_message_.points[0];
    for (std::size_t i = 0; i < walk_joints_.size(); ++i)
      point.positions[i] = walking_.joints()[static_cast<Eigen::Index>(walk_joints_[i])];
    const Source source = goals == Controller::Goals::Kick ? Source::Kick : Source::Walking;
    if (read(source, walk_message_, now)) hcm_.request(source, goals_, now);
  }
  follow_kick();
  hcm_.on_support(walking_.walking(), walking_.unstable());
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
void Motion::deliver(double now) {
  const auto commands = hcm_.take_commands();
  if (commands.torque) out_.torque = commands.torque;
  if (commands.speak != nullptr) out_.say = commands.speak;
  if (commands.cancel_animation && performance_ && performance_->by_hcm()) performance_.reset();
  if (commands.play) {
    play(*commands.play, true);
    animate({}, now);
  }
}

void Motion::fill_outputs() {
  const bool fresh = hcm_.take_new_goals();
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
  out_.body = body_state(hcm_);
  out_.stop_requested = hcm_.stop_requested();
}

}  // namespace hl_player
