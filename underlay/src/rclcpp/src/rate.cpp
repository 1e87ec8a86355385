// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/rate.hpp"

#include <stdexcept>
#include <string>

namespace rclcpp {
namespace {

Duration period_of(double rate) {
  if (!(rate > 0.0)) {
    throw std::invalid_argument("rate must be greater than 0, not " + std::to_string(rate));
  }
  return Duration::from_seconds(1.0 / rate);
}

}  // namespace

Rate::Rate(double rate) : Rate(period_of(rate), RCL_SYSTEM_TIME) {}

Rate::Rate(std::chrono::nanoseconds period) : Rate(Duration(period), RCL_SYSTEM_TIME) {}

Rate::Rate(Duration period, rcl_clock_type_t clock_type) : clock_(clock_type), period_(period), last_(clock_.now()) {}

bool Rate::sleep() {
  const Time now = clock_.now();
  if (now < last_) {
    last_ = now;  // the clock was set back
  }
  last_ += period_;
  const Time next = last_;
  if (next <= now) {
    if (now > next + period_) {
      last_ = now;  // a whole cycle lost: start anew instead of hurrying after it
    }
    return false;
  }
  return clock_.sleep_until(next);
}

void Rate::reset() {
  last_ = clock_.now();
}

WallRate::WallRate(double rate) : Rate(period_of(rate), RCL_STEADY_TIME) {}

WallRate::WallRate(std::chrono::nanoseconds period) : Rate(Duration(period), RCL_STEADY_TIME) {}

}  // namespace rclcpp
