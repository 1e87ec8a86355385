// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

namespace rclcpp {
namespace detail {

template <typename T, typename = void>
struct IsPointer : std::false_type {};
template <typename T>
struct IsPointer<T, std::void_t<decltype(*std::declval<T&>())>> : std::true_type {};

/// The interface of something that is given as an object, by any kind of pointer, or as the interface itself. `get`
/// asks an object for it, which answers with any kind of pointer.
template <typename InterfaceT, typename NodeT, typename GetT>
InterfaceT* interface_of(NodeT& node, GetT get) {
  if constexpr (IsPointer<NodeT>::value) {
    return interface_of<InterfaceT>(*node, get);
  } else if constexpr (std::is_same_v<std::remove_cv_t<NodeT>, InterfaceT>) {
    return &node;
  } else {
    return &*get(node);
  }
}

}  // namespace detail
}  // namespace rclcpp
