// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <string>
#include <vector>

#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {

/// What robot.yaml and the URDF say of all servos. Throws std::invalid_argument, with the file, for a servo that the
/// driver does not speak to.
std::vector<ServoSpec> servo_specs(const hl_description::RobotConfig& config, const hl_description::RobotModel& model,
                                   const std::string& config_file);

}  // namespace hl_hardware_cm730
