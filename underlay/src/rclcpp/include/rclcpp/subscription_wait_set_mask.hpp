// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rclcpp {

/// Which parts of a subscription a wait set waits for.
class SubscriptionWaitSetMask {
 public:
  bool include_subscription = true;
  bool include_events = true;
  /// Messages of the same process come through the subscription itself here, so this part is empty.
  bool include_intra_process_waitable = true;
};

}  // namespace rclcpp
