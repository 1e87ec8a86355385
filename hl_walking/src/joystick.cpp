// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/joystick.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

constexpr std::uint8_t kButton = 0x01, kAxis = 0x02, kInitial = 0x80;  // types of linux/joystick.h
constexpr double kFullDeflection = 32767.0;

}  // namespace

void JoystickReader::feed(const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    record_[filled_++] = bytes[i];
    if (filled_ == kRecord) {
      take();
      filled_ = 0;
    }
  }
}

void JoystickReader::take() {
  const auto value = static_cast<std::int16_t>(record_[4] | record_[5] << 8);  // the device speaks little-endian
  const std::uint8_t type = record_[6] & static_cast<std::uint8_t>(~kInitial);
  const std::size_t number = record_[7];
  if (type == kButton) {
    if (state_.buttons.size() <= number) state_.buttons.resize(number + 1);
    state_.buttons[number] = value != 0;
  } else if (type == kAxis) {
    if (state_.axes.size() <= number) state_.axes.resize(number + 1);
    // The device counts right and down as positive, sensor_msgs/Joy left and up.
    state_.axes[number] = std::clamp(-value / kFullDeflection, -1.0, 1.0);
  }
}

std::optional<std::string> JoystickMapping::validate() const {
  if (!(dead_zone >= 0.0 && dead_zone < 1.0))
    return "dead_zone is " + std::to_string(dead_zone) + " but must be in 0..1";
  for (const double speed : {forward, sideways, turn}) {
    if (!(std::abs(speed) <= 5.0)) return "a speed is " + std::to_string(speed) + " but must be in -5..5";
  }
  return std::nullopt;
}

std::optional<Velocity> JoystickMapping::velocity(const JoystickState& state) const {
  if (enable_button >= 0) {
    const auto button = static_cast<std::size_t>(enable_button);
    if (button >= state.buttons.size() || !state.buttons[button]) return std::nullopt;
  }
  const auto deflection = [&](int axis) {
    if (axis < 0 || static_cast<std::size_t>(axis) >= state.axes.size()) return 0.0;
    const double value = state.axes[static_cast<std::size_t>(axis)];
    if (!(std::abs(value) > dead_zone)) return 0.0;  // also what is not a number
    return std::clamp(std::copysign((std::abs(value) - dead_zone) / (1.0 - dead_zone), value), -1.0, 1.0);
  };
  return Velocity{forward * deflection(forward_axis), sideways * deflection(sideways_axis),
                  turn * deflection(turn_axis)};
}

}  // namespace hl_walking
