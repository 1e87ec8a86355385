// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/transform_stamped.hpp>
#include <rclcpp/create_publisher.hpp>
#include <rclcpp/publisher_options.hpp>
#include <tf2_msgs/msg/tf_message.hpp>
#include <vector>

#include "tf2_ros/qos.hpp"

namespace tf2_ros {

/// Sends transforms that never change to /tf_static, where late listeners find them. Every message holds all transforms
/// sent so far. In a node with intra-process communication the options must disable it, as in Humble: latched topics
/// cannot be shared within a process.
class StaticTransformBroadcaster {
 public:
  template <class NodeT, class AllocatorT = std::allocator<void>>
  explicit StaticTransformBroadcaster(NodeT&& node, const rclcpp::QoS& qos = StaticBroadcasterQoS(),
                                      const rclcpp::PublisherOptionsWithAllocator<AllocatorT>& options =
                                          rclcpp::PublisherOptionsWithAllocator<AllocatorT>())
      : publisher_(rclcpp::create_publisher<tf2_msgs::msg::TFMessage>(node, "/tf_static", qos, options)) {}

  void sendTransform(const geometry_msgs::msg::TransformStamped& transform);
  void sendTransform(const std::vector<geometry_msgs::msg::TransformStamped>& transforms);

 private:
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr publisher_;
  tf2_msgs::msg::TFMessage all_;
};

}  // namespace tf2_ros
