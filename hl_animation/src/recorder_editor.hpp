// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <humanoid_league_msgs/srv/edit_animation.hpp>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"

namespace hl_animation {

/// Joints and their limits (degrees), by servo id.
void tell_joints(const hl_description::RobotConfig& config, const hl_description::RobotModel& model,
                 humanoid_league_msgs::srv::EditAnimation::Response& response);

/// Names of the animations in a folder that can be loaded, sorted.
std::vector<std::string> animations_in(const std::string& folder);

/// What the verifier finds wrong with a motion.
std::vector<humanoid_league_msgs::msg::AnimationFinding> findings_of(const Animation& animation,
                                                                     const hl_description::RobotConfig& config,
                                                                     const hl_description::RobotModel& model);

}  // namespace hl_animation
