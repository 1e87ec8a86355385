// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_action/types.hpp"

#include <cstring>

namespace rclcpp_action {

std::string to_string(const GoalUUID& goal_id) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : goal_id) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace rclcpp_action

size_t std::hash<rclcpp_action::GoalUUID>::operator()(const rclcpp_action::GoalUUID& uuid) const noexcept {
  uint64_t halves[2];
  static_assert(sizeof(halves) == sizeof(uuid));
  std::memcpy(halves, uuid.data(), sizeof(halves));
  return static_cast<size_t>(halves[0] ^ (halves[1] * 0x9e3779b97f4a7c15u));
}
