// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "action_msgs/msg/goal_info.hpp"
#include "action_msgs/msg/goal_status.hpp"

namespace rclcpp_action {

using GoalUUID = std::array<uint8_t, 16>;
using GoalStatus = action_msgs::msg::GoalStatus;
using GoalInfo = action_msgs::msg::GoalInfo;

/// How a goal ended.
enum class ResultCode : int8_t {
  UNKNOWN = GoalStatus::STATUS_UNKNOWN,  // the server does not know the goal (any more)
  SUCCEEDED = GoalStatus::STATUS_SUCCEEDED,
  CANCELED = GoalStatus::STATUS_CANCELED,
  ABORTED = GoalStatus::STATUS_ABORTED
};

/// As hexadecimal digits.
std::string to_string(const GoalUUID& goal_id);

}  // namespace rclcpp_action

namespace std {
template <>
struct hash<rclcpp_action::GoalUUID> {
  size_t operator()(const rclcpp_action::GoalUUID& uuid) const noexcept;
};
}  // namespace std
