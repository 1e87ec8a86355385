// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp_components/node_factory.hpp"

namespace rclcpp_components {

/// `NodeT` is made from NodeOptions and has `get_node_base_interface()`.
template <class NodeT>
class NodeFactoryTemplate : public NodeFactory {
 public:
  NodeInstanceWrapper create_node_instance(const rclcpp::NodeOptions& options) override {
    return NodeInstanceWrapper(std::make_shared<NodeT>(options), [](const std::shared_ptr<void>& node) {
      return std::static_pointer_cast<NodeT>(node)->get_node_base_interface();
    });
  }
};

}  // namespace rclcpp_components
