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
    if (timer->jumped(jump)) {
      if (const auto group = timer->group.lock()) group->wake();
    }
  };
  jump_handler_ = clock_->create_jump_callback(nullptr, on_jump, {true, {1}, {-1}});
  // A jump before there was a handler.
  if (state_->next - state_->now() > state_->period) reset();
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
  state_->restart();
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
