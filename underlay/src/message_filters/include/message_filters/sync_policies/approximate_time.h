// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <rclcpp/duration.hpp>
#include <stdexcept>

#include "message_filters/synchronizer.h"

namespace message_filters::sync_policies {

/// Messages whose stamps lie as close together as possible.
template <class... M>
class ApproximateTime : public detail::PolicyBase<detail::ApproximateMatcher, M...> {
 public:
  using Base = detail::PolicyBase<detail::ApproximateMatcher, M...>;
  explicit ApproximateTime(std::uint32_t queue_size) : Base(queue_size) {
    if (queue_size == 0) throw std::invalid_argument("a synchronizer of approximate times needs a queue size above 0");
  }

  /// How much narrower a later set must be to be preferred to an earlier one.
  void setAgePenalty(double age_penalty) {
    age_penalty_ = age_penalty;
    this->matcher().age_penalty = age_penalty;
  }
  /// Messages of topic `i` are at least this far apart; tells earlier that nothing better can come.
  void setInterMessageLowerBound(int i, rclcpp::Duration lower_bound) {
    lower_bounds_.at(static_cast<std::size_t>(i)) = lower_bound.nanoseconds();
    this->matcher().lower_bounds.at(static_cast<std::size_t>(i)) = lower_bound.nanoseconds();
  }
  /// Wider sets are not made.
  void setMaxIntervalDuration(rclcpp::Duration max_interval) {
    max_interval_ = max_interval.nanoseconds();
    this->matcher().max_interval = max_interval_;
  }

 private:
  void prepare(detail::ApproximateMatcher& matcher) override {
    matcher.age_penalty = age_penalty_;
    matcher.max_interval = max_interval_;
    matcher.lower_bounds.assign(lower_bounds_.begin(), lower_bounds_.end());
  }

  double age_penalty_ = 0.1;
  std::int64_t max_interval_ = INT64_MAX;
  std::array<std::int64_t, sizeof...(M)> lower_bounds_{};
};

}  // namespace message_filters::sync_policies
