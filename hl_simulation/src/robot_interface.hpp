// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_robot_interface/hardware_contract.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <set>
#include <string>
#include <vector>

#include "simulated_robot.hpp"

namespace hl_simulation {

/// One simulated robot as a body below the hardware contract, in its namespace.
class RobotInterface : public SimulatedRobot, private hl_robot_interface::RobotPort {
 public:
  /// `now` is the node's simulated time in seconds.
  RobotInterface(rclcpp::Node& node, const Config& config, Robot& robot, WithWorld with_world,
                 std::function<double()> now, std::function<void()> on_goals);

  void apply_goals(double now) override;
  void publish_sensors(double now, double simulation_time) override;
  void publish_state(double now) override;
  void forget_goals() override { contract_->forget_goals(); }
  void press(const std::string& button, double until) override { pressed_until_[button] = until; }
  std::optional<std::string> inject(const humanoid_league_msgs::srv::InjectFault::Request& request) override;

 private:
  struct Faults {
    std::set<std::size_t> silent, limp;
    std::map<std::size_t, double> hot;  // degC
    bool imu_silent = false, bus_silent = false;
    double voltage = 0.0;  // V, 0: none
  };

  // The body below the contract.
  const hl_robot_interface::SensorFrame& read(double now) override;
  void write(const std::vector<hl_joints::GoalPlayer::Goal>& goals, double stiffness) override;
  const hl_robot_interface::BodyReport& report() override;
  void let_go() override;
  std::string set_torque(const std::vector<std::size_t>& joints, bool on) override;
  std::string set_light(const std::string&, const std::array<double, 3>&) override { return ""; }  // it has none to see

  void switch_torque(std::size_t joint, bool on);
  bool pressed(const char* button, double now) const;

  WithWorld with_world_;
  std::unique_ptr<hl_robot_interface::HardwareContract> contract_;
  std::vector<int> p_gains_;
  double stiffness_ = 1.0;
  double age_ = 0.0;  // s, of the clock of the node over that of the simulation
  std::vector<double> positions_;
  Faults faults_;
  std::map<std::string, double> pressed_until_;  // s
  hl_robot_interface::SensorFrame frame_;
  hl_robot_interface::BodyReport report_;
};

}  // namespace hl_simulation
