// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/timer.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeTimersInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimersInterface)
  explicit NodeTimersInterface(NodeBaseInterface::SharedPtr node_base) : node_base_(std::move(node_base)) {}

  void add_timer(TimerBase::SharedPtr timer, CallbackGroup::SharedPtr callback_group) {
    timer->start(node_base_->group_or_default(callback_group));
  }

 private:
  NodeBaseInterface::SharedPtr node_base_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
