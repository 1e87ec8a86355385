// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hl_bringup {

/// The word for a state of humanoid_league_msgs/RobotControlState.
std::string state_name(std::optional<std::uint8_t> state);

}  // namespace hl_bringup
