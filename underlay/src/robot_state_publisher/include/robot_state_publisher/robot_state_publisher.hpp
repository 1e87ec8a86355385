// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/transform_stamped.hpp>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <vector>

#include "tf2_ros/static_transform_broadcaster.h"
#include "tf2_ros/transform_broadcaster.h"
#include "urdf/model.h"

namespace robot_state_publisher {

/// Turns `joint_states` into the transforms of the links of `robot_description`.
class RobotStatePublisher : public rclcpp::Node {
 public:
  explicit RobotStatePublisher(const rclcpp::NodeOptions& options);

 private:
  /// A joint that moves, with the transform that it sends.
  struct Segment {
    urdf::JointConstSharedPtr joint;
    geometry_msgs::msg::TransformStamped transform;
    rclcpp::Time last_sent{0, 0, RCL_ROS_TIME};
    std::vector<std::string> mimics;  // joints that copy this one
  };

  void use_model(const std::string& urdf);  // throws std::runtime_error with the reason
  void on_joint_states(const sensor_msgs::msg::JointState& state);
  bool is_due(const sensor_msgs::msg::JointState& state, const rclcpp::Time& stamp) const;
  void add(const std::string& joint, double position, const builtin_interfaces::msg::Time& stamp);
  void publish_fixed();
  rcl_interfaces::msg::SetParametersResult on_parameters(const std::vector<rclcpp::Parameter>& parameters);

  std::map<std::string, Segment> segments_;
  std::vector<geometry_msgs::msg::TransformStamped> fixed_;
  std::vector<geometry_msgs::msg::TransformStamped> batch_;  // of one message, reused
  std::string frame_prefix_;
  rclcpp::Duration period_{0, 0};
  bool ignore_timestamp_ = false;
  rclcpp::Time last_stamp_{0, 0, RCL_ROS_TIME};

  std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;
  std::unique_ptr<tf2_ros::StaticTransformBroadcaster> static_broadcaster_;
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr description_publisher_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr subscription_;
  OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
};

}  // namespace robot_state_publisher
