// SPDX-License-Identifier: Apache-2.0
#include "cm730_node.hpp"

#include <algorithm>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_description/robot_model.hpp"

namespace hl_hardware_cm730 {
namespace {

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, bool read_only = false) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

rcl_interfaces::msg::ParameterDescriptor ranged(const std::string& text, double from, double to,
                                                bool read_only = false) {
  auto descriptor = described(text, read_only);
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = from;
  descriptor.floating_point_range[0].to_value = to;
  return descriptor;
}

void require(const std::optional<std::string>& problem, const char* where) {
  if (problem) throw std::invalid_argument(std::string(where) + ": " + *problem);
}

}  // namespace

Cm730Node::Cm730Node(const rclcpp::NodeOptions& options) : rclcpp::Node("hardware", options) {
  declare_parameters();
  contract_ = std::make_unique<hl_robot_interface::HardwareContract>(
      *this, contract_config_, static_cast<hl_robot_interface::RobotPort&>(*this));
  create_services();
  parameter_callback_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& parameters) { return on_parameters(parameters); });
  thread_ = std::thread([this] { run(); });
}

Cm730Node::~Cm730Node() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Cm730Node::declare_parameters() {
  port_name_ = declare_parameter("port", "/dev/ttyUSB0", described("serial device of the CM-730", true));
  const std::string urdf_file = declare_parameter("urdf_file", "", described("URDF of the robot: joint limits", true));
  const std::string config_file =
      declare_parameter("robot_config_file", "", described("robot.yaml: ids, models, offsets, gains", true));
  rate_ = declare_parameter("rate", 0.0, ranged("cycles per second, 0 = as fast as the wire allows", 0.0, 1000.0));
  priority_ = static_cast<int>(declare_parameter(
      "realtime_priority", 0, described("SCHED_FIFO priority 1..99 of the bus thread, 0 = none", true)));
  const bool torque = declare_parameter("torque_on_start", true, described("hold the joints where they stand", true));

  auto& d = driver_params_;
  d.gyro_range =
      declare_parameter("gyro_range", 1600.0, ranged("deg/s at full scale; some boards have 500", 10.0, 4000.0, true)) *
      kPi / 180.0;
  d.accel_range =
      declare_parameter("accel_range", 4.0, ranged("g at full scale of the accelerometer", 1.0, 32.0, true)) * kGravity;
  d.reply_gap = declare_parameter("reply_gap", d.reply_gap,
                                  ranged("s of silence after which a device counts as silent", 0.0002, 1.0, true));
  d.torque_ramp =
      declare_parameter("torque_ramp", d.torque_ramp, ranged("s from limp to full torque", 0.0, 60.0, true));
  d.return_speed = declare_parameter(
      "return_speed", d.return_speed,
      ranged("rad/s at which a servo that comes (back) moves from where it stands to its goal", 0.01, 20.0, true));
  d.read_speed =
      declare_parameter("read_speed", true, described("read speeds; otherwise they are computed from positions", true));

  auto& p = contract_config_.goals;
  p.hold_after = declare_parameter("hold_after", p.hold_after, ranged("s without goals: hold the pose", 0.01, 60.0));
  p.soften_after =
      declare_parameter("soften_after", p.soften_after, ranged("s without goals: hold it softly", 0.01, 3600.0));
  p.soft_stiffness =
      declare_parameter("soft_stiffness", p.soft_stiffness, ranged("share of the P gain then", 0.05, 1.0));
  p.max_age = declare_parameter("max_goal_age", p.max_age, ranged("s, older goals are refused", 0.01, 10.0));
  p.limit_tolerance = declare_parameter("limit_tolerance", p.limit_tolerance,
                                        ranged("rad; goals beyond a limit by less are cut, by more refused", 0.0, 0.2));

  auto& l = contract_config_.limits;
  l.warn_voltage = declare_parameter("warn_voltage", l.warn_voltage, ranged("V", 6.0, 20.0));
  l.shutdown_voltage = declare_parameter("shutdown_voltage", l.shutdown_voltage,
                                         ranged("V below which the robot sits down and lets go", 5.0, 20.0));
  l.shutdown_grace = declare_parameter("shutdown_grace", l.shutdown_grace,
                                       ranged("s for sitting down before torque goes off", 0.0, 120.0));
  l.warn_temperature = declare_parameter("warn_temperature", l.warn_temperature, ranged("degrees Celsius", 30.0, 90.0));
  const char* const foot_parameters[2] = {"foot_cells_left", "foot_cells_right"};
  for (size_t side = 0; side < 2; ++side) {
    auto& cells = foot_cells_[side];
    const auto numbers = declare_parameter(
        foot_parameters[side], std::vector<int64_t>(cells.begin(), cells.end()),
        described("cells of the board that are front left, front right, back left, back right", true));
    auto sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != std::vector<int64_t>{1, 2, 3, 4})
      throw std::invalid_argument(std::string(foot_parameters[side]) + " must be the numbers 1 to 4 in some order");
    for (size_t place = 0; place < 4; ++place) cells[place] = static_cast<int>(numbers[place]);
  }
  require(d.validate(), "hardware");
  require(p.validate(), "hardware");
  require(l.validate(), "hardware");
  load_robot(urdf_file, config_file);
  for (size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = torque;
}

