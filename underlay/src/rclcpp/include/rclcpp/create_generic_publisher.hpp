// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "rclcpp/generic_publisher.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {

template <typename AllocatorT = std::allocator<void>>
std::shared_ptr<GenericPublisher> create_generic_publisher(
    node_interfaces::NodeTopicsInterface::SharedPtr topics_interface, const std::string& topic_name,
    const std::string& topic_type, const QoS& qos,
    const PublisherOptionsWithAllocator<AllocatorT>& options = PublisherOptionsWithAllocator<AllocatorT>()) {
  return std::make_shared<GenericPublisher>(topics_interface->get_node_base_interface(),
                                            get_typesupport_library(topic_type, "rosidl_typesupport_cpp"), topic_name,
                                            topic_type, qos, options);
}

}  // namespace rclcpp
