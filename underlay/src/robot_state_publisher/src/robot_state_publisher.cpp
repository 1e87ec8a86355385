// SPDX-License-Identifier: Apache-2.0
#include "robot_state_publisher/robot_state_publisher.hpp"

#include <cmath>
#include <rclcpp_components/register_node_macro.hpp>
#include <stdexcept>

namespace robot_state_publisher {
namespace {

constexpr double kLowestFrequency = 0.0;
constexpr double kHighestFrequency = 1000.0;  // Hz

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  return descriptor;
}

void set_transform(const urdf::Vector3& position, const urdf::Rotation& rotation,
                   geometry_msgs::msg::TransformStamped& out) {
  out.transform.translation.x = position.x;
  out.transform.translation.y = position.y;
  out.transform.translation.z = position.z;
  out.transform.rotation.x = rotation.x;
  out.transform.rotation.y = rotation.y;
  out.transform.rotation.z = rotation.z;
  out.transform.rotation.w = rotation.w;
}

urdf::Vector3 unit(const urdf::Vector3& axis) {
  const double length = std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  return length > 0.0 ? urdf::Vector3(axis.x / length, axis.y / length, axis.z / length) : axis;
}

}  // namespace

RobotStatePublisher::RobotStatePublisher(const rclcpp::NodeOptions& options)
    : rclcpp::Node("robot_state_publisher", options) {
  const std::string urdf = declare_parameter("robot_description", "", described("the robot as URDF text"));
  auto frequency_descriptor = described("highest rate of transforms, Hz");
  frequency_descriptor.floating_point_range.resize(1);
  frequency_descriptor.floating_point_range[0].from_value = kLowestFrequency;
  frequency_descriptor.floating_point_range[0].to_value = kHighestFrequency;
  const double frequency = declare_parameter("publish_frequency", 20.0, frequency_descriptor);
  period_ = rclcpp::Duration::from_seconds(frequency > 0.0 ? 1.0 / frequency : 0.0);
  ignore_timestamp_ = declare_parameter("ignore_timestamp", false, described("publish every message, however old"));
  frame_prefix_ = declare_parameter("frame_prefix", "", described("put before the name of every frame"));
  if (urdf.empty()) {
    throw std::runtime_error(
        "robot_state_publisher: the parameter robot_description is empty; give it the URDF text, for instance "
        "$(command 'xacro robot.urdf.xacro') in a launch file");
  }

  // Throws if the node is loaded with intra-process communication, as that of Humble does: load it without.
  description_publisher_ =
      create_publisher<std_msgs::msg::String>("robot_description", rclcpp::QoS(rclcpp::KeepLast(1)).transient_local());
  broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(*this);
  use_model(urdf);

  subscription_ = create_subscription<sensor_msgs::msg::JointState>(
      "joint_states", rclcpp::SensorDataQoS(),
      [this](sensor_msgs::msg::JointState::ConstSharedPtr state) { on_joint_states(*state); });
  parameter_callback_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& parameters) { return on_parameters(parameters); });
}

void RobotStatePublisher::use_model(const std::string& urdf) {
  urdf::Model model;
  if (!model.initString(urdf)) {
    throw std::runtime_error("robot_description is not a valid URDF; the lines above say where it is wrong");
  }
  std::map<std::string, Segment> segments;
  std::vector<geometry_msgs::msg::TransformStamped> fixed;
  for (const auto& [name, joint] : model.joints_) {
    geometry_msgs::msg::TransformStamped transform;
    transform.header.frame_id = frame_prefix_ + joint->parent_link_name;
    transform.child_frame_id = frame_prefix_ + joint->child_link_name;
    const auto& origin = joint->parent_to_joint_origin_transform;
    switch (joint->type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
      case urdf::Joint::PRISMATIC:
        segments[name].joint = joint;
        segments[name].transform = transform;
        break;
      case urdf::Joint::FIXED:
        set_transform(origin.position, origin.rotation, transform);
        fixed.push_back(transform);
        break;
      default:
        RCLCPP_WARN(get_logger(), "The joint '%s' is of a type that cannot be published (floating or planar).",
                    name.c_str());
    }
  }
  for (const auto& [name, segment] : segments) {
    if (!segment.joint->mimic) continue;
    const std::string& source = segment.joint->mimic->joint_name;
    const auto entry = segments.find(source);
    if (entry == segments.end()) {
      throw std::runtime_error("the joint '" + name + "' mimics '" + source +
                               "', which does not move or does not exist");
    }
    entry->second.mimics.push_back(name);
  }
  segments_ = std::move(segments);
  fixed_ = std::move(fixed);
  // A new broadcaster: links of an earlier robot must not live on.
  static_broadcaster_ = std::make_unique<tf2_ros::StaticTransformBroadcaster>(*this);
  publish_fixed();
  std_msgs::msg::String description;
  description.data = urdf;
  description_publisher_->publish(description);
  RCLCPP_INFO(get_logger(), "Robot '%s': %zu moving joints, %zu fixed ones", model.getName().c_str(), segments_.size(),
              fixed_.size());
}

