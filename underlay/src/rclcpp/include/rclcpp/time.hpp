// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "builtin_interfaces/msg/time.hpp"
#include "rcl/time.h"
#include "rclcpp/duration.hpp"

namespace rclcpp {

/// A point on one of the three clocks. Comparing or subtracting points of different clocks throws std::runtime_error:
/// the result would have no meaning.
class Time {
 public:
  Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME);
  explicit Time(int64_t nanoseconds = 0, rcl_clock_type_t clock_type = RCL_SYSTEM_TIME)
      : nanoseconds_(nanoseconds), clock_type_(clock_type) {}
  Time(const builtin_interfaces::msg::Time& message,  // NOLINT(runtime/explicit)
       rcl_clock_type_t clock_type = RCL_ROS_TIME);
  explicit Time(const rcl_time_point_t& point) : nanoseconds_(point.nanoseconds), clock_type_(point.clock_type) {}
  Time(const Time&) = default;
  Time& operator=(const Time&) = default;
  Time& operator=(const builtin_interfaces::msg::Time& message) { return *this = Time(message); }

  static Time max() { return Time(INT32_MAX, 999999999); }

  rcl_time_point_value_t nanoseconds() const { return nanoseconds_; }
  double seconds() const { return static_cast<double>(nanoseconds_) * 1e-9; }
  rcl_clock_type_t get_clock_type() const { return clock_type_; }
  operator builtin_interfaces::msg::Time() const;  // clamped to the 32-bit seconds of the message

  bool operator==(const Time& rhs) const { return compare(rhs) == 0; }
  bool operator!=(const Time& rhs) const { return compare(rhs) != 0; }
  bool operator<(const Time& rhs) const { return compare(rhs) < 0; }
  bool operator<=(const Time& rhs) const { return compare(rhs) <= 0; }
  bool operator>(const Time& rhs) const { return compare(rhs) > 0; }
  bool operator>=(const Time& rhs) const { return compare(rhs) >= 0; }

  Time operator+(const Duration& rhs) const;
  Time operator-(const Duration& rhs) const;
  Duration operator-(const Time& rhs) const;
  Time& operator+=(const Duration& rhs) { return *this = *this + rhs; }
  Time& operator-=(const Duration& rhs) { return *this = *this - rhs; }

 private:
  int compare(const Time& rhs) const;  // -1, 0, 1; throws for different clocks

  rcl_time_point_value_t nanoseconds_;
  rcl_clock_type_t clock_type_;
};

inline Time operator+(const Duration& lhs, const Time& rhs) {
  return rhs + lhs;
}

}  // namespace rclcpp
