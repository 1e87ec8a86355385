// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_description/robot_config.hpp"
#include "hl_walking/body.hpp"

namespace hl_walking {

/// ROBOTS is hl_description's share folder, from CMake.
inline WalkingBody load_body(const std::string& robot) {
  const std::string share = ROBOTS;
  const auto model = hl_description::RobotModel::from_file(share + "/urdf/" + robot + ".urdf");
  const auto config = hl_description::RobotConfig::from_file(share + "/config/" + robot + "/robot.yaml");
  return WalkingBody(model, config.pose(model, "walkready"));
}

}  // namespace hl_walking
