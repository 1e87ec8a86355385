// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/node_access.hpp"
#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/subscription.hpp"

namespace rclcpp {
namespace detail {

template <typename SubscriptionT, typename CallbackT, typename Options>
std::shared_ptr<SubscriptionT> make_subscription(node_interfaces::NodeParametersInterface* parameters,
                                                 node_interfaces::NodeTopicsInterface& topics,
                                                 const std::string& topic_name, const QoS& qos, CallbackT&& callback,
                                                 const Options& options) {
  const QoS chosen = override_qos(options.qos_overriding_options, parameters, topics.resolve_topic_name(topic_name),
                                  qos, EndpointKind::Subscription);
  auto subscription = std::make_shared<SubscriptionT>(topics.get_node_base_interface(), topic_name, chosen,
                                                      std::forward<CallbackT>(callback), options);
  topics.add_subscription(subscription, options.callback_group);
  return subscription;
}

}  // namespace detail

/// `node` is anything with get_node_topics_interface(), or that interface itself.
template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
          typename SubscriptionT = Subscription<MessageT, AllocatorT>, typename NodeT>
std::shared_ptr<SubscriptionT> create_subscription(
    NodeT&& node, const std::string& topic_name, const QoS& qos, CallbackT&& callback,
    const SubscriptionOptionsWithAllocator<AllocatorT>& options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  return detail::make_subscription<SubscriptionT>(detail::parameters_of(node),
                                                  *node_interfaces::get_node_topics_interface(node), topic_name, qos,
                                                  std::forward<CallbackT>(callback), options);
}

/// With the two interfaces apart, for something that is not a whole node.
template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
          typename SubscriptionT = Subscription<MessageT, AllocatorT>, typename NodeParametersT, typename NodeTopicsT>
std::shared_ptr<SubscriptionT> create_subscription(
    NodeParametersT& node_parameters, NodeTopicsT& node_topics, const std::string& topic_name, const QoS& qos,
    CallbackT&& callback,
    const SubscriptionOptionsWithAllocator<AllocatorT>& options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
  return detail::make_subscription<SubscriptionT>(detail::parameters_of(node_parameters),
                                                  *node_interfaces::get_node_topics_interface(node_topics), topic_name,
                                                  qos, std::forward<CallbackT>(callback), options);
}

}  // namespace rclcpp
