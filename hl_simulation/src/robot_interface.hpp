// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <functional>
#include <hl_description/robot_config.hpp>
#include <hl_hardware_cm730/goal_player.hpp>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/buttons.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
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

#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// Runs something that touches the world while the physics rests.
using WithWorld = std::function<void(const std::function<void()>&)>;

/// One simulated robot's side of the hardware contract: topics and services below its namespace.
class RobotInterface {
 public:
  struct Config {
    std::string name;  // namespace; empty: none
    int team = 0, player = 0;
    bool attacks_minus_x = false;  // its team's map is the world turned by half a turn
    hl_description::RobotConfig robot;
    hl_hardware_cm730::GoalPlayer::Params goals;
    double publish_rate = 125.0;  // Hz, reported as bus rate
  };

  /// `now` is the node's simulated time in seconds.
  RobotInterface(rclcpp::Node& node, const Config& config, Robot& robot, WithWorld with_world,
                 std::function<double()> now, std::function<void()> on_goals);

  const Config& config() const { return config_; }
  Robot& robot() { return robot_; }
  std::string topic(const std::string& name) const { return config_.name.empty() ? name : config_.name + "/" + name; }

  // Called by the physics loop, with the world at rest.
  void apply_goals(double now);
  void publish_sensors(double now, double simulation_time);  // bus rate
  void publish_state(double now);                            // hardware_state and buttons: 10 Hz and on change
  void publish_servo_data(double now);                       // 2 Hz
  void publish_ground_truth(const humanoid_league_msgs::msg::SimulationState& in_world);
  void publish_diagnostics(double now);
  void forget_goals();  // after a jump of the world

  double last_goal_stamp() const { return last_goal_stamp_; }       // s, of the newest accepted motor_goals
  std::uint64_t goals_received() const { return goals_received_; }  // accepted
  void press(const std::string& button, double until);
  std::optional<std::string> inject(const humanoid_league_msgs::srv::InjectFault::Request& request);

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

  rclcpp::Node& node_;
  Config config_;
  Robot& robot_;
  WithWorld with_world_;
  std::function<double()> now_;
  std::function<void()> on_goals_;
  std::vector<int> p_gains_;
  double stiffness_ = 1.0;

  std::mutex goals_mutex_;  // of player_
  hl_hardware_cm730::GoalPlayer player_;
  hl_hardware_cm730::GoalPlayer::Trajectory trajectory_;
  std::atomic<double> last_goal_stamp_{-1.0};
  std::atomic<std::uint64_t> goals_received_{0};
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

  rclcpp::CallbackGroup::SharedPtr goals_group_;
  rclcpp::Subscription<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals_subscription_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_publisher_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_publisher_;
  std::array<rclcpp::Publisher<humanoid_league_msgs::msg::FootPressure>::SharedPtr, 2> foot_publishers_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HardwareState>::SharedPtr state_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::AdditionalServoData>::SharedPtr servo_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Buttons>::SharedPtr button_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_publisher_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_publisher_;
  rclcpp::Service<humanoid_league_msgs::srv::SetTorque>::SharedPtr torque_service_;
  rclcpp::Service<humanoid_league_msgs::srv::SetLeds>::SharedPtr led_service_;
};

/// Seconds of simulated time as a stamp.
builtin_interfaces::msg::Time to_stamp(double seconds);
double to_seconds(const builtin_interfaces::msg::Time& stamp);

}  // namespace hl_simulation
