// SPDX-License-Identifier: Apache-2.0
#include "state_name.hpp"

#include <array>

namespace hl_bringup {

std::string state_name(std::optional<std::uint8_t> state) {
  constexpr std::array<const char*, 16> kNames{"CONTROLLABLE",      "FALLING",          "FALLEN",    "GETTING_UP",
                                               "ANIMATION_RUNNING", "STARTUP",          "SHUTDOWN",  "PENALTY",
                                               "PENALTY_ANIMATION", "RECORD",           "WALKING",   "MOTOR_OFF",
                                               "HCM_OFF",           "HARDWARE_PROBLEM", "PICKED_UP", "KICKING"};
  return state && *state < kNames.size() ? kNames[*state] : "no HCM";
}

}  // namespace hl_bringup
