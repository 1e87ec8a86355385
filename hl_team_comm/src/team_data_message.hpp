// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>

#include "hl_team_comm/roster.hpp"
#include "hl_team_comm/team_mate.hpp"

namespace hl_team_comm {

/// All team mates that are online at `now` (s), in the order of their numbers; without the header.
humanoid_league_msgs::msg::TeamData team_data_from(const Roster& roster, double now);

/// Takes role, action and side over.
void apply(const humanoid_league_msgs::msg::Strategy& strategy, TeamMate& mate);

/// Takes ball, obstacles and, if it is certain enough, the position over.
void apply(const humanoid_league_msgs::msg::Model& model, TeamMate& mate);

}  // namespace hl_team_comm
