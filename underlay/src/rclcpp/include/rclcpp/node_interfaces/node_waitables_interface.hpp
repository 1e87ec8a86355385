// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeWaitablesInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeWaitablesInterface)
  explicit NodeWaitablesInterface(NodeBaseInterface::SharedPtr node_base) : node_base_(std::move(node_base)) {}

  void add_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) {
    waitable->join(node_base_->group_or_default(group));
  }

 private:
  NodeBaseInterface::SharedPtr node_base_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
