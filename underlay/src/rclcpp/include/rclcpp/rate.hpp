// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "rclcpp/clock.hpp"

namespace rclcpp {

class RateBase {
 public:
  using SharedPtr = std::shared_ptr<RateBase>;
  virtual ~RateBase() = default;
  virtual bool sleep() = 0;
  virtual void reset() = 0;
};

/// Paces a loop on system time. sleep() returns false if the cycle has overrun or the context was shut down.
class Rate : public RateBase {
 public:
  using SharedPtr = std::shared_ptr<Rate>;
  explicit Rate(double rate);  // Hz, > 0
  explicit Rate(std::chrono::nanoseconds period);
  bool sleep() override;
  void reset() override;
  std::chrono::nanoseconds period() const { return std::chrono::nanoseconds(period_.nanoseconds()); }

 protected:
  Rate(Duration period, rcl_clock_type_t clock_type);

 private:
  Clock clock_;
  Duration period_;
  Time last_;
};

/// The same on the steady clock: not disturbed when the system time is set.
class WallRate : public Rate {
 public:
  using SharedPtr = std::shared_ptr<WallRate>;
  explicit WallRate(double rate);
  explicit WallRate(std::chrono::nanoseconds period);
};

}  // namespace rclcpp
