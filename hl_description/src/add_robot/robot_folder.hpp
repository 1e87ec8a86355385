// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "hl_description/robot_config.hpp"
#include "normal_form.hpp"

namespace hl_description {

/// Where the files of a known robot are.
struct LikeFiles {
  std::string robot;                                  // minibot, ...
  std::string description, walking, hcm, animations;  // share folders of the packages; the last three may be empty
};

/// All files of a new robot, by path below the workspace: URDF, robot.yaml, parameters of walk and HCM scaled from the
/// robot it is like, animations with its limits. Throws ModelError where the robot cannot stand.
std::map<std::string, std::string> robot_folder(const NormalRobot& robot, const LikeFiles& like, Findings& findings);

}  // namespace hl_description
