// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <hl_robot_interface/hardware_contract.hpp>
#include <humanoid_league_msgs/srv/change_servo_id.hpp>
#include <humanoid_league_msgs/srv/read_register.hpp>
#include <humanoid_league_msgs/srv/recover_servo.hpp>
#include <humanoid_league_msgs/srv/write_register.hpp>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "hl_hardware_cm730/bus_body.hpp"
#include "hl_hardware_cm730/bus_driver.hpp"
#include "hl_hardware_cm730/serial_port.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"

namespace hl_hardware_cm730 {

/// The driver as a node: one thread owns the bus; callbacks leave goals and jobs for it.
class Cm730Node : public rclcpp::Node, private hl_robot_interface::RobotPort {
 public:
  explicit Cm730Node(const rclcpp::NodeOptions& options);
  ~Cm730Node() override;

 private:
  using Goals = std::vector<hl_joints::GoalPlayer::Goal>;

  void load_robot(const DriverParams& params);
  void create_services();

  void run();  // the bus thread
  void set_real_time_priority(int priority);
  void run_jobs();
  void pace();
  void log_events();
  void add_diagnostics(hl_robot_interface::HardwareContract::Values& values) const;

  // The body below the contract.
  const hl_robot_interface::SensorFrame& read(double now) override;
  void write(const Goals& goals, double stiffness) override;
  const hl_robot_interface::BodyReport& report() override;
  void let_go() override;
  std::string set_torque(const std::vector<std::size_t>& joints, bool on) override;
  std::string set_light(const std::string& name, const std::array<double, 3>& colour) override;

  /// Runs `job` in the bus thread between two cycles; false if the bus is not running.
  bool on_bus(const std::function<void()>& job);

  hl_node::NodeParameters<DriverParams> parameters_;
  hl_robot_interface::HardwareContract::Config contract_config_;
  BusDriver::Params driver_params_;
  std::string port_name_;
  std::atomic<double> rate_{0.0};  // Hz, 0 = as fast as the wire allows

  std::unique_ptr<SerialPort> port_;
  std::unique_ptr<BusDriver> driver_;  // bus thread only, once it runs
  std::unique_ptr<hl_robot_interface::HardwareContract> contract_;
  std::unique_ptr<BusBody> body_;
  int led_panel_ = 0;

  std::mutex jobs_mutex_;
  std::vector<std::packaged_task<void()>> jobs_;

  std::atomic<bool> stop_{false};
  std::thread thread_;
  double deadline_ = 0.0;
  uint64_t missed_cycles_ = 0;
  double cycle_rate_ = 0.0;  // Hz, smoothed
  double last_cycle_ = 0.0;

  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
};

}  // namespace hl_hardware_cm730
