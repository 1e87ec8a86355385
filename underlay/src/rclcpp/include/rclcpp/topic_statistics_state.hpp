// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rclcpp {

enum class TopicStatisticsState { Enable, Disable, NodeDefault };

}  // namespace rclcpp
