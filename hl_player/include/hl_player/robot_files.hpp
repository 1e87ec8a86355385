// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_animation/animation_file.hpp>
#include <hl_animation/performance.hpp>
#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <hl_hcm/hcm.hpp>
#include <hl_walking/body.hpp>
#include <hl_walking/config_file.hpp>
#include <hl_walking/controller.hpp>
#include <memory>
#include <string>

namespace hl_player {

/// Everything about one type of robot that its players share; read once.
struct RobotFiles {
  std::string robot;  // minibot, darwin_op, ...
  hl_description::RobotModel model;
  hl_description::RobotConfig config;
  hl_hcm::HcmBody hcm_body;
  hl_hcm::Hcm::Params hcm;
  std::shared_ptr<const hl_walking::WalkingBody> walking_body;
  hl_walking::WalkConfig walk;
  hl_walking::Controller::Params walk_control;
  hl_animation::AnimationLibrary animations;
  hl_animation::Performance::Params performance;

  struct Folders {
    std::string description, walking, hcm, animation;  // share folders of the packages
  };
  /// Reads what the launch files give the nodes. Throws std::runtime_error with file, line and remedy.
  static std::shared_ptr<const RobotFiles> load(const std::string& robot, const Folders& folders);
};

/// Sets the HCM's parameters and get-up lists from a parameter file of its node; what is not named stays. Throws
/// std::runtime_error with the file and the bad value.
void read_hcm_file(const std::string& path, hl_hcm::Hcm::Params& params, hl_hcm::HcmBody& body);

}  // namespace hl_player
