// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "hl_walking/types.hpp"

namespace hl_walking {

/// Keys to a velocity: each press is one notch, space stops.
class TeleopKeys {
 public:
  static const char* help() {
    return "  w / s  faster forward / back        a / d  to the left / right\n"
           "  q / e  turn left / right            space  stop        x  quit\n";
  }

  void press(char key) {
    switch (key) {
      case 'w':
        return change(velocity_.x, 0.05, 0.4);
      case 's':
        return change(velocity_.x, -0.05, 0.4);
      case 'a':
        return change(velocity_.y, 0.03, 0.15);
      case 'd':
        return change(velocity_.y, -0.03, 0.15);
      case 'q':
        return change(velocity_.yaw, 0.2, 1.0);
      case 'e':
        return change(velocity_.yaw, -0.2, 1.0);
      case 'x':
        quit_ = true;
        [[fallthrough]];
      case ' ':
        velocity_ = {};
        return;
      default:
        return;
    }
  }

  const Velocity& velocity() const { return velocity_; }
  bool quit() const { return quit_; }

 private:
  static void change(double& value, double notch, double most) {
    value = std::clamp(value + notch, -most, most);
    if (std::abs(value) < std::abs(notch) / 2.0) value = 0.0;  // no rest of rounding: zero is zero
  }

  Velocity velocity_;
  bool quit_ = false;
};

}  // namespace hl_walking
