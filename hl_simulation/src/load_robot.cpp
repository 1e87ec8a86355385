// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/robot_spec.hpp"
#include "self_collision.hpp"

namespace hl_simulation {

RobotSpec load_robot(const std::string& urdf, const std::string& yaml, const std::string& folder) {
  RobotSpec spec = read_robot(urdf, yaml, folder);
  spec.self_collisions = find_self_collisions(spec);
  return spec;
}

RobotSpec load_robot_files(const std::string& urdf_path, const std::string& yaml_path) {
  RobotSpec spec = read_robot_files(urdf_path, yaml_path);
  spec.self_collisions = find_self_collisions(spec);
  return spec;
}

}  // namespace hl_simulation
