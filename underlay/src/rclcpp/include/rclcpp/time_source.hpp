// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

namespace detail {
struct NodeIdentity;
}

/// Moves ROS clocks by the messages on `/clock` while `use_sim_time` is true. The clocks move in the middleware's
/// thread, so that a callback that sleeps on the clock does not stop it.
class TimeSource {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(TimeSource)
  RCLCPP_DISABLE_COPY(TimeSource)

  explicit TimeSource(std::shared_ptr<detail::NodeIdentity> node, const QoS& qos = ClockQoS());
  ~TimeSource();

  /// Also makes the clock follow if the source is active. Throws std::invalid_argument for a clock that is not
  /// RCL_ROS_TIME.
  void attachClock(Clock::SharedPtr clock);
  void detachClock(Clock::SharedPtr clock);

  /// The parameter `use_sim_time`.
  void use_sim_time(bool active);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rclcpp
