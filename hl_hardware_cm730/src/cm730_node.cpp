// SPDX-License-Identifier: Apache-2.0
#include "cm730_node.hpp"

#include <algorithm>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_description/robot_model.hpp"

namespace hl_hardware_cm730 {
namespace {

/// What robot.yaml and the URDF say of a joint's servo.
ServoSpec servo_spec(const hl_description::ServoConfig& servo, const hl_description::RobotModel& model,
                     const std::string& config_file) {
  const auto& limits = model.limits(model.joint(servo.joint));
  const auto known = servo_model(servo.model);
  if (!known)
    throw std::invalid_argument(config_file + ": '" + servo.model + "' of " + servo.joint +
                                " is none of those that this driver speaks to: " + known_servos());
  ServoSpec spec;
  spec.joint = servo.joint;
  spec.id = static_cast<uint8_t>(servo.id);
  spec.model = *known;
  spec.direction = servo.direction();
  spec.offset = servo.offset;
  spec.lower = limits.lower;
  spec.upper = limits.upper;
  spec.p = servo.p;
  spec.i = servo.i;
  spec.d = servo.d;
  return spec;
}

}  // namespace

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

  std::vector<ServoSpec> specs;
  std::vector<std::string> names;
  for (const auto& servo : config.servos) {
    specs.push_back(servo_spec(servo, model, params.robot_config_file));
    names.push_back(servo.joint);
  }
  driver_params_.board_id = static_cast<uint8_t>(config.controller_id);
  for (size_t side = 0; side < 2; ++side) {
    driver_params_.foot_ids[side] = config.foot_sensors[side] ? static_cast<uint8_t>(config.foot_sensors[side]->id) : 0;
  }
  port_ = std::make_unique<SerialPort>(port_name_);
  driver_ = std::make_unique<BusDriver>(*port_, std::move(specs), driver_params_);
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
