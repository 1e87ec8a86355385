// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace ros2cli {

/// Arrival times and sizes of the last messages of a topic.
class RateWindow {
 public:
  explicit RateWindow(std::size_t capacity) : capacity_(capacity) {}

  /// A message of `bytes` arrived at `time` (s).
  void add(double time, std::size_t bytes);

  struct Rate {
    double mean = 0.0;      // Hz
    double shortest = 0.0;  // s between two messages
    double longest = 0.0;
    double deviation = 0.0;  // standard deviation of the intervals, s
    std::size_t count = 0;   // messages in the window
  };
  /// Nothing before the second message.
  std::optional<Rate> rate() const;

  struct Bandwidth {
    double bytes_per_second = 0.0;
    double mean = 0.0;  // bytes of a message
    std::size_t smallest = 0;
    std::size_t largest = 0;
    std::size_t count = 0;
  };
  /// As of `now`; nothing before the second message.
  std::optional<Bandwidth> bandwidth(double now) const;

 private:
  struct Arrival {
    double time;
    std::size_t bytes;
  };
  std::size_t capacity_;
  std::deque<Arrival> arrivals_;
};

}  // namespace ros2cli
