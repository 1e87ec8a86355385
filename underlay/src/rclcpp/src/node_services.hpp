// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp/detail/parameter_store.hpp"
#include "rclcpp/node.hpp"

namespace rclcpp {
namespace detail {

/// The six services by which others read and set a node's parameters, kept by the returned pointer.
std::shared_ptr<void> make_parameter_services(const node_interfaces::NodeBaseInterface::SharedPtr& node_base,
                                              const node_interfaces::NodeServicesInterface::SharedPtr& node_services,
                                              const std::shared_ptr<ParameterStore>& store);

/// Publishes what the node's logger writes on /rosout while the returned pointer lives.
std::shared_ptr<void> make_rosout(const node_interfaces::NodeTopicsInterface::SharedPtr& node_topics,
                                  const std::string& logger_name, const QoS& qos);

}  // namespace detail
}  // namespace rclcpp
