// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/detail/interface_of.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Of a node, or anything like one, that is given as an object or by pointer; the interface itself is handed back.
template <typename NodeT>
NodeBaseInterface* get_node_base_interface(NodeT&& node) {
  return rclcpp::detail::interface_of<NodeBaseInterface>(
      node, [](auto& like_node) { return like_node.get_node_base_interface(); });
}

}  // namespace node_interfaces
}  // namespace rclcpp
