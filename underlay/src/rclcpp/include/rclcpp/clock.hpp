// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "rcl/time.h"
#include "rclcpp/duration.hpp"
#include "rclcpp/time.hpp"

namespace rclcpp {

class Context;
namespace detail {
struct ClockOverride;
}

/// What to call when a clock jumps; alive as long as somebody holds the pointer that create_jump_callback returned.
class JumpHandler {
 public:
  using SharedPtr = std::shared_ptr<JumpHandler>;
  using pre_callback_t = std::function<void()>;
  using post_callback_t = std::function<void(const rcl_time_jump_t&)>;

  JumpHandler(pre_callback_t pre, post_callback_t post, const rcl_jump_threshold_t& threshold);

  pre_callback_t pre_callback;
  post_callback_t post_callback;
  rcl_jump_threshold_t notice_threshold;
};

/// Reads one of the three clocks. A ROS clock shows system time until a time source switches it to simulated time.
/// Safe to use from several threads.
class Clock {
 public:
  using SharedPtr = std::shared_ptr<Clock>;
  using ConstSharedPtr = std::shared_ptr<const Clock>;
  using WeakPtr = std::weak_ptr<Clock>;
  using UniquePtr = std::unique_ptr<Clock>;
  template <class... Args>
  static SharedPtr make_shared(Args&&... args) {
    return std::make_shared<Clock>(std::forward<Args>(args)...);
  }

  explicit Clock(rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);
  virtual ~Clock();
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  Time now() const;
  rcl_clock_type_t get_clock_type() const noexcept;

  /// True if the clock shows simulated time; throws for clocks that are not RCL_ROS_TIME.
  bool ros_time_is_active();

  /// Sleeps on this clock. False if the context was shut down or the clock changed between real and simulated time
  /// before the time came. Without a context the default one counts.
  bool sleep_until(Time until, std::shared_ptr<Context> context = nullptr);
  bool sleep_for(Duration rel_time, std::shared_ptr<Context> context = nullptr);

  /// A simulated clock starts when its first time arrives, every other clock is always started.
  bool started();
  bool wait_until_started(std::shared_ptr<Context> context = nullptr);
  bool wait_until_started(const Duration& timeout, std::shared_ptr<Context> context = nullptr,
                          const Duration& wait_tick_ns = Duration(0, 10'000'000));

  /// Callbacks run in the thread that moves the clock, before and after the jump, one jump at a time. Once the
  /// returned pointer has been released by its last owner no callback runs any more.
  JumpHandler::SharedPtr create_jump_callback(JumpHandler::pre_callback_t pre_callback,
                                              JumpHandler::post_callback_t post_callback,
                                              const rcl_jump_threshold_t& threshold);

 private:
  friend struct detail::ClockOverride;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

namespace detail {

/// The handle by which a time source (and only it) moves ROS clocks. Each call throws for other clock types.
struct ClockOverride {
  static void enable(Clock& clock);  // shows 0 until the first set
  static void set(Clock& clock, rcl_time_point_value_t nanoseconds);
  static void disable(Clock& clock);
};

}  // namespace detail
}  // namespace rclcpp
