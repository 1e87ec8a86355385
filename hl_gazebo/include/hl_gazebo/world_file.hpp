// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_simulation/world_spec.hpp>
#include <string>

namespace hl_gazebo {

/// How the robots in the world file find their bus and how the world keeps time.
struct WorldFileOptions {
  /// Where gzserver finds `<robot>.urdf` and `<robot>.yaml` of each robot; bus and link appear there, too.
  std::string folder;
  double speed = 1.0;     // bus time per real time, 0 = as fast as the host speaks
  double grace = 0.025;   // s, see hl_hardware_cm730::BusTime
  double patience = 0.5;  // s
  double hold = 1.0;      // s of torque after which nobody holds the robot any more
  int iterations = 0;     // of ODE's solver for every step; 0 = its exact one
};

/// Files of a robot below the folder, as gzserver sees it.
std::string urdf_path(const std::string& folder, const std::string& robot);
std::string config_path(const std::string& folder, const std::string& robot);
std::string bus_path(const std::string& folder, const std::string& robot);   // of the pseudo-terminal
std::string link_path(const std::string& folder, const std::string& robot);  // of the socket, see link.hpp

/// Field, goals, ball and robots as a world for Gazebo 11 (SDF 1.6). Throws std::runtime_error if the world is invalid.
std::string to_sdf(const hl_simulation::WorldSpec& world, const WorldFileOptions& options);

}  // namespace hl_gazebo
