// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <memory>
#include <nav_msgs/msg/path.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>

#include "hl_node/diagnostics.hpp"
#include "hl_node/node_parameters.hpp"
#include "messages.hpp"

namespace hl_path_planning {

/// What the node itself has to know besides the planner's parameters.
struct NodeSettings {
  double rate = 25.0;  // Hz
  std::string field;   // preset; empty = the file's default
  WalkingLimits limits;

  std::optional<std::string> validate() const;
};
const hl_node::ParameterTable<NodeSettings>& node_settings();

/// Serves the action `navigate` and takes `goal_pose` from people; says `cmd_vel`.
class PlanningNode : public rclcpp::Node {
 public:
  explicit PlanningNode(const rclcpp::NodeOptions& options);

 private:
  using Navigate = humanoid_league_msgs::action::Navigate;
  using Handle = rclcpp_action::ServerGoalHandle<Navigate>;

  void on_goal(const std::shared_ptr<Handle>& handle);
  void on_goal_pose(const geometry_msgs::msg::PoseStamped& message);
  void on_pose(const geometry_msgs::msg::PoseWithCovarianceStamped& message);
  void look_up_poses();
  void tick();
  void publish_path(const Planner::Outputs& outputs);
  void finish(const Result& result);
  void diagnose();

  hl_node::NodeParameters<NodeSettings> settings_;
  hl_node::NodeParameters<Params> parameters_;
  Planner planner_;
  Planner::Inputs inputs_;
  hl_soccer::Model personal_, team_;
  double pose_message_stamp_ = -1e9;  // s
  bool pose_known_ = true;            // what the covariance of `pose` says
  std::string tf_fault_;              // why there is no pose; empty = there is one
  std::string last_result_ = "none yet";
  std::shared_ptr<Handle> handle_;
  nav_msgs::msg::Path path_;

  tf2_ros::Buffer tf_buffer_;
  tf2_ros::TransformListener tf_listener_;
  hl_node::Diagnostics diagnostics_;
  rclcpp_action::Server<Navigate>::SharedPtr server_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr command_;
  rclcpp::Publisher<nav_msgs::msg::Path>::SharedPtr path_publisher_;
  rclcpp::TimerBase::SharedPtr timer_, diagnosis_timer_;
};

}  // namespace hl_path_planning
