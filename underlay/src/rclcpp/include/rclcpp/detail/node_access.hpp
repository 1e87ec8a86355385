// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "rclcpp/node_interfaces/get_node_base_interface.hpp"
#include "rclcpp/node_interfaces/get_node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/get_node_timers_interface.hpp"
#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"

namespace rclcpp {
namespace detail {

template <typename T, typename = void>
struct HasParameters : std::is_same<T, node_interfaces::NodeParametersInterface> {};
template <typename T>
struct HasParameters<T, std::void_t<decltype(std::declval<T&>().get_node_parameters_interface())>> : std::true_type {};

/// Null for something without parameters, such as the interface of its topics alone.
template <typename NodeT>
node_interfaces::NodeParametersInterface* parameters_of(NodeT& node) {
  if constexpr (IsPointer<NodeT>::value) {
    return parameters_of(*node);
  } else if constexpr (HasParameters<std::remove_cv_t<NodeT>>::value) {
    return node_interfaces::get_node_parameters_interface(node);
  } else {
    return nullptr;
  }
}

}  // namespace detail
}  // namespace rclcpp
