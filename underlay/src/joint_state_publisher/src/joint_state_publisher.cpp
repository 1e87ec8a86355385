// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <vector>

#include "urdf/model.h"

namespace {

/// Publishes a position for every joint of the robot: its zero, or what `zeros.<joint>` or another topic says.
class JointStatePublisher : public rclcpp::Node {
 public:
  JointStatePublisher()
      : rclcpp::Node("joint_state_publisher",
                     rclcpp::NodeOptions().automatically_declare_parameters_from_overrides(true)) {
    const double rate = parameter("rate", 10);
    if (!(rate > 0.0 && rate <= 1000.0)) throw std::runtime_error("rate must be above 0 and at most 1000 Hz");
    publisher_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", 5);
    const std::string urdf = get_parameter_or<std::string>("robot_description", "");
    if (!urdf.empty() && !use_model(urdf)) throw std::runtime_error("robot_description is not a valid URDF");

    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    description_subscription_ = create_subscription<std_msgs::msg::String>(
        "robot_description", rclcpp::QoS(1).transient_local(),
        [this](std_msgs::msg::String::ConstSharedPtr text) { use_model(text->data); }, latched);
    for (const auto& topic : get_parameter_or("source_list", std::vector<std::string>())) {
      sources_.push_back(create_subscription<sensor_msgs::msg::JointState>(
          topic, 10, [this](sensor_msgs::msg::JointState::ConstSharedPtr state) { merge(*state); }));
    }
    parameter_callback_ = add_on_set_parameters_callback(
        [this](const std::vector<rclcpp::Parameter>& parameters) { return on_parameters(parameters); });
    timer_ = create_wall_timer(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / rate)),
        [this] { publish(); });
    if (urdf.empty()) RCLCPP_INFO(get_logger(), "Waiting for robot_description");
  }

 private:
  struct Joint {
    double lower = 0.0, upper = 0.0;
    bool limited = false;
    double position = 0.0;
  };
  struct Dependence {
    std::string parent;
    double factor = 1.0, offset = 0.0;
  };

  double parameter(const std::string& name, double otherwise) {
    rclcpp::Parameter value;
    if (!get_parameter(name, value)) return declare_parameter(name, otherwise);
    return value.get_type() == rclcpp::PARAMETER_INTEGER ? static_cast<double>(value.as_int()) : value.as_double();
  }

  bool use_model(const std::string& text) {
    urdf::Model model;
    if (!model.initString(text)) {
      RCLCPP_ERROR(get_logger(), "The robot description is not a valid URDF and is ignored");
      return false;
    }
    joints_.clear();
    dependent_.clear();
    for (const auto& [name, joint] : model.joints_) {
      if (joint->type != urdf::Joint::REVOLUTE && joint->type != urdf::Joint::CONTINUOUS &&
          joint->type != urdf::Joint::PRISMATIC) {
        continue;
      }
      if (joint->mimic) {
        dependent_[name] = {joint->mimic->joint_name, joint->mimic->multiplier, joint->mimic->offset};
        continue;
      }
      Joint entry;
      entry.limited = joint->limits && joint->type != urdf::Joint::CONTINUOUS;
      if (entry.limited) {
        entry.lower = joint->limits->lower;
        entry.upper = joint->limits->upper;
        if (entry.lower > 0.0 || entry.upper < 0.0) entry.position = 0.5 * (entry.lower + entry.upper);
      }
      const std::string zero = "zeros." + name;
      const double position = parameter(zero, entry.position);
      entry.position = entry.limited ? std::clamp(position, entry.lower, entry.upper) : position;
      joints_[name] = entry;
    }
    RCLCPP_INFO(get_logger(), "Robot '%s': %zu joints, %zu dependent ones", model.getName().c_str(), joints_.size(),
                dependent_.size());
    return true;
  }

  rcl_interfaces::msg::SetParametersResult on_parameters(const std::vector<rclcpp::Parameter>& parameters) {
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    for (const auto& parameter : parameters) {
      if (parameter.get_name().rfind("zeros.", 0) != 0) continue;
      const auto joint = joints_.find(parameter.get_name().substr(6));
      if (joint == joints_.end() || parameter.get_type() != rclcpp::PARAMETER_DOUBLE) continue;
      const double value = parameter.as_double();
      if (joint->second.limited && (value < joint->second.lower || value > joint->second.upper)) {
        result.successful = false;
        result.reason = "the joint '" + joint->first + "' reaches from " + std::to_string(joint->second.lower) +
                        " to " + std::to_string(joint->second.upper);
        return result;
      }
      joint->second.position = value;
    }
    return result;
  }

  void merge(const sensor_msgs::msg::JointState& state) {
    for (size_t i = 0; i < std::min(state.name.size(), state.position.size()); ++i) {
      const auto joint = joints_.find(state.name[i]);
      if (joint != joints_.end()) joint->second.position = state.position[i];
    }
  }

  /// The position of a joint, through any chain of dependence; false if the chain leads nowhere.
  bool position(const std::string& name, double& value, int depth = 0) const {
    const auto joint = joints_.find(name);
    if (joint != joints_.end()) {
      value = joint->second.position;
      return true;
    }
    const auto rule = dependent_.find(name);
    if (rule == dependent_.end() || depth > 20 || !position(rule->second.parent, value, depth + 1)) return false;
    value = value * rule->second.factor + rule->second.offset;
    return true;
  }

  void publish() {
    if (joints_.empty()) return;
    message_.header.stamp = now();
    message_.name.clear();
    message_.position.clear();
    const auto append = [&](const std::string& name) {
      double value = 0.0;
      if (!position(name, value)) return;
      message_.name.push_back(name);
      message_.position.push_back(value);
    };
    for (const auto& entry : joints_) append(entry.first);
    for (const auto& entry : dependent_) append(entry.first);
    publisher_->publish(message_);
  }

  std::map<std::string, Joint> joints_;
  std::map<std::string, Dependence> dependent_;
  sensor_msgs::msg::JointState message_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr publisher_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr description_subscription_;
  std::vector<rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr> sources_;
  OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  try {
    rclcpp::spin(std::make_shared<JointStatePublisher>());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "joint_state_publisher: %s\n", e.what());
    rclcpp::shutdown();
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}
