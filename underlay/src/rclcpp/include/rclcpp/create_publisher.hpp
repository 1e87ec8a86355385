// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "rclcpp/detail/node_access.hpp"
#include "rclcpp/detail/qos_parameters.hpp"
#include "rclcpp/publisher.hpp"

namespace rclcpp {
namespace detail {

template <typename PublisherT, typename Options>
std::shared_ptr<PublisherT> make_publisher(node_interfaces::NodeParametersInterface* parameters,
                                           node_interfaces::NodeTopicsInterface& topics, const std::string& topic_name,
                                           const QoS& qos, const Options& options) {
  const QoS chosen = override_qos(options.qos_overriding_options, parameters, topics.resolve_topic_name(topic_name),
                                  qos, EndpointKind::Publisher);
  return std::make_shared<PublisherT>(topics.get_node_base_interface(), topic_name, chosen, options);
}

}  // namespace detail

/// `node` is anything with get_node_topics_interface(), or that interface itself.
template <typename MessageT, typename AllocatorT = std::allocator<void>,
          typename PublisherT = Publisher<MessageT, AllocatorT>, typename NodeT>
std::shared_ptr<PublisherT> create_publisher(
    NodeT&& node, const std::string& topic_name, const QoS& qos,
    const PublisherOptionsWithAllocator<AllocatorT>& options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return detail::make_publisher<PublisherT>(
      detail::parameters_of(node), *node_interfaces::get_node_topics_interface(node), topic_name, qos, options);
}

/// With the two interfaces apart, for something that is not a whole node.
template <typename MessageT, typename AllocatorT = std::allocator<void>,
          typename PublisherT = Publisher<MessageT, AllocatorT>, typename NodeParametersT, typename NodeTopicsT>
std::shared_ptr<PublisherT> create_publisher(
    NodeParametersT& node_parameters, NodeTopicsT& node_topics, const std::string& topic_name, const QoS& qos,
    const PublisherOptionsWithAllocator<AllocatorT>& options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return detail::make_publisher<PublisherT>(detail::parameters_of(node_parameters),
                                            *node_interfaces::get_node_topics_interface(node_topics), topic_name, qos,
                                            options);
}

}  // namespace rclcpp
