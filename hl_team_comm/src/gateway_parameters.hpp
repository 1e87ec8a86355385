// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

#include "hl_team_comm/dialect_gateway.hpp"

namespace hl_team_comm {

struct GatewayNodeParams {
  DialectGateway::Params core;
  int mitecom_port = 12321, robocup_protocol_port = 3737;
  bool loopback = false;
  std::string interface;
  double half_duration = 600.0;

  GatewayNodeParams() {
    // It says for others what they may say often; the budget, where there is one, still holds it back.
    core.budget.min_interval = 0.0;
    core.budget.without_budget = 0.05;
    core.budget.burst = 10.0;
  }
  std::optional<std::string> validate() const { return core.validate(); }
};

inline const hl_node::ParameterTable<GatewayNodeParams>& gateway_parameters() {
  using P = GatewayNodeParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<DialectGateway::Params> core({
      {"team_id", &DialectGateway::Params::team, 1, 65535, "number of the mixed team"},
      {"expiry", &DialectGateway::Params::expiry, 0.1, 60.0, "a message is not said again after this time, s"},
  });
  static const hl_node::ParameterTable<MessageBudget::Params> budget({
      {"team_size", &MessageBudget::Params::team_size, 1, 20,
       "those who share the referee's message budget: the robots and this gateway"},
  });
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"mitecom_port", &P::mitecom_port, 1, 65535, "UDP port of mitecom", kAtStart},
              {"robocup_protocol_port", &P::robocup_protocol_port, 1, 65535,
               "UDP port of the RobocupProtocol; may be the same", kAtStart},
              {"loopback", &P::loopback, "send to this machine only", kAtStart},
              {"interface", &P::interface, "network interface, like wlan0; empty: every one", kAtStart},
              {"half_duration", &P::half_duration, 1.0, 7200.0, "to project the budget to the final whistle, s",
               kAtStart},
          })
          .with_at_start([](P& p) -> DialectGateway::Params& { return p.core; }, core)
          .with_at_start([](P& p) -> MessageBudget::Params& { return p.core.budget; }, budget);
  return table;
}

}  // namespace hl_team_comm
