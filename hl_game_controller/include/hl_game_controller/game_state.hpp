// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_soccer/game.hpp>

#include "hl_game_controller/client.hpp"

namespace hl_game_controller {

/// What the client knows, seen from the own team: the message GameState without ROS.
hl_soccer::GameState game_state_of(const Client& client, const Client::Params& params, double now);

}  // namespace hl_game_controller
