// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hl_path_planning/types.hpp"

namespace hl_path_planning {

bool WalkingLimits::valid() const {
  const auto good = [](double value, double most) { return value > 0.0 && value <= most; };
  return good(forward, 3.0) && good(backward, 3.0) && good(sideways, 3.0) && good(turn, 10.0) &&
         good(acceleration, 20.0) && good(turn_acceleration, 100.0) && delay >= 0.0 && delay <= 1.0 &&
         start_delay >= 0.0 && start_delay <= 2.0;
}

double WalkingLimits::parts(const Velocity& v) const {
  return std::abs(v.x) / (v.x > 0.0 ? forward : backward) + std::abs(v.y) / sideways + std::abs(v.yaw) / turn;
}

Velocity WalkingLimits::cut(const Velocity& v) const {
  const double share = std::max(1.0, parts(v));
  return {v.x / share, v.y / share, v.yaw / share};
}

double WalkingLimits::speed_towards(double direction) const {
  return 1.0 / parts({std::cos(direction), std::sin(direction), 0.0});
}

}  // namespace hl_path_planning
