// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rclcpp {

enum class WaitResultKind {
  Ready,    // at least one entity
  Timeout,  // the time was over, or the context was shut down
  Empty,    // there was nothing to wait for
};

}  // namespace rclcpp
