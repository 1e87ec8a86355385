// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp_action/client.hpp"

namespace rclcpp_action {

/// Without a callback group the node's default one is used.
template <typename ActionT>
typename Client<ActionT>::SharedPtr create_client(
    rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_interface,
    rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph_interface,
    rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging_interface,
    rclcpp::node_interfaces::NodeWaitablesInterface::SharedPtr /*node_waitables_interface*/, const std::string& name,
    rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  auto client = std::make_shared<Client<ActionT>>(std::move(node_base_interface), std::move(node_graph_interface),
                                                  std::move(node_logging_interface), name);
  client->start(group);
  return client;
}

template <typename ActionT, typename NodeT>
typename Client<ActionT>::SharedPtr create_client(NodeT node, const std::string& name,
                                                  rclcpp::CallbackGroup::SharedPtr group = nullptr) {
  return rclcpp_action::create_client<ActionT>(node->get_node_base_interface(), node->get_node_graph_interface(),
                                               node->get_node_logging_interface(), node->get_node_waitables_interface(),
                                               name, std::move(group));
}

}  // namespace rclcpp_action
