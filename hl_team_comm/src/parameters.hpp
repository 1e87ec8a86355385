// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_team_comm/team_comm.hpp"

namespace hl_team_comm {

struct NodeParams {
  TeamComm::Params core;
  int local_port = 12321, remote_port = 12321;
  bool loopback = false;
  std::string interface;  // empty: every one that broadcasts
  std::string dialect = "mitecom";
  std::vector<std::int64_t> team_mates;  // none: all

  std::optional<std::string> validate() const {
    if (!dialect_from(dialect)) return "dialect is '" + dialect + "'; we speak mitecom and robocup_protocol";
    return core.validate();
  }
  TeamComm::Params core_params() const {
    TeamComm::Params params = core;
    params.dialect = *dialect_from(dialect);
    return params;
  }
};

inline const hl_node::ParameterTable<NodeParams>& parameters() {
  using P = TeamComm::Params;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<Roster::Params> roster({
      {"team_id", &Roster::Params::team, 1, 65535, "own team number"},
      {"player_id", &Roster::Params::player, 1, 20, "own player number"},
      {"expiry", &Roster::Params::expiry, 0.1, 60.0, "a message no longer counts after this time, s"},
  });
  static const hl_node::ParameterTable<MessageBudget::Params> budget({
      {"team_size", &MessageBudget::Params::team_size, 1, 20, "robots that share the referee's message budget"},
      {"burst", &MessageBudget::Params::burst, 1.0, 100.0, "messages that may be saved up"},
  });
  static const auto core = hl_node::ParameterTable<P>({
      {"send_interval", &P::send_interval, 0.1, 60.0, "between routine messages, s"},
      {"half_duration", &P::half_duration, 1.0, 7200.0, "to project the budget to the final whistle, s"},
      {"walking_speed", &P::walking_speed, 0.0, 5.0, "told to the team, m/s"},
      {"kicking_distance", &P::kicking_distance, 0.0, 20.0, "told to the team, m"},
  });
  static const auto table =
      hl_node::ParameterTable<NodeParams>(
          {
              {"local_port", &NodeParams::local_port, 1, 65535, "UDP port to listen on", kAtStart},
              {"remote_port", &NodeParams::remote_port, 1, 65535, "UDP port to send to", kAtStart},
              {"loopback", &NodeParams::loopback, "send to this machine only", kAtStart},
              {"interface", &NodeParams::interface,
               "network interface to speak and hear on, like wlan0; empty: every one", kAtStart},
              {"dialect", &NodeParams::dialect, "to speak: mitecom or robocup_protocol; both are understood", kAtStart},
              {"team_mates", &NodeParams::team_mates, "numbers of the team mates that count; none: all"},
          })
          .with_at_start([](NodeParams& p) -> Roster::Params& { return p.core.roster; }, roster)
          .with_at_start([](NodeParams& p) -> MessageBudget::Params& { return p.core.budget; }, budget)
          .with_at_start(&NodeParams::core, core);
  return table;
}

}  // namespace hl_team_comm
