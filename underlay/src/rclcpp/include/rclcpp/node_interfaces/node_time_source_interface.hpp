// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "rclcpp/macros.hpp"

namespace rclcpp {

class TimeSource;

namespace node_interfaces {

/// Keeps what moves the node's clock; it has no functions, in ROS 2 neither.
class NodeTimeSourceInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeTimeSourceInterface)
  explicit NodeTimeSourceInterface(std::shared_ptr<TimeSource> time_source) : time_source_(std::move(time_source)) {}

 private:
  std::shared_ptr<TimeSource> time_source_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
