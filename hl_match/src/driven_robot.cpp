// SPDX-License-Identifier: Apache-2.0
#include "hl_match/driven_robot.hpp"

#include <stdexcept>

namespace hl_match {
namespace {

namespace hw = hl_hardware_cm730;

constexpr double kTick = 0.01;     // s
constexpr double kMostLag = 0.02;  // s of ticks that are caught up; more are left out: the bus kept us waiting

std::vector<hw::ServoSpec> servos_of(const hl_player::RobotFiles& files) {
  std::vector<hw::ServoSpec> servos;
  for (const auto& servo : files.config.servos) {
    const auto& limits = files.model.limits(files.model.joint(servo.joint));
    hw::ServoSpec& to = servos.emplace_back();
    to.joint = servo.joint;
    to.id = static_cast<std::uint8_t>(servo.id);
    to.model = hw::servo_model(servo.model).value();
    to.direction = servo.direction();
    to.offset = servo.offset;
    to.lower = limits.lower;
    to.upper = limits.upper;
    to.p = servo.p;
    to.i = servo.i;
    to.d = servo.d;
  }
  return servos;
}

hw::BusDriver::Params params_of(const hl_description::RobotConfig& config, double reply_gap) {
  hw::BusDriver::Params params;
  params.reply_gap = reply_gap;
  params.board_id = static_cast<std::uint8_t>(config.controller_id);
  for (std::size_t side = 0; side < 2; ++side)
    if (config.foot_sensors[side]) params.foot_ids[side] = static_cast<std::uint8_t>(config.foot_sensors[side]->id);
  return params;
}

}  // namespace

DrivenRobot::DrivenRobot(std::shared_ptr<const hl_player::RobotFiles> files, hw::BusPort& port,
                         std::function<double()> clock, double reply_gap)
    : files_(std::move(files)), clock_(std::move(clock)), next_tick_(clock_()) {
  for (const auto& servo : config().servos) names_.push_back(servo.joint);
  for (const auto& name : names_) joints_.push_back(files_->model.joint(name));
  driver_ = std::make_unique<hw::BusDriver>(port, servos_of(*files_), params_of(config(), reply_gap));
  for (std::size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = true;
  body_ = std::make_unique<hw::BusBody>(*driver_);
  goals_ = std::make_unique<hl_joints::GoalPlayer>(hl_joints::joint_set(files_->model, config(), names_),
                                                   hl_joints::GoalPlayer::Params());
  motion_ = std::make_unique<hl_player::Motion>(files_);
  positions_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(files_->model.dof()));
}

void DrivenRobot::cycle() {
  body_->write(goals_->update(time()), goals_->stiffness());
  if (driver_->cycle()) sense(body_->read(time(), time()));
  report();
  while (time() >= next_tick_) tick();
}

void DrivenRobot::tick() {
  const double now = time();
  if (velocity_ && !inputs_.orders.velocity) inputs_.orders.velocity = velocity_;
  outputs_ = &motion_->step(inputs_, now);
  send(*outputs_, now);
  inputs_ = {};
  next_tick_ += kTick;
  if (next_tick_ < now - kMostLag) next_tick_ = now;
  after_tick();
}

void DrivenRobot::sense(const hl_robot_interface::SensorFrame& frame) {
  hl_player::SensorFrame& heard = inputs_.sensors;
  heard.stamp = frame.stamp;
  bool any = false;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!frame.joints[i].fresh) continue;
    positions_[static_cast<Eigen::Index>(joints_[i])] = frame.joints[i].position;
    any = true;
  }
  if (any) heard.positions = positions_;
  if (frame.imu) heard.imu = hl_player::SensorFrame::Imu{frame.imu->orientation, frame.imu->angular_velocity};
  for (std::size_t side = 0; side < 2; ++side)
    if (frame.feet[side]) heard.feet[side] = *frame.feet[side];
}

/// As driver and HCM node do it.
void DrivenRobot::report() {
  health_ = hl_robot_interface::judge(body_->report(100.0, ""), hl_robot_interface::Battery::State::Fine,
                                      hl_robot_interface::HealthLimits(), names_);
  const auto names = [this](const std::vector<std::size_t>& joints) {
    hl_hcm::HardwareReport::Names result;
    for (const std::size_t i : joints) result.push_back(names_[i]);
    return result;
  };
  inputs_.sensors.hardware = hl_hcm::HardwareReport::from(
      files_->hcm_body.joints, health_.level == hl_robot_interface::Health::Level::Error, health_.torque_on,
      names(health_.limp), names(health_.overloaded), names(health_.hot));
}

void DrivenRobot::send(const hl_player::Motion::Outputs& wanted, double now) {
  if (!wanted.goals) return;
  hl_joints::Trajectory out;
  out.stamp = now;
  out.points.resize(1);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t j = joints_[i];
    out.points[0].position[i] = wanted.positions[j];
    if (wanted.speeds[j] > 0.0) out.points[0].velocity[i] = wanted.speeds[j];
    if (wanted.efforts[j] > 0.0) out.points[0].effort[i] = wanted.efforts[j];
  }
  if (const auto refused = goals_->accept(out, now)) throw std::runtime_error(*refused);
}

}  // namespace hl_match
