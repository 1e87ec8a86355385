// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <hl_description/robot_config.hpp>
#include <hl_node/diagnostics.hpp>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/buttons.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/srv/set_leds.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <humanoid_league_msgs/srv/shutdown_robot.hpp>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <utility>
#include <vector>

#include "hl_robot_interface/robot_port.hpp"

namespace hl_robot_interface {

/// The hardware side of the contract above any body: topics, services, levels, rates and limits are the same for all.
/// The thread that owns the body calls `apply_goals`, `publish` and `forget_goals`; messages and services may arrive in
/// any other.
class HardwareContract {
 public:
  struct Config {
    std::function<double()> now;        // s; empty: the node's clock
    std::string prefix;                 // of all names: empty, or a namespace with '/'
    hl_description::RobotConfig robot;  // for the names of limbs
    hl_joints::JointSet joints;         // in the body's order
    std::string imu_frame = "imu_frame";
    std::array<std::string, 2> foot_frames{"l_sole", "r_sole"};
    std::array<double, 3> imu_noise{0.0, 0.0, 0.0};  // rad, rad/s, m/s^2; deviations, 0 = unknown
    hl_joints::GoalPlayer::Params goals;
    HealthLimits limits;
    std::string subject, hardware_id;  // of diagnostics
  };
  using Values = hl_node::Diagnostics::Values;

  /// `on_goals`, if given, is called after each message of goals that was accepted (with its stamp, s) or refused
  /// (nothing). `port` must outlive it.
  HardwareContract(rclcpp::Node& node, Config config, RobotPort& port,
                   rclcpp::CallbackGroup::SharedPtr goals_group = {},
                   std::function<void(std::optional<double>)> on_goals = {});

  void set(const hl_joints::GoalPlayer::Params& goals, const HealthLimits& limits);

  /// What the goals ask of the body at `now` (s).
  void apply_goals(double now);
  void publish_sensors(double now);
  /// 10 Hz, and at once when something changes.
  void publish_state(double now);
  /// Each at its own rate: servo data 2 Hz, diagnostics 1 Hz. `more` adds what only this body knows.
  void publish_reports(double now, const std::function<void(Values&)>& more = {});

  void forget_goals();
  void set_goal(std::size_t joint, double position);  // rad; it starts again from here
  const Health& health() const { return health_; }
  const std::vector<std::string>& joint_names() const { return names_; }

 private:
  void fill_constants();
  void create_publishers();
  void offer_services();
  void on_motor_goals(const trajectory_msgs::msg::JointTrajectory& message);
  void on_set_torque(const humanoid_league_msgs::srv::SetTorque::Request& request,
                     humanoid_league_msgs::srv::SetTorque::Response& response);
  void on_set_leds(const humanoid_league_msgs::srv::SetLeds::Request& request,
                   humanoid_league_msgs::srv::SetLeds::Response& response);
  void publish_buttons(const SensorFrame& frame);
  void watch_battery(double voltage, double now, const HealthLimits& limits);
  void publish_servo_data(double now);
  void publish_diagnostics(double now, const std::function<void(Values&)>& more);

  rclcpp::Node& node_;
  Config config_;
  RobotPort& port_;
  std::function<void(std::optional<double>)> on_goals_;
  std::vector<std::string> names_;

  std::mutex mutex_;  // of player and limits; held for moments only, never while something is said
  hl_joints::GoalPlayer player_;
  HealthLimits limits_;
  std::mutex refusal_mutex_;  // of the two below; the body's thread does not wait for it
  std::uint64_t refused_ = 0;
  std::string last_refusal_;
  Values refusals_;  // as they were last read

  Battery battery_;
  Health health_;
  bool state_published_ = false;
  double next_state_ = 0.0, next_servo_data_ = 0.0, next_diagnostics_ = 0.0;  // s
  std::optional<SensorFrame::Buttons> buttons_;

  sensor_msgs::msg::JointState joint_state_;
  sensor_msgs::msg::Imu imu_;
  std::array<humanoid_league_msgs::msg::FootPressure, 2> feet_;
  humanoid_league_msgs::msg::HardwareState state_;

  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_publisher_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_publisher_;
  std::array<rclcpp::Publisher<humanoid_league_msgs::msg::FootPressure>::SharedPtr, 2> foot_publishers_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HardwareState>::SharedPtr state_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::AdditionalServoData>::SharedPtr servo_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Buttons>::SharedPtr button_publisher_;
  hl_node::Diagnostics diagnostics_;
  rclcpp::Subscription<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals_subscription_;
  rclcpp::Service<humanoid_league_msgs::srv::SetTorque>::SharedPtr torque_service_;
  rclcpp::Service<humanoid_league_msgs::srv::SetLeds>::SharedPtr led_service_;
  rclcpp::Client<humanoid_league_msgs::srv::ShutdownRobot>::SharedPtr shutdown_client_;
};

/// Seconds of a clock as a stamp, and back.
builtin_interfaces::msg::Time stamp_from(double seconds);
double seconds_from(const builtin_interfaces::msg::Time& stamp);

}  // namespace hl_robot_interface
