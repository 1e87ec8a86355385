// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace rclcpp_action {
namespace exceptions {

class UnknownGoalHandleError : public std::invalid_argument {
 public:
  UnknownGoalHandleError() : std::invalid_argument("Goal handle is not known to this client.") {}
};

class UnawareGoalHandleError : public std::runtime_error {
 public:
  explicit UnawareGoalHandleError(const std::string& message = "Goal handle is not tracking the goal result.")
      : std::runtime_error(message) {}
};

}  // namespace exceptions
}  // namespace rclcpp_action
