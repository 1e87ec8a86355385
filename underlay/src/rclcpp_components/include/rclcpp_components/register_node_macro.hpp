// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp_components/component_library.hpp"
#include "rclcpp_components/node_factory_template.hpp"

#define RCLCPP_COMPONENTS_DETAIL_JOIN(a, b) a##b
#define RCLCPP_COMPONENTS_DETAIL_REGISTER(NodeClass, number)                                                           \
  static const ::rclcpp_components::detail::Registration RCLCPP_COMPONENTS_DETAIL_JOIN(                                \
      rclcpp_components_registration_, number)(#NodeClass, []() -> std::shared_ptr<::rclcpp_components::NodeFactory> { \
    return std::make_shared<::rclcpp_components::NodeFactoryTemplate<NodeClass>>();                                    \
  });
#define RCLCPP_COMPONENTS_DETAIL_REGISTER_EXPANDED(NodeClass, number) \
  RCLCPP_COMPONENTS_DETAIL_REGISTER(NodeClass, number)

/// Makes a node class, by its full name, available to containers. In one source of its library, outside all namespaces.
#define RCLCPP_COMPONENTS_REGISTER_NODE(NodeClass) RCLCPP_COMPONENTS_DETAIL_REGISTER_EXPANDED(NodeClass, __COUNTER__)
