// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "rclcpp/clock.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/detail/executable.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {

class CallbackGroup;
namespace detail {
struct TimerState;
class ArrivalCallback;
}  // namespace detail

/// Calls back at regular times of a clock. A late call is not made up for: the next one keeps the rhythm.
class TimerBase : public detail::Executable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(TimerBase)

  TimerBase(Clock::SharedPtr clock, std::chrono::nanoseconds period, Context::SharedPtr context);
  ~TimerBase() override;

  void cancel();
  bool is_canceled();
  /// Starts the period anew, also of a cancelled timer.
  void reset();
  bool is_ready();
  bool is_steady();
  /// Negative if the call is late; max() if the timer is cancelled.
  std::chrono::nanoseconds time_until_trigger();
  Clock::SharedPtr get_clock() const { return clock_; }

  // For who has an executor of his own, or a wait set.
  /// Says that the callback is about to be made, so that the next period begins. Empty if the timer is cancelled.
  std::shared_ptr<void> call();
  void execute_callback(const std::shared_ptr<void>& data = nullptr);
  /// `reset_callback` is called with how often the timer was reset, each time it is.
  void set_on_reset_callback(std::function<void(std::size_t)> reset_callback);
  void clear_on_reset_callback();

  bool execute() override;
  bool pending() override { return is_ready(); }
  void start(const std::shared_ptr<CallbackGroup>& group);

 protected:
  virtual void run_callback() = 0;

 private:
  Clock::SharedPtr clock_;
  std::shared_ptr<detail::TimerState> state_;
  JumpHandler::SharedPtr jump_handler_;
  std::shared_ptr<detail::ArrivalCallback> resets_;
};

template <typename FunctorT>
class GenericTimer : public TimerBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericTimer<FunctorT>)

  GenericTimer(Clock::SharedPtr clock, std::chrono::nanoseconds period, FunctorT callback, Context::SharedPtr context)
      : TimerBase(std::move(clock), period, std::move(context)), callback_(std::move(callback)) {}

 private:
  void run_callback() override {
    if constexpr (std::is_invocable_v<FunctorT&, TimerBase&>) {
      callback_(*this);
    } else {
      callback_();
    }
  }

  FunctorT callback_;
};

/// On the steady clock, whatever the node's clock does.
template <typename FunctorT>
class WallTimer : public GenericTimer<FunctorT> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(WallTimer<FunctorT>)

  WallTimer(std::chrono::nanoseconds period, FunctorT callback, Context::SharedPtr context)
      : GenericTimer<FunctorT>(std::make_shared<Clock>(RCL_STEADY_TIME), period, std::move(callback),
                               std::move(context)) {}
};

}  // namespace rclcpp
