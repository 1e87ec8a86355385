// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/detail/interface_of.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Of a node, or anything like one, that is given as an object or by pointer; the interface itself is handed back.
template <typename NodeT>
NodeTimersInterface* get_node_timers_interface(NodeT&& node) {
  return rclcpp::detail::interface_of<NodeTimersInterface>(
      node, [](auto& like_node) { return like_node.get_node_timers_interface(); });
}

}  // namespace node_interfaces
}  // namespace rclcpp
