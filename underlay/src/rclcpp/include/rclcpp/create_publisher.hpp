// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "rclcpp/detail/node_access.hpp"
#include "rclcpp/publisher.hpp"

namespace rclcpp {

/// `node` is anything with get_node_topics_interface(), or that interface itself.
template <typename MessageT, typename AllocatorT = std::allocator<void>,
          typename PublisherT = Publisher<MessageT, AllocatorT>, typename NodeT>
std::shared_ptr<PublisherT> create_publisher(
    NodeT&& node, const std::string& topic_name, const QoS& qos,
    const PublisherOptionsWithAllocator<AllocatorT>& options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return std::make_shared<PublisherT>(detail::topics_of(node).get_node_base_interface(), topic_name, qos, options);
}

}  // namespace rclcpp
