// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/timer.hpp"

#include <stdexcept>

#include "arrival_callback.hpp"
#include "executor_queue.hpp"
#include "rclcpp/callback_group.hpp"

namespace rclcpp {

TimerBase::TimerBase(Clock::SharedPtr clock, std::chrono::nanoseconds period, Context::SharedPtr /*context*/)
    : clock_(std::move(clock)), resets_(std::make_shared<detail::ArrivalCallback>()) {
  if (!clock_) throw std::invalid_argument("a timer needs a clock");
  state_ = std::make_shared<detail::TimerState>(clock_, period.count());
}

TimerBase::~TimerBase() = default;

void TimerBase::start(const std::shared_ptr<CallbackGroup>& group) {
  state_->owner = weak_from_this();
  group->add(state_);
  if (clock_->get_clock_type() != RCL_ROS_TIME) return;
  const auto on_jump = [state = std::weak_ptr<detail::TimerState>(state_),
                        token = token()](const rcl_time_jump_t& jump) {
    const auto timer = state.lock();
    if (!timer) return;
    if (timer->jumped(jump)) {
      if (const auto group = timer->group.lock()) group->wake();
      token->wake_watcher();
    }
  };
  jump_handler_ = clock_->create_jump_callback(nullptr, on_jump, {true, {1}, {-1}});
  // A jump before there was a handler.
  if (state_->next - state_->now() > state_->period) {
    state_->restart();
    group->wake();
  }
}

bool TimerBase::execute() {
  if (state_->canceled) return false;
  run_callback();
  return true;
}

std::shared_ptr<void> TimerBase::call() {
  for (;;) {
    if (state_->canceled) return nullptr;
    const std::int64_t planned = state_->next;
    if (state_->advance(planned, state_->now())) return state_;  // else its clock jumped meanwhile
  }
}

void TimerBase::execute_callback(const std::shared_ptr<void>& /*data*/) {
  run_callback();
}

void TimerBase::set_on_reset_callback(std::function<void(std::size_t)> reset_callback) {
  resets_->set(std::move(reset_callback), "set_on_reset_callback");
}

void TimerBase::clear_on_reset_callback() {
  resets_->clear();
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
  token()->wake_watcher();
  resets_->arrived();
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
