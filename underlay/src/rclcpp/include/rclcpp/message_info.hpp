// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rmw/types.h"

namespace rclcpp {

/// When a message was sent and received, and by whom.
class MessageInfo {
 public:
  MessageInfo() : info_() {}
  MessageInfo(const rmw_message_info_t& info) : info_(info) {}  // NOLINT(runtime/explicit)
  virtual ~MessageInfo() = default;

  const rmw_message_info_t& get_rmw_message_info() const { return info_; }
  rmw_message_info_t& get_rmw_message_info() { return info_; }

 private:
  rmw_message_info_t info_;
};

}  // namespace rclcpp
