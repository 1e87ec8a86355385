// SPDX-License-Identifier: Apache-2.0
#include "robot_interface.hpp"

#include <algorithm>
#include <cmath>

namespace hl_simulation {
namespace {

using humanoid_league_msgs::srv::InjectFault;

constexpr std::uint8_t kOverheating = 4, kOverload = 32;  // error bits of protocol 1.0

hl_joints::JointSet joints_of(const Robot& robot, const hl_description::RobotConfig& config) {
  hl_joints::JointSet set;
  for (const JointSpec& joint : robot.spec().joints) {
    const std::string& group = config.servo(joint.name).group;
    set.joints.push_back({joint.name, joint.lower, joint.upper, joint.servo.no_load_speed, hl_joints::limb_of(group),
                          joint.servo.stall_torque});
  }
  return set;
}

}  // namespace

RobotInterface::RobotInterface(rclcpp::Node& node, const Config& config, Robot& robot, WithWorld with_world,
                               std::function<double()> now, std::function<void()> on_goals)
    : SimulatedRobot(node, config, robot), with_world_(std::move(with_world)) {
  const RobotSpec& spec = robot.spec();
  for (const JointSpec& joint : spec.joints) p_gains_.push_back(joint.servo.p_gain);
  frame_.joints.resize(spec.joints.size());
  report_.joints.resize(spec.joints.size());
  hl_robot_interface::HardwareContract::Config contract;
  contract.now = std::move(now);
  contract.prefix = topic("");
  contract.robot = config.robot;
  contract.joints = joints_of(robot, config.robot);
  contract.imu_frame = spec.imu_frame;
  contract.foot_frames = {spec.left_foot.frame, spec.right_foot.frame};
  const SensorSpec noise;
  contract.imu_noise = {noise.orientation_noise, noise.gyro_noise, noise.accelerometer_noise};
  contract.goals = config.goals;
  contract.limits = config.limits;
  contract.subject = config.name.empty() ? robot.name() : config.name;
  contract.hardware_id = "MuJoCo";
  contract_ = std::make_unique<hl_robot_interface::HardwareContract>(
      node, contract, static_cast<hl_robot_interface::RobotPort&>(*this), goals_group(),
      [this, on_goals = std::move(on_goals)](std::optional<double> stamp) {
        if (stamp) note_goals(*stamp);
        on_goals();
      });
}

void RobotInterface::apply_goals(double now) {
  if (!faults_.bus_silent) contract_->apply_goals(now);
}

void RobotInterface::publish_sensors(double now, double simulation_time) {
  age_ = now - simulation_time;
  contract_->publish_sensors(now);
}

void RobotInterface::publish_state(double now) {
  contract_->publish_state(now);
  contract_->publish_reports(now, [this](auto& values) {
    values.emplace_back("voltage", std::to_string(report_.voltage));
    values.emplace_back("current", std::to_string(robot_.current()));
  });
}

void RobotInterface::write(const std::vector<hl_joints::GoalPlayer::Goal>& goals, double stiffness) {
  positions_.resize(goals.size());
  for (std::size_t j = 0; j < goals.size(); ++j) {
    const bool deaf = !goals[j].set || faults_.silent.count(j);
    positions_[j] = deaf ? robot_.servo(j).goal() : goals[j].position;
    if (deaf) continue;
    robot_.set_speed_limit(j, goals[j].speed_limit);
    robot_.set_torque_limit(j, goals[j].torque_limit);
  }
  robot_.set_goals(positions_);
  if (stiffness == stiffness_) return;
  stiffness_ = stiffness;
  for (std::size_t j = 0; j < p_gains_.size(); ++j) {
    const ServoSpec& servo = robot_.servo(j).spec();
    robot_.set_gains(j, static_cast<int>(std::lround(stiffness_ * p_gains_[j])), servo.i_gain, servo.d_gain);
  }
}

bool RobotInterface::pressed(const char* button, double now) const {
  const auto until = pressed_until_.find(button);
  return until != pressed_until_.end() && now < until->second;
}

const hl_robot_interface::SensorFrame& RobotInterface::read(double now) {
  const Reading& reading = robot_.read();
  // The simulation's clock and the node's may differ by an offset; the age of the reading does not.
  frame_.stamp = reading.stamp + age_;
  for (std::size_t j = 0; j < frame_.joints.size(); ++j) {
    frame_.joints[j] = {!faults_.bus_silent && faults_.silent.count(j) == 0, reading.joints.position[j],
                        reading.joints.velocity[j], reading.joints.effort[j]};
  }
  frame_.imu.reset();
  frame_.feet = {};
  frame_.buttons.reset();
  if (faults_.bus_silent) return frame_;
  if (!faults_.imu_silent && !robot_.spec().imu_frame.empty())
    frame_.imu = {reading.imu.orientation, reading.imu.angular_velocity, reading.imu.linear_acceleration};
  const std::array<const FootReading*, 2> feet{&reading.left_foot, &reading.right_foot};
  const std::array<bool, 2> has_foot{!robot_.spec().left_foot.frame.empty(), !robot_.spec().right_foot.frame.empty()};
  for (std::size_t side = 0; side < 2; ++side) {
    if (has_foot[side]) frame_.feet[side] = {(*feet[side])[0], (*feet[side])[1], (*feet[side])[2], (*feet[side])[3]};
  }
  if (!faults_.imu_silent) frame_.buttons = {pressed("mode", now), pressed("start", now)};  // the same board reads them
  return frame_;
}

const hl_robot_interface::BodyReport& RobotInterface::report() {
  report_.answers = !faults_.bus_silent;
  report_.imu = !faults_.imu_silent && !robot_.spec().imu_frame.empty();
  report_.voltage = faults_.voltage > 0.0 ? faults_.voltage : robot_.voltage();
  report_.rate = config_.publish_rate;
  for (std::size_t j = 0; j < report_.joints.size(); ++j) {
    const Servo& servo = robot_.servo(j);
    const auto heat = faults_.hot.find(j);
    const bool overloaded = servo.overloaded() || faults_.limp.count(j) > 0;
    auto& joint = report_.joints[j];
    joint.missing = faults_.silent.count(j) > 0;
    joint.torque = servo.torque_on();
    joint.overloaded = overloaded;
    joint.temperature = heat == faults_.hot.end() ? servo.temperature() : heat->second;
    joint.voltage = report_.voltage;
    joint.error = static_cast<std::uint8_t>((servo.overheated() ? kOverheating : 0) | (overloaded ? kOverload : 0));
  }
  return report_;
}

void RobotInterface::switch_torque(std::size_t joint, bool on) {
  robot_.set_torque(joint, on);
  contract_->set_goal(joint, robot_.servo(joint).goal());
}

void RobotInterface::let_go() {
  for (std::size_t j = 0; j < report_.joints.size(); ++j) switch_torque(j, false);
}

std::string RobotInterface::set_torque(const std::vector<std::size_t>& joints, bool on) {
  with_world_([&] {
    for (const std::size_t joint : joints) {
      if (!faults_.limp.count(joint)) switch_torque(joint, on);
    }
  });
  return "";
}

std::optional<std::string> RobotInterface::inject(const InjectFault::Request& request) {
  std::optional<std::size_t> joint;
  if (!request.joint.empty()) {
    const int index = robot_.spec().joint_index(request.joint);
    if (index < 0) return "no joint is called '" + request.joint + "'";
    joint = static_cast<std::size_t>(index);
  }
  if (!std::isfinite(request.value)) return std::string("value is not a number");
  const bool of_servo = request.fault == InjectFault::Request::SERVO_SILENT ||
                        request.fault == InjectFault::Request::SERVO_LIMP ||
                        request.fault == InjectFault::Request::SERVO_HOT;
  if (of_servo && !joint) return std::string("this fault needs a joint");
  switch (request.fault) {
    case InjectFault::Request::NONE: {
      const auto limp = faults_.limp;
      if (joint) {
        faults_.silent.erase(*joint);
        faults_.limp.erase(*joint);
        faults_.hot.erase(*joint);
      } else {
        faults_ = Faults();
      }
      for (const std::size_t j : limp) {
        if (!faults_.limp.count(j)) switch_torque(j, true);
      }
      break;
    }
    case InjectFault::Request::SERVO_SILENT:
      faults_.silent.insert(*joint);
      break;
    case InjectFault::Request::SERVO_LIMP:
      faults_.limp.insert(*joint);
      switch_torque(*joint, false);
      break;
    case InjectFault::Request::SERVO_HOT:
      faults_.hot[*joint] = request.value;
      break;
    case InjectFault::Request::IMU_SILENT:
      faults_.imu_silent = true;
      break;
    case InjectFault::Request::LOW_VOLTAGE:
      faults_.voltage = request.value;
      break;
    case InjectFault::Request::BUS_SILENT:
      faults_.bus_silent = true;
      break;
    default:
      return "fault " + std::to_string(request.fault) + " is not known";
  }
  return std::nullopt;
}

}  // namespace hl_simulation
