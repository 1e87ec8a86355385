// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "rclcpp/macros.hpp"

namespace rclcpp {

/// A flag of the graph: set when something changed.
class Event {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Event)
  Event() = default;
  bool set() { return state_.exchange(true); }
  bool check() const { return state_; }
  bool check_and_clear() { return state_.exchange(false); }

 private:
  std::atomic_bool state_{false};
};

}  // namespace rclcpp
