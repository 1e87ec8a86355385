// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <rclcpp/clock.hpp>
#include <stdexcept>
#include <string>

namespace tf2_ros {

using TimerHandle = uint64_t;
using TimerCallbackType = std::function<void(const TimerHandle&)>;

class CreateTimerInterfaceException : public std::runtime_error {
 public:
  explicit CreateTimerInterfaceException(const std::string& text) : std::runtime_error(text) {}
};

class InvalidTimerHandleException : public std::runtime_error {
 public:
  explicit InvalidTimerHandleException(const std::string& text) : std::runtime_error(text) {}
};

/// Makes the timers that end a wait for a transform.
class CreateTimerInterface {
 public:
  using SharedPtr = std::shared_ptr<CreateTimerInterface>;
  using ConstSharedPtr = std::shared_ptr<const CreateTimerInterface>;
  using UniquePtr = std::unique_ptr<CreateTimerInterface>;

  virtual ~CreateTimerInterface() = default;
  virtual TimerHandle createTimer(rclcpp::Clock::SharedPtr clock, const tf2::Duration& period,
                                  TimerCallbackType callback) = 0;
  virtual void cancel(const TimerHandle& timer_handle) = 0;
  virtual void reset(const TimerHandle& timer_handle) = 0;
  virtual void remove(const TimerHandle& timer_handle) = 0;
};

}  // namespace tf2_ros
