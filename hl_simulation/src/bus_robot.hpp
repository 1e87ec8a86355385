// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <hl_hardware_cm730/pty_server.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <memory>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_simulation/bus_physics.hpp"
#include "simulated_robot.hpp"

namespace hl_simulation {

/// A robot behind an emulated CM-730 on a pseudo-terminal. The unmodified driver of hl_hardware_cm730 meets the
/// hardware contract; here are only the wire, the body, and what breaks them. `motor_goals` and `support_state` are
/// watched, as signs of life of HCM and walking for the lock-step, but not obeyed: goals come over the wire.
class BusRobot : public SimulatedRobot {
 public:
  /// `index`: of the robot in the simulation.
  BusRobot(rclcpp::Node& node, const Config& config, Simulation& simulation, std::size_t index, WithWorld with_world,
           std::function<void()> on_goals);

  hl_hardware_cm730::PtyServer& line() { return server_; }
  void read_sensors() { physics_->read(); }  // after every step of the world

  void apply_goals(double now) override;
  void publish_sensors(double, double) override {}
  void publish_state(double) override {}
  void forget_goals() override { physics_->jumped(); }
  void press(const std::string& button, double until) override;
  std::optional<std::string> inject(const humanoid_league_msgs::srv::InjectFault::Request& request) override;
  double last_goal_stamp() const override;
  double answer_lag() const override;

 private:
  void on_fault(const std::string& line);

  std::shared_ptr<BusPhysics> physics_;
  hl_hardware_cm730::Emulator emulator_;
  hl_hardware_cm730::PtyServer server_;
  WithWorld with_world_;
  double mode_until_ = 0.0, start_until_ = 0.0;  // s, buttons
  std::atomic<double> walking_stamp_{-1.0};      // s, of the newest support_state; -1: there was none
  rclcpp::Subscription<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals_subscription_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr fault_subscription_;
  rclcpp::CallbackGroup::SharedPtr support_group_;
  rclcpp::Subscription<humanoid_league_msgs::msg::SupportState>::SharedPtr support_subscription_;
};

}  // namespace hl_simulation
