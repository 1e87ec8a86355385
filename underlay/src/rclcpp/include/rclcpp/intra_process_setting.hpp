// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rclcpp {

/// Whether a message may be handed over within the process instead of being copied.
enum class IntraProcessSetting { Enable, Disable, NodeDefault };

}  // namespace rclcpp
