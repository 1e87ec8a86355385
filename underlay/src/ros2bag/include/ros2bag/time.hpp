// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace ros2bag {

inline constexpr std::int64_t ns_per_second = 1'000'000'000;

/// At most 100 years, so that it can be added to any time without overflow.
inline std::int64_t limited_ns(double ns) {
  constexpr double century = 100.0 * 366 * 86400 * 1e9;
  return static_cast<std::int64_t>(std::clamp(ns, -century, century));
}

inline std::int64_t ns_from_seconds(double seconds) {
  return limited_ns(seconds * 1e9);
}

}  // namespace ros2bag
