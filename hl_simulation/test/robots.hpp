// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <map>
#include <memory>
#include <string>

#include "hl_simulation/simulation.hpp"

/// The robots of hl_description, loaded once per test program.
inline std::string urdf_path(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_description") + "/urdf/" + robot + ".urdf";
}

inline std::shared_ptr<const hl_simulation::RobotSpec> robot_spec(const std::string& robot) {
  static std::map<std::string, std::shared_ptr<const hl_simulation::RobotSpec>> loaded;
  auto& spec = loaded[robot];
  if (!spec) {
    const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
    spec = std::make_shared<hl_simulation::RobotSpec>(
        hl_simulation::load_robot_files(urdf_path(robot), share + "/config/" + robot + "/robot.yaml"));
  }
  return spec;
}
