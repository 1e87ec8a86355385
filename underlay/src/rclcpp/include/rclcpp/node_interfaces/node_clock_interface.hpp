// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeClockInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeClockInterface)
  explicit NodeClockInterface(Clock::SharedPtr clock) : clock_(std::move(clock)) {}

  Clock::SharedPtr get_clock() { return clock_; }
  Clock::ConstSharedPtr get_clock() const { return clock_; }

 private:
  Clock::SharedPtr clock_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
