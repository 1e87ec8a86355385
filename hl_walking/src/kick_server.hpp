// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <humanoid_league_msgs/action/kick.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <string>

#include "hl_walking/controller.hpp"

namespace hl_walking {

/// The action `kick`: goals in any frame, one at a time; what cannot be kicked ends with a reason.
class KickServer {
 public:
  /// Both must outlive it.
  KickServer(rclcpp::Node& node, Controller& controller);

  /// Feedback and result of the kick under way; after every update of the controller.
  void follow();
  /// Time went back: forget where the robot was.
  void forget() { tf_buffer_.clear(); }

 private:
  using Action = humanoid_league_msgs::action::Kick;
  using Handle = rclcpp_action::ServerGoalHandle<Action>;

  KickGoal in_footprint(const Action::Goal& goal) const;
  void begin(const std::shared_ptr<Handle>& handle);
  void finish(const std::shared_ptr<Handle>& handle, bool successful, const std::string& message);
  void follow_in_walk();

  rclcpp::Node& node_;
  Controller& controller_;
  tf2_ros::Buffer tf_buffer_;
  tf2_ros::TransformListener tf_listener_;
  rclcpp_action::Server<Action>::SharedPtr server_;
  std::shared_ptr<Handle> handle_;  // of the kick under way
  std::uint8_t percent_ = 0;        // last told
};

}  // namespace hl_walking
