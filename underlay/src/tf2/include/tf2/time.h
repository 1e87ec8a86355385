// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace tf2 {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::system_clock, Duration>;
using IDuration = std::chrono::duration<int, std::nano>;

/// As an argument of a lookup: the latest time at which the transform is known.
const TimePoint TimePointZero = TimePoint(IDuration::zero());

TimePoint get_now();

inline Duration durationFromSec(double t_sec) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(t_sec));
}
inline TimePoint timeFromSec(double t_sec) {
  return TimePoint(durationFromSec(t_sec));
}
inline double durationToSec(const Duration& input) {
  return std::chrono::duration<double>(input).count();
}
inline double timeToSec(const TimePoint& timepoint) {
  return durationToSec(timepoint.time_since_epoch());
}

std::string displayTimePoint(const TimePoint& stamp);  // seconds with microseconds

}  // namespace tf2
