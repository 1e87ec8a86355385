// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/action/kick.hpp>
#include <humanoid_league_msgs/action/navigate.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/skill_event.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <string>
#include <vector>

#include "hl_behavior/behavior.hpp"

/// Between the messages of the contract and the plain data of the cores.
namespace hl_behavior {

double seconds(const builtin_interfaces::msg::Time& stamp);
builtin_interfaces::msg::Time stamp_from(double seconds);
const char* frame_id(Frame frame);

hl_soccer::Model model_from(const humanoid_league_msgs::msg::Model& message);
hl_soccer::GameState game_from(const humanoid_league_msgs::msg::GameState& message);
std::vector<hl_soccer::TeamMate> mates_from(const humanoid_league_msgs::msg::TeamData& message);

humanoid_league_msgs::action::Navigate::Goal message_from(const NavigateGoal& goal);
humanoid_league_msgs::action::Kick::Goal message_from(const KickGoal& goal);
humanoid_league_msgs::msg::SkillEvent message_from(const SkillEvent& event, double now);
humanoid_league_msgs::msg::Strategy strategy_from(const Decision& decision);
humanoid_league_msgs::msg::BehaviorDebug debug_from(const Behavior::Outputs& outputs, double now);

}  // namespace hl_behavior
