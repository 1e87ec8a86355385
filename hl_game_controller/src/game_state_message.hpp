// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/game_state.hpp>

#include "hl_game_controller/client.hpp"

namespace hl_game_controller {

/// Everything in the message but the header's stamp.
humanoid_league_msgs::msg::GameState game_state_from(const Client& client, const Client::Params& params, double now);

}  // namespace hl_game_controller
