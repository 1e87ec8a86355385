// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/subscription_base.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeTopicsInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTopicsInterface)
  explicit NodeTopicsInterface(NodeBaseInterface::SharedPtr node_base) : node_base_(std::move(node_base)) {}

  void add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr callback_group) {
    subscription->start(node_base_->group_or_default(callback_group));
  }
  NodeBaseInterface* get_node_base_interface() const { return node_base_.get(); }
  std::string resolve_topic_name(const std::string& name, bool only_expand = false) const {
    return node_base_->resolve_topic_or_service_name(name, false, only_expand);
  }

 private:
  NodeBaseInterface::SharedPtr node_base_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
