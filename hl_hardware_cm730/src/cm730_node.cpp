// SPDX-License-Identifier: Apache-2.0
#include "cm730_node.hpp"

#include <algorithm>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_description/robot_model.hpp"
#include "hl_hardware_cm730/servo_specs.hpp"

namespace hl_hardware_cm730 {
Cm730Node::Cm730Node(const rclcpp::NodeOptions& options)
    : rclcpp::Node("hardware", options),
      parameters_(*this, driver_parameters()),
      driver_params_(parameters_.values().driver()),
      port_name_(parameters_.values().port),
      rate_(parameters_.values().rate) {
  load_robot(parameters_.values());
  contract_ = std::make_unique<hl_robot_interface::HardwareContract>(
      *this, contract_config_, static_cast<hl_robot_interface::RobotPort&>(*this));
  create_services();
  parameters_.on_change([this](const DriverParams& params) {
    contract_->set(params.goals, params.limits);
    rate_ = params.rate;
  });
  thread_ = std::thread([this, priority = parameters_.values().realtime_priority] {
    set_real_time_priority(priority);
    run();
  });
}

Cm730Node::~Cm730Node() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Cm730Node::load_robot(const DriverParams& params) {
  const auto model = hl_description::RobotModel::from_file(params.urdf_file);
  const auto config = hl_description::RobotConfig::from_file(params.robot_config_file);
  config.check(model);

  std::vector<std::string> names;
  for (const auto& servo : config.servos) names.push_back(servo.joint);
  driver_params_.board_id = static_cast<uint8_t>(config.controller_id);
  for (size_t side = 0; side < 2; ++side) {
    driver_params_.foot_ids[side] = config.foot_sensors[side] ? static_cast<uint8_t>(config.foot_sensors[side]->id) : 0;
  }
  port_ = std::make_unique<SerialPort>(port_name_);
  driver_ = std::make_unique<BusDriver>(*port_, servo_specs(config, model, params.robot_config_file), driver_params_);
  body_ = std::make_unique<BusBody>(*driver_, params.foot_cells());
  contract_config_.robot = config;
  contract_config_.joints = hl_joints::joint_set(model, config, names);
  contract_config_.goals = params.goals;
  contract_config_.limits = params.limits;
  contract_config_.subject = "bus";
  contract_config_.hardware_id = port_name_;
  for (size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = params.torque_on_start;
}

}  // namespace hl_hardware_cm730

RCLCPP_COMPONENTS_REGISTER_NODE(hl_hardware_cm730::Cm730Node)
