// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/generic_subscription.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

template <typename AllocatorT = std::allocator<void>>
std::shared_ptr<GenericSubscription> create_generic_subscription(
    node_interfaces::NodeTopicsInterface::SharedPtr topics_interface, const std::string& topic_name,
    const std::string& topic_type, const QoS& qos, GenericSubscription::Callback callback,
    const SubscriptionOptionsWithAllocator<AllocatorT>& options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  auto subscription = std::make_shared<GenericSubscription>(
      topics_interface->get_node_base_interface(), get_typesupport_library(topic_type, "rosidl_typesupport_cpp"),
      topic_name, topic_type, qos, std::move(callback), options);
  topics_interface->add_subscription(subscription, options.callback_group);
  return subscription;
}

}  // namespace rclcpp
