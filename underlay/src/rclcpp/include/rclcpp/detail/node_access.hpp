// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

namespace rclcpp {
namespace detail {

template <typename T, typename = void>
struct IsPointer : std::false_type {};
template <typename T>
struct IsPointer<T, std::void_t<decltype(*std::declval<T&>())>> : std::true_type {};

/// The interface of a node that is given as an object, by pointer, or as the interface itself.
template <typename NodeT>
node_interfaces::NodeTopicsInterface& topics_of(NodeT& node) {
  using Plain = std::remove_cv_t<NodeT>;
  if constexpr (IsPointer<NodeT>::value) {
    return topics_of(*node);
  } else if constexpr (std::is_same_v<Plain, node_interfaces::NodeTopicsInterface>) {
    return node;
  } else {
    return *node.get_node_topics_interface();
  }
}

template <typename NodeT>
node_interfaces::NodeBaseInterface& base_of(NodeT& node) {
  using Plain = std::remove_cv_t<NodeT>;
  if constexpr (IsPointer<NodeT>::value) {
    return base_of(*node);
  } else if constexpr (std::is_same_v<Plain, node_interfaces::NodeBaseInterface>) {
    return node;
  } else {
    return *node.get_node_base_interface();
  }
}

template <typename T, typename = void>
struct HasParameters : std::false_type {};
template <typename T>
struct HasParameters<T, std::void_t<decltype(std::declval<T&>().get_node_parameters_interface())>> : std::true_type {};

/// Null for something without parameters, such as the interface of its topics alone.
template <typename NodeT>
node_interfaces::NodeParametersInterface* parameters_of(NodeT& node) {
  using Plain = std::remove_cv_t<NodeT>;
  if constexpr (IsPointer<NodeT>::value) {
    return parameters_of(*node);
  } else if constexpr (std::is_same_v<Plain, node_interfaces::NodeParametersInterface>) {
    return &node;
  } else if constexpr (HasParameters<NodeT>::value) {
    return &*node.get_node_parameters_interface();
  } else {
    return nullptr;
  }
}

template <typename NodeT>
node_interfaces::NodeTimersInterface& timers_of(NodeT& node) {
  using Plain = std::remove_cv_t<NodeT>;
  if constexpr (IsPointer<NodeT>::value) {
    return timers_of(*node);
  } else if constexpr (std::is_same_v<Plain, node_interfaces::NodeTimersInterface>) {
    return node;
  } else {
    return *node.get_node_timers_interface();
  }
}

}  // namespace detail
}  // namespace rclcpp
