// SPDX-License-Identifier: Apache-2.0
#include "joint_state_publisher/joint_state_publisher.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace joint_state_publisher {
namespace {

const std::string kZeros = "zeros.";
const std::string kDependentJoints = "dependent_joints";

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read the URDF file '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// As a number, whether it was written 1 or 1.0.
double to_number(const rclcpp::Parameter& value) {
  return value.get_type() == rclcpp::PARAMETER_INTEGER ? static_cast<double>(value.as_int()) : value.as_double();
}

}  // namespace

JointStatePublisher::JointStatePublisher(const std::string& urdf_file)
    : rclcpp::Node("joint_state_publisher",
                   rclcpp::NodeOptions().automatically_declare_parameters_from_overrides(true)) {
  const double rate = number("rate", 10);
  if (!(rate > 0.0 && rate <= 1000.0)) throw std::runtime_error("rate must be above 0 and at most 1000 Hz");
  options_ = read_options();
  publisher_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", 5);
  const std::string urdf =
      urdf_file.empty() ? get_parameter_or<std::string>("robot_description", "") : read_file(urdf_file);
  if (!urdf.empty() && !use_model(urdf)) {
    throw std::runtime_error((urdf_file.empty() ? "robot_description" : urdf_file) + " is not a valid URDF");
  }

  if (urdf_file.empty()) {
    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    description_subscription_ = create_subscription<std_msgs::msg::String>(
        "robot_description", rclcpp::QoS(1).transient_local(),
        [this](std_msgs::msg::String::ConstSharedPtr text) { use_model(text->data); }, latched);
  }
  for (const auto& topic : get_parameter_or("source_list", std::vector<std::string>())) {
    sources_.push_back(create_subscription<sensor_msgs::msg::JointState>(
        topic, 10, [this](sensor_msgs::msg::JointState::ConstSharedPtr state) { merge(*state); }));
  }
  parameter_callback_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& parameters) { return on_parameters(parameters); });
  timer_ =
      create_wall_timer(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / rate)),
                        [this] { publish(); });
  if (urdf.empty()) RCLCPP_INFO(get_logger(), "Waiting for robot_description");
}

JointPositions::Options JointStatePublisher::read_options() {
  JointPositions::Options options;
  for (const auto& [name, value] : {std::pair("use_mimic_tags", &options.use_mimic_tags),
                                    std::pair("use_smallest_joint_limits", &options.use_smallest_joint_limits),
                                    std::pair("publish_default_positions", &options.publish_default_positions),
                                    std::pair("publish_default_velocities", &options.publish_default_velocities),
                                    std::pair("publish_default_efforts", &options.publish_default_efforts)}) {
    *value = has_parameter(name) ? get_parameter(name).as_bool() : declare_parameter(name, *value);
  }
  for (const auto& name : list_parameters({kDependentJoints}, 0).names) {
    const rclcpp::Parameter value = get_parameter(name);
    const std::string key = name.substr(kDependentJoints.size() + 1);
    const auto dot = key.rfind('.');
    const std::string joint = key.substr(0, dot), field = dot == std::string::npos ? "" : key.substr(dot + 1);
    auto& rule = options.dependent_joints[joint];
    if (field == "parent") {
      rule.parent = value.as_string();
    } else if (field == "factor") {
      rule.factor = to_number(value);
    } else if (field == "offset") {
      rule.offset = to_number(value);
    } else {
      throw std::runtime_error(name + " is unknown; a joint has parent, factor and offset");
    }
  }
  for (const auto& [joint, rule] : options.dependent_joints) {
    if (rule.parent.empty()) throw std::runtime_error(kDependentJoints + "." + joint + " lacks its parent");
  }
  return options;
}

double JointStatePublisher::number(const std::string& name, double otherwise) {
  rclcpp::Parameter value;
  if (!get_parameter(name, value)) return declare_parameter(name, otherwise);
  return to_number(value);
}

