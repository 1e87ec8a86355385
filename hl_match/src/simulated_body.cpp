// SPDX-License-Identifier: Apache-2.0
#include "hl_match/simulated_body.hpp"

#include <stdexcept>

namespace hl_match {
namespace {

constexpr double kHotServo = 65.0;  // degC at which a servo counts as hot, as the simulator node says

}  // namespace

SimulatedBody::SimulatedBody(hl_simulation::Robot& robot, std::shared_ptr<const hl_player::RobotFiles> files)
    : robot_(robot), files_(std::move(files)) {
  if (robot_.joint_names() != files_->model.joint_names())
    throw std::runtime_error("robot '" + robot_.name() + "': the simulation has other joints than " + files_->robot);
  const auto& joints = files_->hcm_body.joints.joints;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].limb == hl_hcm::Limb::Leg) legs_.push_back(j);
}

hl_player::SensorFrame SimulatedBody::sense() const {
  const hl_simulation::Reading& reading = robot_.read();
  hl_player::SensorFrame frame;
  frame.stamp = reading.stamp;
  if (joints_work) {
    const auto size = static_cast<Eigen::Index>(reading.joints.position.size());
    frame.positions = Eigen::Map<const Eigen::VectorXd>(reading.joints.position.data(), size);
    frame.efforts = Eigen::Map<const Eigen::VectorXd>(reading.joints.effort.data(), size);
  }
  if (imu_works) frame.imu = hl_player::SensorFrame::Imu{reading.imu.orientation, reading.imu.angular_velocity};
  frame.feet = {reading.left_foot, reading.right_foot};
  frame.hardware = hardware();
  return frame;
}

hl_hcm::HardwareReport SimulatedBody::hardware() const {
  hl_hcm::HardwareReport report;
  report.torque_on = false;
  for (std::size_t j = 0; j < robot_.joint_count(); ++j) report.torque_on |= robot_.servo(j).torque_on();
  for (const std::size_t j : legs_) {
    const auto& servo = robot_.servo(j);
    report.legs_lost |= !servo.torque_on() || servo.overloaded();
    report.hot |= servo.temperature() >= kHotServo;
  }
  return report;
}

void SimulatedBody::obey(const hl_player::Motion::Outputs& outputs) {
  if (outputs.torque) robot_.set_torque(*outputs.torque);
  if (!outputs.goals) return;
  const auto& joints = files_->hcm_body.joints.joints;
  for (std::size_t j = 0; j < outputs.positions.size(); ++j) {
    robot_.set_speed_limit(j, outputs.speeds[j]);
    robot_.set_torque_limit(j, joints[j].torque_share(outputs.efforts[j]));
  }
  if (const auto refused = robot_.set_goals(outputs.positions)) throw std::runtime_error(*refused);
}

}  // namespace hl_match
