// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "hl_team_comm/statement.hpp"

/// "RobocupProtocol", the protocol buffers of drop-in games: places on the field in metres, fields 1..8 official, from
/// 101 those of Bit-Bots, from 1001 ours. It has neither a mark nor a team number.
namespace hl_team_comm::robocup_protocol {

/// Nothing unless it is well formed and says which player speaks.
std::optional<Statement> decode(hl_network::Bytes datagram);
std::vector<std::uint8_t> encode(const Statement& statement);

}  // namespace hl_team_comm::robocup_protocol
