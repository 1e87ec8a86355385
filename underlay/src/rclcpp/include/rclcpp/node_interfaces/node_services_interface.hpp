// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "rclcpp/client.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/service.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeServicesInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeServicesInterface)
  explicit NodeServicesInterface(NodeBaseInterface::SharedPtr node_base) : node_base_(std::move(node_base)) {}

  void add_client(ClientBase::SharedPtr client, CallbackGroup::SharedPtr group) {
    client->start(node_base_->group_or_default(group));
  }
  void add_service(ServiceBase::SharedPtr service, CallbackGroup::SharedPtr group) {
    service->start(node_base_->group_or_default(group));
  }
  std::string resolve_service_name(const std::string& name, bool only_expand = false) const {
    return node_base_->resolve_topic_or_service_name(name, true, only_expand);
  }

 private:
  NodeBaseInterface::SharedPtr node_base_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
