// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "hl_description/robot_config.hpp"
#include "hl_walking/body.hpp"

namespace hl_walking {

/// Share folder of a package, from the environment that colcon's setup file makes.
inline std::string share(const std::string& package) {
  const char* prefixes = std::getenv("AMENT_PREFIX_PATH");
  std::istringstream list(prefixes != nullptr ? prefixes : "");
  for (std::string prefix; std::getline(list, prefix, ':');) {
    const std::string path = prefix + "/share/" + package;
    if (std::ifstream(path + "/package.xml")) return path;
  }
  throw std::runtime_error(package + " is not on AMENT_PREFIX_PATH: source the setup file of the workspace");
}

inline std::string urdf_of(const std::string& robot) {
  return share("hl_description") + "/urdf/" + robot + ".urdf";
}
inline std::string config_of(const std::string& robot) {
  return share("hl_description") + "/config/" + robot + "/robot.yaml";
}

inline Body load_body(const std::string& robot) {
  const auto model = hl_description::RobotModel::from_file(urdf_of(robot));
  return Body(model, hl_description::RobotConfig::from_file(config_of(robot)).pose(model, "walkready"));
}

}  // namespace hl_walking
