// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/timer.hpp"

#include <stdexcept>

#include "executor_queue.hpp"
#include "rclcpp/callback_group.hpp"

namespace rclcpp {

TimerBase::TimerBase(Clock::SharedPtr clock, std::chrono::nanoseconds period, Context::SharedPtr /*context*/)
    : clock_(std::move(clock)) {
  if (!clock_) throw std::invalid_argument("a timer needs a clock");
  state_ = std::make_shared<detail::TimerState>(clock_, period.count());
}

TimerBase::~TimerBase() = default;

void TimerBase::start(const std::shared_ptr<CallbackGroup>& group) {
  state_->owner = weak_from_this();
  group->add(state_);
  if (clock_->get_clock_type() != RCL_ROS_TIME) return;
  const auto on_jump = [state = std::weak_ptr<detail::TimerState>(state_)](const rcl_time_jump_t& jump) {
    const auto timer = state.lock();
    if (!timer) return;
    const bool switched = jump.clock_change != RCL_ROS_TIME_NO_CHANGE;
    const std::int64_t now = timer->now();
    // Backwards, or onto another time line: what was planned has no meaning any more.
    if (switched || timer->next - now > timer->period) timer->next = now + timer->period;
    if (switched || timer->due(now)) {
      if (const auto group = timer->group.lock()) group->wake();
    }
  };
  jump_handler_ = clock_->create_jump_callback(nullptr, on_jump, {true, {1}, {-1}});
}

bool TimerBase::execute() {
  if (state_->canceled) return false;
  execute_callback();
  return true;
}

void TimerBase::cancel() {
  state_->canceled = true;
}

bool TimerBase::is_canceled() {
  return state_->canceled;
}

void TimerBase::reset() {
  state_->next = state_->now() + state_->period;
  state_->canceled = false;
  if (const auto group = state_->group.lock()) group->wake();
}

bool TimerBase::is_ready() {
  return state_->due(state_->now());
}

bool TimerBase::is_steady() {
  return clock_->get_clock_type() == RCL_STEADY_TIME;
}

std::chrono::nanoseconds TimerBase::time_until_trigger() {
  if (state_->canceled) return std::chrono::nanoseconds::max();
  return std::chrono::nanoseconds(state_->next - state_->now());
}

}  // namespace rclcpp
