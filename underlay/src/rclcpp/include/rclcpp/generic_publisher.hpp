// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// Publishes messages that are bytes already, of a type known by its name only.
class GenericPublisher : public PublisherBase {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(GenericPublisher)

  GenericPublisher(node_interfaces::NodeBaseInterface* node_base, std::shared_ptr<rcpputils::SharedLibrary> library,
                   const std::string& topic_name, const std::string& topic_type, const QoS& qos,
                   const PublisherOptionsBase& options)
      : PublisherBase(node_base, topic_name, detail::ops_of(topic_type, *library), qos, options) {}

  void publish(const SerializedMessage& message) { publish_serialized(message.get_rcl_serialized_message()); }
};

}  // namespace rclcpp
