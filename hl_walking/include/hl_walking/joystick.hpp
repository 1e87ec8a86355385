// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_walking/types.hpp"

namespace hl_walking {

/// Axes -1..1 (left and up positive, as in sensor_msgs/Joy) and pressed buttons.
struct JoystickState {
  std::vector<double> axes;
  std::vector<bool> buttons;
};

/// Turns the bytes of a Linux joystick device (/dev/input/js0, `struct js_event`) into its state. Records may come in
/// pieces; a type that is not known is left out.
class JoystickReader {
 public:
  void feed(const std::uint8_t* bytes, std::size_t count);
  const JoystickState& state() const { return state_; }

 private:
  static constexpr std::size_t kRecord = 8;  // bytes: time (4), value (2), type (1), number (1)
  void take();

  std::array<std::uint8_t, kRecord> record_{};
  std::size_t filled_ = 0;
  JoystickState state_;
};

/// Which stick does what. Numbers count from 0; a number the joystick does not have reads as at rest.
struct JoystickMapping {
  int enable_button = 4;  // must be held to move the robot; below 0: none is needed
  int forward_axis = 1, sideways_axis = 0, turn_axis = 3;
  double forward = 0.3, sideways = 0.12, turn = 0.8;  // m/s, m/s, rad/s at full deflection
  double dead_zone = 0.1;                             // of full deflection

  /// The first bad value, in words; nothing if all is well.
  std::optional<std::string> validate() const;

  /// The velocity the person asks for; nothing while the robot is left to others.
  std::optional<Velocity> velocity(const JoystickState& state) const;
};

}  // namespace hl_walking
