// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <rclcpp/node_interfaces/node_base_interface.hpp>
#include <rclcpp/node_interfaces/node_timers_interface.hpp>
#include <rclcpp/timer.hpp>
#include <unordered_map>

#include "tf2_ros/create_timer_interface.h"

namespace tf2_ros {

/// Timers that an executor runs.
class CreateTimerROS : public CreateTimerInterface {
 public:
  CreateTimerROS(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
                 rclcpp::node_interfaces::NodeTimersInterface::SharedPtr node_timers,
                 rclcpp::CallbackGroup::SharedPtr callback_group = nullptr);

  TimerHandle createTimer(rclcpp::Clock::SharedPtr clock, const tf2::Duration& period,
                          TimerCallbackType callback) override;
  void cancel(const TimerHandle& timer_handle) override;
  void reset(const TimerHandle& timer_handle) override;
  void remove(const TimerHandle& timer_handle) override;

 private:
  rclcpp::TimerBase::SharedPtr find(const TimerHandle& timer_handle);

  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  rclcpp::node_interfaces::NodeTimersInterface::SharedPtr node_timers_;
  rclcpp::CallbackGroup::SharedPtr callback_group_;
  std::mutex mutex_;
  TimerHandle next_handle_ = 0;
  std::unordered_map<TimerHandle, rclcpp::TimerBase::SharedPtr> timers_;
};

}  // namespace tf2_ros
