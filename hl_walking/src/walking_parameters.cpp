// SPDX-License-Identifier: Apache-2.0
#include "walking_parameters.hpp"

#include <stdexcept>

namespace hl_walking {
namespace {

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  return descriptor;
}

}  // namespace

rcl_interfaces::msg::ParameterDescriptor fixed_parameter(const std::string& description) {
  auto descriptor = described(description);
  descriptor.read_only = true;
  return descriptor;
}

WalkingParameters::WalkingParameters(rclcpp::Node& node) {
  auto contact = described("what tells of a touch-down: auto, pressure, joint_load or imu");
  contact.additional_constraints = "auto: foot pressure if there is any, else joint loads, else the IMU alone";
  set_contact_source(node.declare_parameter("contact_source", "auto", contact));
  list_tunables();
  for (Tunable& tunable : tunables_) {
    auto descriptor = described(tunable.description);
    descriptor.floating_point_range.resize(1);
    descriptor.floating_point_range[0].from_value = tunable.min;
    descriptor.floating_point_range[0].to_value = tunable.max;
    *tunable.value = node.declare_parameter(tunable.name, *tunable.value, descriptor);
  }
  if (const auto error = values_.invalid()) throw std::invalid_argument(*error);
  callback_ = node.add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changed) { return change(changed); });
}

void WalkingParameters::list_tunables() {
  for (const ParameterInfo& info : parameter_table()) {
    const std::string unit = *info.unit != '\0' ? std::string(info.unit) + ", " : "";
    tunables_.push_back({info.name, &(values_.walk.*info.value), info.min, info.max, unit + info.description});
  }
  const auto add = [this](const char* name, double& value, double min, double max, const char* text) {
    tunables_.push_back({name, &value, min, max, text});
  };
  Controller::Params& control = values_.control;
  add("command_timeout", control.command_timeout, 0.05, 5.0, "s without cmd_vel after which the robot stops");
  add("sensor_timeout", control.sensor_timeout, 0.02, 2.0, "s after which a sensor counts as missing");
  add("approach_speed", control.approach_speed, 0.1, 5.0, "rad/s on the way to the first posture");
  add("quiet_after", control.quiet_after, 0.0, 5.0, "s of standing after which no more goals are sent");
  Odometry::Params& odometry = values_.odometry;
  add("odometry.scale_forward", odometry.scale_forward, 0.5, 2.0, "true over counted way, forward");
  add("odometry.scale_backward", odometry.scale_backward, 0.5, 2.0, "true over counted way, backward");
  add("odometry.scale_sideways", odometry.scale_sideways, 0.5, 2.0, "true over counted way, sideways");
  add("odometry.scale_turn", odometry.scale_turn, 0.5, 2.0, "true over counted turn, without an IMU");
  for (const Kick::ParameterInfo& info : Kick::parameter_table()) {
    tunables_.push_back({std::string("kick.") + info.name, &(values_.kick.*info.value), info.min, info.max,
                         std::string(info.unit) + ", " + info.description});
  }
}

void WalkingParameters::set_contact_source(const std::string& name) {
  const auto source = contact_source_from(name);
  if (!source) {
    throw std::invalid_argument("contact_source is '" + name + "' but must be auto, pressure, joint_load or imu");
  }
  values_.control.contact_source = *source;
}

std::optional<std::string> WalkingParameters::Values::invalid() const {
  if (auto error = walk.validate()) return error;
  if (auto error = odometry.validate()) return error;
  if (auto error = kick.validate()) return error;
  return control.validate();
}

rcl_interfaces::msg::SetParametersResult WalkingParameters::change(const std::vector<rclcpp::Parameter>& changed) {
  const Values before = values_;
  std::optional<std::string> error;
  try {
    for (const rclcpp::Parameter& parameter : changed) {
      if (parameter.get_name() == "contact_source") set_contact_source(parameter.as_string());
      for (Tunable& tunable : tunables_) {
        if (tunable.name == parameter.get_name()) *tunable.value = parameter.as_double();
      }
    }
    error = values_.invalid();
  } catch (const std::exception& e) {
    error = e.what();
  }
  if (error) {
    values_ = before;
  } else if (changed_) {
    changed_();
  }
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = !error;
  result.reason = error.value_or("");
  return result;
}

}  // namespace hl_walking
