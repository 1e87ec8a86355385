// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace rclcpp {
namespace detail {

/// What somebody who has an executor of his own wants to be told of arriving messages, requests, events.
class ArrivalCallback {
 public:
  void arrived() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (callback_) {
      callback_(1);
    } else {
      ++untold_;
    }
  }
  /// `setter` is what the user called, for the error about an empty callback.
  void set(std::function<void(std::size_t)> callback, const char* setter) {
    if (!callback) {
      throw std::invalid_argument("The callback passed to " + std::string(setter) + " is not callable.");
    }
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    callback_ = std::move(callback);
    if (untold_ > 0) callback_(std::exchange(untold_, 0));
  }
  void clear() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    callback_ = nullptr;
  }

 private:
  std::recursive_mutex mutex_;  // the callback may replace itself
  std::function<void(std::size_t)> callback_;
  std::size_t untold_ = 0;
};

}  // namespace detail
}  // namespace rclcpp
