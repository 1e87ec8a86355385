// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/time.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace rclcpp {
namespace {

constexpr int64_t kSecond = 1'000'000'000;  // ns

int64_t add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) {
    if (b > 0) {
      throw std::overflow_error("addition leads to int64_t overflow");
    }
    throw std::underflow_error("addition leads to int64_t underflow");
  }
  return sum;
}

int64_t subtract(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) {
    if (b < 0) {
      throw std::overflow_error("subtraction leads to int64_t overflow");
    }
    throw std::underflow_error("subtraction leads to int64_t underflow");
  }
  return difference;
}

/// Seconds rounded down and the (positive) rest, as the messages for time and duration have them.
template <class Message>
Message to_message(int64_t nanoseconds) {
  int64_t seconds = nanoseconds / kSecond;
  int64_t rest = nanoseconds % kSecond;
  if (rest < 0) {
    --seconds;
    rest += kSecond;
  }
  Message message;
  if (seconds > INT32_MAX) {
    message.sec = INT32_MAX;
    message.nanosec = kSecond - 1;
  } else if (seconds < INT32_MIN) {
    message.sec = INT32_MIN;
    message.nanosec = 0;
  } else {
    message.sec = static_cast<int32_t>(seconds);
    message.nanosec = static_cast<uint32_t>(rest);
  }
  return message;
}

}  // namespace

Duration::Duration(int32_t seconds, uint32_t nanoseconds) : nanoseconds_(seconds * kSecond + nanoseconds) {}

Duration::Duration(const builtin_interfaces::msg::Duration& message) : Duration(message.sec, message.nanosec) {}

Duration Duration::from_seconds(double seconds) {
  const double nanoseconds = seconds * 1e9;
  if (!(std::abs(nanoseconds) < 0x1p63)) {
    throw std::overflow_error("rclcpp::Duration cannot hold " + std::to_string(seconds) + " s");
  }
  return from_nanoseconds(static_cast<int64_t>(nanoseconds));
}

Duration::operator builtin_interfaces::msg::Duration() const {
  return to_message<builtin_interfaces::msg::Duration>(nanoseconds_);
}

Duration Duration::operator+(const Duration& rhs) const {
  return from_nanoseconds(add(nanoseconds_, rhs.nanoseconds_));
}

Duration Duration::operator-(const Duration& rhs) const {
  return from_nanoseconds(subtract(nanoseconds_, rhs.nanoseconds_));
}

Duration Duration::operator*(double scale) const {
  if (!std::isfinite(scale)) {
    throw std::runtime_error("abnormal scale in rclcpp::Duration");
  }
  const long double product = static_cast<long double>(nanoseconds_) * static_cast<long double>(scale);
  if (product >= 0x1p63L) {
    throw std::overflow_error("duration scaling leads to int64_t overflow");
  }
  if (product < -0x1p63L) {
    throw std::underflow_error("duration scaling leads to int64_t underflow");
  }
  return from_nanoseconds(static_cast<int64_t>(product));
}

Time::Time(int32_t seconds, uint32_t nanoseconds, rcl_clock_type_t clock_type)
    : nanoseconds_(seconds * kSecond + nanoseconds), clock_type_(clock_type) {
  if (seconds < 0) {
    throw std::runtime_error("cannot store a negative time point in rclcpp::Time");
  }
}

Time::Time(const builtin_interfaces::msg::Time& message, rcl_clock_type_t clock_type)
    : Time(message.sec, message.nanosec, clock_type) {}

Time::operator builtin_interfaces::msg::Time() const {
  return to_message<builtin_interfaces::msg::Time>(nanoseconds_);
}

int Time::compare(const Time& rhs) const {
  if (clock_type_ != rhs.clock_type_) {
    throw std::runtime_error("can't compare times with different time sources");
  }
  return nanoseconds_ < rhs.nanoseconds_ ? -1 : nanoseconds_ > rhs.nanoseconds_ ? 1 : 0;
}

Time Time::operator+(const Duration& rhs) const {
  return Time(add(nanoseconds_, rhs.nanoseconds()), clock_type_);
}

Time Time::operator-(const Duration& rhs) const {
  return Time(subtract(nanoseconds_, rhs.nanoseconds()), clock_type_);
}

Duration Time::operator-(const Time& rhs) const {
  if (clock_type_ != rhs.clock_type_) {
    throw std::runtime_error("can't subtract times with different time sources");
  }
  return Duration::from_nanoseconds(subtract(nanoseconds_, rhs.nanoseconds_));
}

}  // namespace rclcpp
