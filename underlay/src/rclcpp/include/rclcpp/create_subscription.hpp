// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/node_access.hpp"
#include "rclcpp/subscription.hpp"

namespace rclcpp {

/// `node` is anything with get_node_topics_interface(), or that interface itself.
template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
          typename SubscriptionT = Subscription<MessageT, AllocatorT>, typename NodeT>
std::shared_ptr<SubscriptionT> create_subscription(
    NodeT&& node, const std::string& topic_name, const QoS& qos, CallbackT&& callback,
    const SubscriptionOptionsWithAllocator<AllocatorT>& options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  auto& topics = detail::topics_of(node);
  auto subscription = std::make_shared<SubscriptionT>(topics.get_node_base_interface(), topic_name, qos,
                                                      std::forward<CallbackT>(callback), options);
  topics.add_subscription(subscription, options.callback_group);
  return subscription;
}

}  // namespace rclcpp
