// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "robot_folder.hpp"

namespace hl_description {

/// What is told of a robot whose files are to be made.
struct AddOrder {
  Told told;
  NormalOptions options;                  // without a name: that of the URDF
  std::vector<std::string> mesh_folders;  // that of the URDF first
  LikeFiles like;                         // of the robot it begins with; without a name: the one next in size
};

struct AddedRobot {
  Findings findings;  // all of them; with an error there are no files
  NormalRobot robot;
  std::map<std::string, std::string> files;  // by path below the workspace
};

/// From the text of a URDF to all files of a robot. What is wrong is told together: every stage looks at what the one
/// before could make of the file. Throws ModelError only if the files of the known robot cannot be read.
AddedRobot add_robot(const std::string& urdf, const AddOrder& order);

/// Lower case letters, digits and underscores.
std::string plain_name(const std::string& text);

}  // namespace hl_description
