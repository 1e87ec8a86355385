// SPDX-License-Identifier: Apache-2.0
#include "tf2_ros/create_timer_ros.h"

#include <rclcpp/create_timer.hpp>

namespace tf2_ros {

CreateTimerROS::CreateTimerROS(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
                               rclcpp::node_interfaces::NodeTimersInterface::SharedPtr node_timers,
                               rclcpp::CallbackGroup::SharedPtr callback_group)
    : node_base_(std::move(node_base)),
      node_timers_(std::move(node_timers)),
      callback_group_(std::move(callback_group)) {}

TimerHandle CreateTimerROS::createTimer(rclcpp::Clock::SharedPtr clock, const tf2::Duration& period,
                                        TimerCallbackType callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  const TimerHandle handle = next_handle_++;
  timers_[handle] = rclcpp::create_timer<std::function<void()>>(
      node_base_, node_timers_, std::move(clock), rclcpp::Duration(period),
      [this, handle, callback = std::move(callback)] {
        cancel(handle);  // once only
        callback(handle);
      },
      callback_group_);
  return handle;
}

rclcpp::TimerBase::SharedPtr CreateTimerROS::find(const TimerHandle& timer_handle) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto timer = timers_.find(timer_handle);
  if (timer == timers_.end()) throw InvalidTimerHandleException("there is no such timer");
  return timer->second;
}

void CreateTimerROS::cancel(const TimerHandle& timer_handle) {
  find(timer_handle)->cancel();
}
void CreateTimerROS::reset(const TimerHandle& timer_handle) {
  find(timer_handle)->reset();
}

void CreateTimerROS::remove(const TimerHandle& timer_handle) {
  cancel(timer_handle);
  std::lock_guard<std::mutex> lock(mutex_);
  timers_.erase(timer_handle);
}

}  // namespace tf2_ros
