// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "builtin_interfaces/msg/duration.hpp"
#include "rcl/time.h"

namespace rclcpp {

/// A signed span of time with nanosecond resolution. Arithmetic that leaves 64 bits throws std::overflow_error or
/// std::underflow_error.
class Duration {
 public:
  Duration(int32_t seconds, uint32_t nanoseconds);
  explicit Duration(std::chrono::nanoseconds nanoseconds) : nanoseconds_(nanoseconds.count()) {}
  template <class Rep, class Period>
  Duration(const std::chrono::duration<Rep, Period>& duration)  // NOLINT(runtime/explicit)
      : nanoseconds_(std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count()) {}
  Duration(const builtin_interfaces::msg::Duration& message);  // NOLINT(runtime/explicit)
  explicit Duration(const rcl_duration_t& duration) : nanoseconds_(duration.nanoseconds) {}
  Duration(const Duration&) = default;
  Duration& operator=(const Duration&) = default;
  Duration& operator=(const builtin_interfaces::msg::Duration& message) { return *this = Duration(message); }

  static Duration from_seconds(double seconds);
  static Duration from_nanoseconds(rcl_duration_value_t nanoseconds) {
    return Duration(std::chrono::nanoseconds(nanoseconds));
  }
  static Duration max() { return Duration(INT32_MAX, 999999999); }

  rcl_duration_value_t nanoseconds() const { return nanoseconds_; }
  double seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }
  template <class DurationT>
  DurationT to_chrono() const {
    return std::chrono::duration_cast<DurationT>(std::chrono::nanoseconds(nanoseconds_));
  }
  operator builtin_interfaces::msg::Duration() const;  // clamped to the 32-bit seconds of the message

  bool operator==(const Duration& rhs) const { return nanoseconds_ == rhs.nanoseconds_; }
  bool operator!=(const Duration& rhs) const { return nanoseconds_ != rhs.nanoseconds_; }
  bool operator<(const Duration& rhs) const { return nanoseconds_ < rhs.nanoseconds_; }
  bool operator<=(const Duration& rhs) const { return nanoseconds_ <= rhs.nanoseconds_; }
  bool operator>(const Duration& rhs) const { return nanoseconds_ > rhs.nanoseconds_; }
  bool operator>=(const Duration& rhs) const { return nanoseconds_ >= rhs.nanoseconds_; }

  Duration operator+(const Duration& rhs) const;
  Duration operator-(const Duration& rhs) const;
  Duration operator*(double scale) const;

 private:
  rcl_duration_value_t nanoseconds_;
};

}  // namespace rclcpp
