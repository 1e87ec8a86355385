// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "hl_description/formatted.hpp"
#include "hl_description/robot_model.hpp"

namespace hl_description {

constexpr double kDegree = M_PI / 180.0;

inline std::string number(double value, int digits = 4) {
  return formatted("%.*f", digits, value);
}

inline std::string degrees(double rad) {
  return number(rad / kDegree, 1);
}

/// Within the limits also when it is read again from its text.
inline double inside(const JointLimits& limits, double angle) {
  const double digit = std::min(0.06 * kDegree, 0.5 * (limits.upper - limits.lower));
  return std::clamp(angle, limits.lower + digit, limits.upper - digit);
}

}  // namespace hl_description
