// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <memory>
#include <string>

#include "hl_match/match.hpp"

namespace hl_match {

/// A match of robots whose files are in `folders`, on a field of hl_description. Throws std::runtime_error.
inline Match::Params match_of(const std::string& robot, const hl_player::RobotFiles::Folders& folders,
                              const std::string& field = "") {
  Match::Params params;
  params.files = hl_player::RobotFiles::load(robot, folders);
  params.spec = std::make_shared<hl_simulation::RobotSpec>(hl_simulation::load_robot_files(
      folders.description + "/urdf/" + robot + ".urdf", folders.description + "/config/" + robot + "/robot.yaml"));
  params.field = hl_description::Field::from_file(
      ament_index_cpp::get_package_share_directory("hl_description") + "/config/field.yaml", field);
  return params;
}

/// The same with what is installed.
inline Match::Params installed_match(const std::string& robot = "minibot", const std::string& field = "") {
  const auto share = [](const char* package) { return ament_index_cpp::get_package_share_directory(package); };
  return match_of(robot, {share("hl_description"), share("hl_walking"), share("hl_hcm"), share("hl_animation")}, field);
}

/// How this robot moves without joints, as `fit_motion` wrote it. Throws std::runtime_error.
inline FastParams installed_fast(const std::string& robot = "minibot") {
  return FastParams::from_file(ament_index_cpp::get_package_share_directory("hl_match") + "/config/fast_" + robot +
                               ".yaml");
}

}  // namespace hl_match
