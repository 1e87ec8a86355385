// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <humanoid_league_msgs/msg/team_link_mate.hpp>

#include "hl_team_comm/roster.hpp"
#include "hl_team_comm/team_comm.hpp"

namespace hl_team_comm {

/// All team mates whose word counts at `now` (s), in the order of their numbers; without the header.
humanoid_league_msgs::msg::TeamData team_data_from(const Roster& roster, double now);

/// How well one team mate is heard; `received_before` messages were there `interval` s ago.
humanoid_league_msgs::msg::TeamLinkMate link_from(int number, const Roster::Entry& entry, std::uint64_t received_before,
                                                  double interval, double now);

/// Takes role, action and side over.
void apply(const humanoid_league_msgs::msg::Strategy& strategy, TeamComm::Inputs& inputs);

/// What the team is told of the model: ball, own pose, obstacles as robots.
hl_soccer::Model model_from(const humanoid_league_msgs::msg::Model& message);

}  // namespace hl_team_comm
