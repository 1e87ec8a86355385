// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <string>
#ifdef WITH_PHYSICS
#include <hl_simulation/robot_spec.hpp>
#include <memory>
#endif

namespace hl_animation {

// Files of the installed robots and of the shipped library, by the robot's name.
inline std::string urdf_of(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_description") + "/urdf/" + robot + ".urdf";
}
inline std::string config_of(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_description") + "/config/" + robot + "/robot.yaml";
}
inline std::string library_of(const std::string& robot) {
  return ament_index_cpp::get_package_share_directory("hl_animation") + "/animations/" + robot;
}
#ifdef WITH_PHYSICS
inline std::shared_ptr<const hl_simulation::RobotSpec> spec_of(const std::string& robot) {
  return std::make_shared<const hl_simulation::RobotSpec>(
      hl_simulation::load_robot_files(urdf_of(robot), config_of(robot)));
}
#endif

}  // namespace hl_animation
