// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <string>

namespace hl_walking {

inline std::string urdf_of(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_description") + "/urdf/" + robot + ".urdf";
}
inline std::string robot_config_of(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_description") + "/config/" + robot + "/robot.yaml";
}
inline std::string walk_config_of(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_walking") + "/config/" + robot + ".yaml";
}

}  // namespace hl_walking