void RobotStatePublisher::publish_fixed() {
  for (auto& transform : fixed_) transform.header.stamp = now();
  static_broadcaster_->sendTransform(fixed_);
}

void RobotStatePublisher::add(const std::string& joint, double position, const builtin_interfaces::msg::Time& stamp) {
  const auto entry = segments_.find(joint);
  if (entry == segments_.end() || !std::isfinite(position)) return;
  Segment& segment = entry->second;
  const auto& origin = segment.joint->parent_to_joint_origin_transform;
  const urdf::Vector3 axis = unit(segment.joint->axis);
  urdf::Vector3 translation = origin.position;
  urdf::Rotation rotation = origin.rotation;
  if (segment.joint->type == urdf::Joint::PRISMATIC) {
    const urdf::Vector3 shift = rotation * urdf::Vector3(axis.x * position, axis.y * position, axis.z * position);
    translation = translation + shift;
  } else {
    const double s = std::sin(position * 0.5);
    rotation = rotation * urdf::Rotation(axis.x * s, axis.y * s, axis.z * s, std::cos(position * 0.5));
  }
  segment.transform.header.stamp = stamp;
  set_transform(translation, rotation, segment.transform);
  segment.last_sent = rclcpp::Time(stamp);
  batch_.push_back(segment.transform);
  for (const auto& mimic : segment.mimics) {
    const auto& rule = *segments_[mimic].joint->mimic;
    add(mimic, position * rule.multiplier + rule.offset, stamp);
  }
}

bool RobotStatePublisher::is_due(const sensor_msgs::msg::JointState& state, const rclcpp::Time& stamp) const {
  if (ignore_timestamp_ || stamp < last_stamp_) return true;  // the clock jumped back: start anew
  for (const auto& name : state.name) {
    const auto entry = segments_.find(name);
    if (entry != segments_.end() && stamp - entry->second.last_sent >= period_) return true;
  }
  return false;
}

void RobotStatePublisher::on_joint_states(const sensor_msgs::msg::JointState& state) {
  if (state.name.size() != state.position.size()) {
    RCLCPP_ERROR_THROTTLE(get_logger(), *get_clock(), 5000,
                          "A joint state with %zu names and %zu positions is ignored: they must be as many.",
                          state.name.size(), state.position.size());
    return;
  }
  const rclcpp::Time stamp(state.header.stamp, RCL_ROS_TIME);
  if (!is_due(state, stamp)) return;
  last_stamp_ = stamp;
  batch_.clear();
  for (size_t i = 0; i < state.name.size(); ++i) {
    const auto entry = segments_.find(state.name[i]);
    if (entry != segments_.end() && !entry->second.joint->mimic)
      add(state.name[i], state.position[i], state.header.stamp);
  }
  if (!batch_.empty()) broadcaster_->sendTransform(batch_);
}

rcl_interfaces::msg::SetParametersResult RobotStatePublisher::on_parameters(
    const std::vector<rclcpp::Parameter>& parameters) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  for (const auto& parameter : parameters) {
    if (parameter.get_name() == "robot_description") {
      try {
        use_model(parameter.as_string());
      } catch (const std::runtime_error& e) {
        result.successful = false;
        result.reason = e.what();
        return result;
      }
    } else if (parameter.get_name() == "publish_frequency") {
      const double frequency = parameter.as_double();
      period_ = rclcpp::Duration::from_seconds(frequency > 0.0 ? 1.0 / frequency : 0.0);
    } else if (parameter.get_name() == "ignore_timestamp") {
      ignore_timestamp_ = parameter.as_bool();
    } else if (parameter.get_name() == "frame_prefix") {
      frame_prefix_ = parameter.as_string();
      try {
        use_model(get_parameter("robot_description").as_string());
      } catch (const std::runtime_error& e) {
        result.successful = false;
        result.reason = e.what();
      }
    }
  }
  return result;
}

}  // namespace robot_state_publisher

RCLCPP_COMPONENTS_REGISTER_NODE(robot_state_publisher::RobotStatePublisher)
