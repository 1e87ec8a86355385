// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/qos.hpp"

namespace rclcpp_action {

/// The last list of states, also for clients that come later.
class DefaultActionStatusQoS : public rclcpp::QoS {
 public:
  DefaultActionStatusQoS() : rclcpp::QoS(1) { this->transient_local(); }
};

}  // namespace rclcpp_action
