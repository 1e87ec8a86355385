// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <hl_hardware_cm730/goal_player.hpp>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/buttons.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/set_leds.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <map>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <set>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "simulated_robot.hpp"

namespace hl_simulation {

/// One simulated robot's side of the hardware contract: topics and services below its namespace.
class RobotInterface : public SimulatedRobot {
 public:
  /// `now` is the node's simulated time in seconds.
  RobotInterface(rclcpp::Node& node, const Config& config, Robot& robot, WithWorld with_world,
                 std::function<double()> now, std::function<void()> on_goals);

  void apply_goals(double now) override;
  void publish_sensors(double now, double simulation_time) override;
  void publish_state(double now) override;  // 10 Hz and on change
  void publish_servo_data(double now) override;
  void publish_diagnostics(double now) override;
  void forget_goals() override;
  void press(const std::string& button, double until) override;
  std::optional<std::string> inject(const humanoid_league_msgs::srv::InjectFault::Request& request) override;

 private:
  struct Faults {
    std::set<std::size_t> silent, limp;
    std::map<std::size_t, double> hot;  // degC
    bool imu_silent = false, bus_silent = false;
    double voltage = 0.0;  // V, 0: none
  };

  void on_motor_goals(const trajectory_msgs::msg::JointTrajectory& message);
  void on_set_torque(const humanoid_league_msgs::srv::SetTorque::Request& request,
                     humanoid_league_msgs::srv::SetTorque::Response& response);
  void on_set_leds(const humanoid_league_msgs::srv::SetLeds::Request& request,
                   humanoid_league_msgs::srv::SetLeds::Response& response);
  void switch_torque(std::size_t joint, bool on);
  humanoid_league_msgs::msg::HardwareState hardware_state(double now) const;

  WithWorld with_world_;
  std::function<double()> now_;
  std::function<void()> on_goals_;
  std::vector<int> p_gains_;
  double stiffness_ = 1.0;

  std::mutex goals_mutex_;  // of player_
  hl_hardware_cm730::GoalPlayer player_;
  hl_hardware_cm730::GoalPlayer::Trajectory trajectory_;
  std::vector<double> positions_;
  std::uint64_t refused_ = 0;
  std::string last_refusal_;

  Faults faults_;
  std::map<std::string, double> pressed_until_;  // s
  humanoid_league_msgs::msg::HardwareState last_state_;
  humanoid_league_msgs::msg::Buttons last_buttons_;
  double last_state_time_ = -1.0;
  bool buttons_published_ = false;

  sensor_msgs::msg::JointState joint_state_;
  sensor_msgs::msg::Imu imu_;
  std::array<humanoid_league_msgs::msg::FootPressure, 2> feet_;

  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_publisher_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_publisher_;
  std::array<rclcpp::Publisher<humanoid_league_msgs::msg::FootPressure>::SharedPtr, 2> foot_publishers_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HardwareState>::SharedPtr state_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::AdditionalServoData>::SharedPtr servo_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Buttons>::SharedPtr button_publisher_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_publisher_;
  rclcpp::Service<humanoid_league_msgs::srv::SetTorque>::SharedPtr torque_service_;
  rclcpp::Service<humanoid_league_msgs::srv::SetLeds>::SharedPtr led_service_;
};

}  // namespace hl_simulation
