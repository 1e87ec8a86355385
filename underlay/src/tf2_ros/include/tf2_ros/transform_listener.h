// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2/buffer_core.h>

#include <memory>
#include <rclcpp/executors.hpp>
#include <rclcpp/rclcpp.hpp>
#include <tf2_msgs/msg/tf_message.hpp>
#include <thread>

#include "tf2_ros/qos.hpp"

namespace tf2_ros {

namespace detail {

template <class AllocatorT = std::allocator<void>>
rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> get_default_transform_listener_sub_options() {
  return {};
}

/// The node's setting holds, as in Humble: in a node with intra-process communication the latched /tf_static throws,
/// and the caller gives options in which it is disabled.
template <class AllocatorT = std::allocator<void>>
rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> get_default_transform_listener_static_sub_options() {
  return {};
}

}  // namespace detail

/// Fills a buffer from /tf and /tf_static. With `spin_thread` (the default) it does so in a thread of its own, so that
/// lookups with a time-out work in any callback; otherwise the node's executor does.
class TransformListener {
 public:
  /// With a node of its own, which takes no remappings of yours: prefer the constructor with a node.
  explicit TransformListener(tf2::BufferCore& buffer, bool spin_thread = true);

  template <class NodeT, class AllocatorT = std::allocator<void>>
  TransformListener(tf2::BufferCore& buffer, NodeT&& node, bool spin_thread = true,
                    const rclcpp::QoS& qos = DynamicListenerQoS(), const rclcpp::QoS& static_qos = StaticListenerQoS(),
                    const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>& options =
                        detail::get_default_transform_listener_sub_options<AllocatorT>(),
                    const rclcpp::SubscriptionOptionsWithAllocator<AllocatorT>& static_options =
                        detail::get_default_transform_listener_static_sub_options<AllocatorT>())
      : buffer_(buffer) {
    init(node, spin_thread, qos, static_qos, options, static_options);
  }

  virtual ~TransformListener();

 private:
  template <class NodeT, class AllocatorT>
  void init(NodeT&& node, bool spin_thread, const rclcpp::QoS& qos, const rclcpp::QoS& static_qos,
            rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> options,
            rclcpp::SubscriptionOptionsWithAllocator<AllocatorT> static_options) {
    const auto base = node->get_node_base_interface();
    if (spin_thread) {
      callback_group_ = base->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
      options.callback_group = callback_group_;
      static_options.callback_group = callback_group_;
    }
    using Message = tf2_msgs::msg::TFMessage;
    subscription_ = rclcpp::create_subscription<Message>(
        node, "/tf", qos, [this](Message::ConstSharedPtr message) { take(*message, false); }, options);
    static_subscription_ = rclcpp::create_subscription<Message>(
        node, "/tf_static", static_qos, [this](Message::ConstSharedPtr message) { take(*message, true); },
        static_options);
    if (spin_thread) start_thread(base);
  }

  void take(const tf2_msgs::msg::TFMessage& message, bool is_static);
  void start_thread(const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr& base);

  tf2::BufferCore& buffer_;
  rclcpp::Node::SharedPtr own_node_;
  rclcpp::CallbackGroup::SharedPtr callback_group_;
  rclcpp::Subscription<tf2_msgs::msg::TFMessage>::SharedPtr subscription_;
  rclcpp::Subscription<tf2_msgs::msg::TFMessage>::SharedPtr static_subscription_;
  rclcpp::executors::SingleThreadedExecutor::SharedPtr executor_;
  std::thread thread_;
};

}  // namespace tf2_ros
