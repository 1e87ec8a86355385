// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <string>
#ifdef WITH_PHYSICS
#include <hl_simulation/robot_spec.hpp>
#include <memory>
#endif

namespace hl_animation {

/// Files of a robot: the installed ones, or those that add_robot wrote into a workspace.
class RobotPlace {
 public:
  explicit RobotPlace(std::string robot, std::string workspace = "")
      : robot_(std::move(robot)), workspace_(std::move(workspace)) {}

  std::string urdf() const { return share("hl_description") + "/urdf/" + robot_ + ".urdf"; }
  std::string config() const { return share("hl_description") + "/config/" + robot_ + "/robot.yaml"; }
  std::string library() const { return share("hl_animation") + "/animations/" + robot_; }
#ifdef WITH_PHYSICS
  std::shared_ptr<const hl_simulation::RobotSpec> spec() const {
    return std::make_shared<const hl_simulation::RobotSpec>(hl_simulation::load_robot_files(urdf(), config()));
  }
#endif

 private:
  std::string share(const std::string& package) const {
    return workspace_.empty() ? ament_index_cpp::get_package_share_directory(package) : workspace_ + "/" + package;
  }

  std::string robot_, workspace_;
};

}  // namespace hl_animation
