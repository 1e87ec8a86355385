// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "hl_hardware_cm730/bus_driver.hpp"
#include "hl_hardware_cm730/identification.hpp"

namespace hl_hardware_cm730 {

/// Moves one joint through the excitation, the others holding, `rounds` times. Throws std::runtime_error with the
/// reason where it must not go on: too narrow a range, overload, heat, silence.
std::vector<Recording> record_joint(BusDriver& driver, BusPort& port, std::size_t joint, int rounds);

/// The text of a robot.yaml with what was found of joints ("LKnee", ...) written to their servos. Throws
/// std::runtime_error if a servo's entry is not on a line of its own.
std::string with_measured(const std::string& yaml, const std::map<std::string, Identified>& found);

}  // namespace hl_hardware_cm730