bool JointStatePublisher::use_model(const std::string& text) {
  urdf::Model model;
  if (!model.initString(text)) {
    RCLCPP_ERROR(get_logger(), "The robot description is not a valid URDF and is ignored");
    return false;
  }
  // Every joint gets a parameter, so that it can be moved; as given, else as the model says.
  const JointPositions as_in_model(model, options_);
  for (const auto& [name, joint] : as_in_model.free_joints()) options_.zeros[name] = number(kZeros + name, joint.zero);
  joints_ = JointPositions(model, options_);
  ++models_;
  for (const auto& problem : joints_.problems()) RCLCPP_WARN(get_logger(), "Left out: %s", problem.c_str());
  RCLCPP_INFO(get_logger(), "Robot '%s': %zu joints, %zu dependent ones", model.getName().c_str(),
              joints_.free_joints().size(), joints_.dependent_joints().size());
  return true;
}

rcl_interfaces::msg::SetParametersResult JointStatePublisher::on_parameters(
    const std::vector<rclcpp::Parameter>& parameters) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  for (const auto& parameter : parameters) {
    if (parameter.get_name().rfind(kZeros, 0) != 0) continue;
    const std::string name = parameter.get_name().substr(kZeros.size());
    FreeJoint* joint = joints_.find(name);
    if (!joint || parameter.get_type() != rclcpp::PARAMETER_DOUBLE) continue;
    const double value = parameter.as_double();
    if (!joint->continuous && !(value >= joint->lower && value <= joint->upper)) {
      result.successful = false;
      result.reason = "the joint '" + name + "' reaches from " + std::to_string(joint->lower) + " to " +
                      std::to_string(joint->upper);
      return result;
    }
    joint->zero = value;
    joint->motion.position = value;
  }
  return result;
}

void JointStatePublisher::merge(const sensor_msgs::msg::JointState& state) {
  const auto take = [](const std::vector<double>& values, std::size_t i, std::optional<double>& into) {
    if (i < values.size() && std::isfinite(values[i])) into = values[i];
  };
  for (std::size_t i = 0; i < state.name.size(); ++i) {
    FreeJoint* joint = joints_.find(state.name[i]);
    if (!joint) continue;
    take(state.position, i, joint->motion.position);
    take(state.velocity, i, joint->motion.velocity);
    take(state.effort, i, joint->motion.effort);
  }
}

void JointStatePublisher::publish() {
  message_.header.stamp = now();
  message_.name.clear();
  message_.position.clear();
  message_.velocity.clear();
  message_.effort.clear();
  // An array is either empty or as long as the names; what is not known in one that is not empty is 0.
  const auto append = [this](std::vector<double>& values, const std::optional<double>& value) {
    if (!value) return;
    values.resize(message_.name.size());
    values.back() = *value;
  };
  const auto add = [&](const std::string& name) {
    const auto motion = joints_.motion(name);
    if (!motion) return;
    message_.name.push_back(name);
    append(message_.position, motion->position);
    append(message_.velocity, motion->velocity);
    append(message_.effort, motion->effort);
  };
  for (const auto& entry : joints_.free_joints()) add(entry.first);
  for (const auto& entry : joints_.dependent_joints()) add(entry.first);
  if (message_.name.empty()) return;
  for (auto* values : {&message_.position, &message_.velocity, &message_.effort}) {
    if (!values->empty()) values->resize(message_.name.size());
  }
  publisher_->publish(message_);
}

int run(int argc, char** argv, const std::function<void(const std::shared_ptr<JointStatePublisher>&)>& body) {
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  int exit_code = 0;
  try {
    if (arguments.size() > 2) throw std::runtime_error("usage: " + arguments[0] + " [URDF_FILE] [--ros-args ...]");
    body(std::make_shared<JointStatePublisher>(arguments.size() == 2 ? arguments[1] : ""));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "joint_state_publisher: %s\n", e.what());
    exit_code = 1;
  }
  rclcpp::shutdown();
  return exit_code;
}

}  // namespace joint_state_publisher
