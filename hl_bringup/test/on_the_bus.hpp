// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace hl_bringup {

/// Arguments of the launch file for a robot behind the emulated servo bus. Each process has its own port.
///
/// Never faster than real time: the world waits for walking and HCM, but nobody tells it whether their goals have
/// reached the driver. As fast as possible, a few ms for which a busy machine does not let the driver hear them are 50
/// ms of simulated time, and the robot falls.
inline std::vector<std::string> on_the_bus() {
  const auto port = std::filesystem::temp_directory_path() / ("cm730_" + std::to_string(getpid()));
  return {"hardware:=bus", "speed:=1.0", "bus_port:=" + port.string()};
}

}  // namespace hl_bringup
