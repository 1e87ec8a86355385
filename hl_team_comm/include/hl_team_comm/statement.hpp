// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hl_network/bytes.hpp"
#include "hl_team_comm/mitecom.hpp"
#include "hl_team_comm/team_mate.hpp"

namespace hl_team_comm {

/// The languages robots of different teams speak on the network. Each is told from the others by its bytes.
enum class Dialect : std::uint8_t {
  Mitecom,
  RobocupProtocol,  // protocol buffers, "RobocupProtocol" of the drop-in games, with the extensions of Bit-Bots
};
std::string_view name(Dialect dialect);
std::optional<Dialect> dialect_from(std::string_view name);

enum class Colour : std::uint8_t { Unknown = 0, Blue = 1, Red = 2 };

/// What one robot says, whatever the dialect.
struct Statement {
  Dialect dialect = Dialect::Mitecom;
  std::optional<std::uint16_t> team;  // number; nothing: the dialect has none, the port tells teams apart
  std::uint16_t player = 0;           // from 1
  Colour colour = Colour::Unknown;
  TeamMate mate;
  std::optional<std::int32_t> sequence;  // counts messages of one robot
  std::optional<double> sent_at;         // s, clock of the sender
  // What we do not know is kept and said again in the same dialect.
  std::vector<mitecom::Value> other_values;
  std::vector<std::uint8_t> other_fields;  // protocol buffers, with their tags
};

/// Nothing if it is no message of a dialect we know.
std::optional<Statement> hear(hl_network::Bytes datagram);

/// The datagram in `dialect`; empty if it would not fit. `team` must be known for mitecom.
std::vector<std::uint8_t> speak(const Statement& statement, Dialect dialect);

}  // namespace hl_team_comm