void Cm730Node::load_robot(const std::string& urdf_file, const std::string& config_file) {
  if (urdf_file.empty() || config_file.empty()) {
    throw std::invalid_argument(
        "hardware: urdf_file and robot_config_file must be given; hardware.launch.xml robot:=minibot does");
  }
  const auto model = hl_description::RobotModel::from_file(urdf_file);
  const auto config = hl_description::RobotConfig::from_file(config_file);
  config.check(model);

  std::vector<ServoSpec> specs;
  std::vector<std::string> names;
  for (const auto& servo : config.servos) {
    const auto& limits = model.limits(model.joint(servo.joint));
    const auto known = servo_model(servo.model);
    if (!known)
      throw std::invalid_argument(config_file + ": '" + servo.model + "' of " + servo.joint +
                                  " is none of MX-28, MX-64, MX-106");
    ServoSpec spec;
    spec.joint = servo.joint;
    spec.id = static_cast<uint8_t>(servo.id);
    spec.model = *known;
    spec.offset = servo.offset;
    spec.lower = limits.lower;
    spec.upper = limits.upper;
    spec.p = servo.p;
    spec.i = servo.i;
    spec.d = servo.d;
    specs.push_back(spec);
    names.push_back(servo.joint);
  }
  driver_params_.board_id = static_cast<uint8_t>(config.controller_id);
  for (size_t side = 0; side < 2; ++side) {
    driver_params_.foot_ids[side] = config.foot_sensors[side] ? static_cast<uint8_t>(config.foot_sensors[side]->id) : 0;
  }
  port_ = std::make_unique<SerialPort>(port_name_);
  driver_ = std::make_unique<BusDriver>(*port_, std::move(specs), driver_params_);
  body_ = std::make_unique<BusBody>(*driver_, foot_cells_);
  contract_config_.robot = config;
  contract_config_.joints = hl_joints::joint_set(model, config, names);
  contract_config_.diagnostics_name = std::string(get_fully_qualified_name()) + ": bus";
  contract_config_.hardware_id = port_name_;
}

rcl_interfaces::msg::SetParametersResult Cm730Node::on_parameters(const std::vector<rclcpp::Parameter>& parameters) {
  auto goals = contract_config_.goals;
  auto limits = contract_config_.limits;
  double rate = rate_;
  for (const auto& parameter : parameters) {
    const std::string& name = parameter.get_name();
    if (name == "rate") rate = parameter.as_double();
    if (name == "hold_after") goals.hold_after = parameter.as_double();
    if (name == "soften_after") goals.soften_after = parameter.as_double();
    if (name == "soft_stiffness") goals.soft_stiffness = parameter.as_double();
    if (name == "max_goal_age") goals.max_age = parameter.as_double();
    if (name == "limit_tolerance") goals.limit_tolerance = parameter.as_double();
    if (name == "warn_voltage") limits.warn_voltage = parameter.as_double();
    if (name == "shutdown_voltage") limits.shutdown_voltage = parameter.as_double();
    if (name == "shutdown_grace") limits.shutdown_grace = parameter.as_double();
    if (name == "warn_temperature") limits.warn_temperature = parameter.as_double();
  }
  rcl_interfaces::msg::SetParametersResult result;
  auto problem = goals.validate();
  if (!problem) problem = limits.validate();
  result.successful = !problem;
  if (problem) {
    result.reason = *problem;
    return result;
  }
  contract_config_.goals = goals;
  contract_config_.limits = limits;
  contract_->set(goals, limits);
  rate_ = rate;
  return result;
}

}  // namespace hl_hardware_cm730

RCLCPP_COMPONENTS_REGISTER_NODE(hl_hardware_cm730::Cm730Node)
