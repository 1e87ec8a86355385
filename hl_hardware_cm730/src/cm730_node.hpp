// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <functional>
#include <future>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/buttons.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/srv/change_servo_id.hpp>
#include <humanoid_league_msgs/srv/read_register.hpp>
#include <humanoid_league_msgs/srv/recover_servo.hpp>
#include <humanoid_league_msgs/srv/set_leds.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <humanoid_league_msgs/srv/shutdown_robot.hpp>
#include <humanoid_league_msgs/srv/write_register.hpp>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <thread>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "hl_hardware_cm730/attitude_filter.hpp"
#include "hl_hardware_cm730/bus_driver.hpp"
#include "hl_hardware_cm730/goal_player.hpp"
#include "hl_hardware_cm730/serial_port.hpp"

namespace hl_hardware_cm730 {

/// The driver as a node: one thread owns the bus; callbacks leave goals and jobs for it.
class Cm730Node : public rclcpp::Node {
 public:
  explicit Cm730Node(const rclcpp::NodeOptions& options);
  ~Cm730Node() override;

 private:
  struct Limits {
    double warn_voltage = 10.5, shutdown_voltage = 10.0;  // V
    double warn_temperature = 60.0;                       // degrees Celsius
    double shutdown_grace = 15.0;                         // s for sitting down
  };

  void declare_parameters();
  void load_robot(const std::string& urdf_file, const std::string& config_file);
  void create_interfaces();
  rcl_interfaces::msg::SetParametersResult on_parameters(const std::vector<rclcpp::Parameter>& parameters);

  void run();  // the bus thread
  void set_real_time_priority(int priority);
  void apply_goals();
  void run_jobs();
  void publish_cycle();
  void publish_state();
  void publish_servo_data();
  void publish_diagnostics();
  void watch_voltage();
  void pace();
  void log_events();

  void on_motor_goals(const trajectory_msgs::msg::JointTrajectory& goals);
  /// Runs `job` in the bus thread between two cycles; false if the bus is not running.
  bool on_bus(const std::function<void()>& job);
  void set_torque(const std::vector<std::string>& groups, bool on,
                  humanoid_league_msgs::srv::SetTorque::Response& response);
  std::string set_leds(const humanoid_league_msgs::srv::SetLeds::Request& request);

  hl_description::RobotConfig config_;
  BusDriver::Params driver_params_;
  GoalPlayer::Params player_params_;
  Limits limits_;         // as set; guarded by goals_mutex_ once the bus thread runs
  Limits active_limits_;  // the bus thread's copy
  std::string port_name_;
  double rate_ = 0.0;  // Hz, 0 = as fast as the wire allows; guarded like limits_
  double active_rate_ = 0.0;
  int priority_ = 0;
  std::array<std::vector<int64_t>, 2> foot_cells_;

  std::unique_ptr<SerialPort> port_;
  std::unique_ptr<BusDriver> driver_;  // bus thread only, once it runs
  AttitudeFilter attitude_;
  std::vector<std::string> joint_names_;
  int led_panel_ = 0;

  std::mutex goals_mutex_;
  std::unique_ptr<GoalPlayer> player_;
  GoalPlayer::Trajectory incoming_;
  uint64_t goals_refused_ = 0;
  std::string last_refusal_;

  std::mutex jobs_mutex_;
  std::vector<std::packaged_task<void()>> jobs_;

  std::atomic<bool> stop_{false};
  std::thread thread_;
  double deadline_ = 0.0;
  uint64_t missed_cycles_ = 0;
  double cycle_rate_ = 0.0;  // Hz, smoothed
  double last_cycle_ = 0.0;
  double next_state_ = 0.0, next_servo_data_ = 0.0, next_diagnostics_ = 0.0;
  double low_since_ = -1.0, shutdown_since_ = -1.0;
  bool last_mode_ = false, last_start_ = false, buttons_known_ = false;

  sensor_msgs::msg::JointState joint_states_;
  sensor_msgs::msg::Imu imu_;
  humanoid_league_msgs::msg::HardwareState state_;

  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_publisher_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HardwareState>::SharedPtr state_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::AdditionalServoData>::SharedPtr servo_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Buttons>::SharedPtr button_publisher_;
  std::array<rclcpp::Publisher<humanoid_league_msgs::msg::FootPressure>::SharedPtr, 2> foot_publishers_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_publisher_;
  rclcpp::Subscription<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals_subscription_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  rclcpp::Client<humanoid_league_msgs::srv::ShutdownRobot>::SharedPtr shutdown_client_;
  OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
};

}  // namespace hl_hardware_cm730
