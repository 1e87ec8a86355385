// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/game_state.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_visualization/field_data.hpp"

namespace hl_visualization {

/// "PLAYING  2 : 1  07:31".
std::string game_line(const humanoid_league_msgs::msg::GameState& game);
/// "own corner kick, execute, 12 s"; empty = no set play.
std::string set_play_line(const humanoid_league_msgs::msg::GameState& game);
/// Where opponents of the set play must not be; around the ball if it is known.
std::vector<SetPlayArea> set_play_areas(const humanoid_league_msgs::msg::GameState& game,
                                        const hl_description::Field& field, const std::optional<BelievedBall>& ball);

}  // namespace hl_visualization
