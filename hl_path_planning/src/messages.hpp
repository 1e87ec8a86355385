// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/action/navigate.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <string>

#include "hl_path_planning/planner.hpp"

/// Messages as the core knows them.
namespace hl_path_planning {

double seconds(const builtin_interfaces::msg::Time& stamp);
Frame frame_from(const std::string& frame_id);

/// A stamp of zero means now.
Goal goal_from(const humanoid_league_msgs::action::Navigate::Goal& message, double now);
hl_soccer::Model model_from(const humanoid_league_msgs::msg::Model& message);
hl_soccer::GameState game_from(const humanoid_league_msgs::msg::GameState& message);
geometry_msgs::msg::Twist twist_from(const Velocity& velocity);

}  // namespace hl_path_planning
