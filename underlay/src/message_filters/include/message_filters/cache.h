// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <rclcpp/time.hpp>
#include <vector>

#include "message_filters/simple_filter.h"

namespace message_filters {

/// The last messages in the order of their stamps, to look up by time; hands each on.
template <class M>
class Cache : public SimpleFilter<M> {
 public:
  using typename SimpleFilter<M>::MConstPtr;

  explicit Cache(unsigned cache_size = 1) { setCacheSize(cache_size); }
  template <class F>
  explicit Cache(F& filter, unsigned cache_size = 1) {
    setCacheSize(cache_size);
    connectInput(filter);
  }
  ~Cache() override { input_.disconnect(); }

  template <class F>
  void connectInput(F& filter) {
    input_.disconnect();
    input_ = filter.registerCallback([this](const MConstPtr& message) { add(message); });
  }
  void setCacheSize(unsigned cache_size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    size_ = std::max(cache_size, 1U);
  }
  void add(const MConstPtr& message) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto later = [](const rclcpp::Time& time, const MConstPtr& other) { return time < stamp(other); };
      messages_.insert(std::upper_bound(messages_.begin(), messages_.end(), stamp(message), later), message);
      while (messages_.size() > size_) messages_.pop_front();
    }
    this->signalMessage(message);
  }

  /// Those from `start` to `end`, both included.
  std::vector<MConstPtr> getInterval(const rclcpp::Time& start, const rclcpp::Time& end) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<MConstPtr> found;
    for (const auto& message : messages_) {
      if (stamp(message) >= start && stamp(message) <= end) found.push_back(message);
    }
    return found;
  }
  /// As getInterval, and the nearest on either side, so that the interval lies within.
  std::vector<MConstPtr> getSurroundingInterval(const rclcpp::Time& start, const rclcpp::Time& end) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto first = messages_.begin();
    while (first != messages_.end() && std::next(first) != messages_.end() && stamp(*std::next(first)) <= start)
      ++first;
    auto last = first;
    while (last != messages_.end() && stamp(*last) < end) ++last;
    return {first, last == messages_.end() ? last : std::next(last)};
  }
  /// The last one before `time`; null if there is none.
  MConstPtr getElemBeforeTime(const rclcpp::Time& time) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    MConstPtr found;
    for (const auto& message : messages_) {
      if (stamp(message) < time) found = message;
    }
    return found;
  }
  /// The first one after `time`; null if there is none.
  MConstPtr getElemAfterTime(const rclcpp::Time& time) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& message : messages_) {
      if (stamp(message) > time) return message;
    }
    return nullptr;
  }
  rclcpp::Time getLatestTime() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return messages_.empty() ? rclcpp::Time(0, 0, RCL_ROS_TIME) : stamp(messages_.back());
  }
  rclcpp::Time getOldestTime() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return messages_.empty() ? rclcpp::Time(0, 0, RCL_ROS_TIME) : stamp(messages_.front());
  }

 private:
  static rclcpp::Time stamp(const MConstPtr& message) { return {message->header.stamp, RCL_ROS_TIME}; }

  mutable std::mutex mutex_;
  std::deque<MConstPtr> messages_;
  std::size_t size_ = 1;
  Connection input_;
};

}  // namespace message_filters
