// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace hl_bringup {

/// Arguments of the launch file for a robot behind the emulated servo bus, in bus time. Each process has its own port.
inline std::vector<std::string> on_the_bus() {
  const auto port = std::filesystem::temp_directory_path() / ("cm730_" + std::to_string(getpid()));
  return {"hardware:=bus", "bus_rate:=0.0", "bus_port:=" + port.string()};
}

}  // namespace hl_bringup
