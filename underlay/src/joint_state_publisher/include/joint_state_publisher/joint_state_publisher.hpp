// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <vector>

#include "joint_state_publisher/joint_positions.hpp"

namespace joint_state_publisher {

/// Publishes a position for every joint of the robot: its zero, or what `zeros.<joint>` or another topic says.
class JointStatePublisher : public rclcpp::Node {
 public:
  /// The model is the file's, if one is named; else the parameter's; else the topic's. Throws if it is no valid URDF.
  explicit JointStatePublisher(const std::string& urdf_file = "");

  JointPositions& joints() { return joints_; }
  /// How many models there have been; another number tells that `joints()` are others.
  int models() const { return models_; }

 private:
  JointPositions::Options read_options();
  double number(const std::string& name, double otherwise);
  bool use_model(const std::string& text);
  rcl_interfaces::msg::SetParametersResult on_parameters(const std::vector<rclcpp::Parameter>& parameters);
  void merge(const sensor_msgs::msg::JointState& state);
  void publish();

  JointPositions::Options options_;
  JointPositions joints_;
  int models_ = 0;
  sensor_msgs::msg::JointState message_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr publisher_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr description_subscription_;
  std::vector<rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr> sources_;
  OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// The body of main: the arguments of the command line, and what to do with the node until the program ends.
/// Returns the exit code; errors are named on standard error.
int run(int argc, char** argv, const std::function<void(const std::shared_ptr<JointStatePublisher>&)>& body);

}  // namespace joint_state_publisher
