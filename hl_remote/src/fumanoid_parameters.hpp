// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_network/udp_socket.hpp"
#include "hl_remote/fumanoid_gateway.hpp"

namespace hl_remote {

struct FumanoidSettings {
  FumanoidGateway::Params core;
  bool enabled = false, match = false;
  int port = fumanoid::kPort;
  std::string address = "0.0.0.0", broadcast = "255.255.255.255", robot_config_file;
  std::vector<std::string> allowed;
  double empty_voltage = 10.5, full_voltage = 12.6;  // V

  std::optional<std::string> validate() const {
    for (const auto& text : {address, broadcast})
      if (!hl_network::Endpoint::from(text, 1)) return "'" + text + "' is no IPv4 address";
    for (const auto& text : allowed)
      if (!hl_network::Endpoint::from(text, 1)) return "allowed: '" + text + "' is no IPv4 address";
    if (!(full_voltage > empty_voltage)) return "full_voltage must be larger than empty_voltage";
    return core.validate();
  }
};

inline const hl_node::ParameterTable<FumanoidSettings>& fumanoid_parameters() {
  using S = FumanoidSettings;
  using P = FumanoidGateway::Params;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<P> core({
      {"robot_id", &P::robot, 0, 254, "number of the robot in its status"},
      {"status_interval", &P::status_interval, 0.05, 60.0, "between two status broadcasts, s"},
      {"orders_per_second", &P::orders_per_second, 1.0, 1000.0, "of one workstation; more are dropped"},
      {"walk_limit", &P::walk_limit, 0.1, 60.0, "a walking speed holds so long unless it is sent again, s"},
      {"max_forward", &P::max_forward, 0.0, 2.0, "at a walking speed of 127, m/s"},
      {"max_sideward", &P::max_sideward, 0.0, 2.0, "at a walking speed of 127, m/s"},
      {"max_rotation", &P::max_rotation, 0.0, 10.0, "at a walking speed of 127, rad/s"},
  });
  static const auto table =
      hl_node::ParameterTable<S>(
          {
              {"enabled", &S::enabled, "without it the node opens no socket and does nothing", kAtStart},
              {"match", &S::match, "match mode: the node refuses to run", kAtStart},
              {"allowed", &S::allowed, "addresses of workstations that may ask and order; none: nobody", kAtStart},
              {"port", &S::port, 1, 65535, "UDP, to listen on and to send the status to", kAtStart},
              {"address", &S::address, "of the interface to listen on", kAtStart},
              {"broadcast", &S::broadcast, "address the status is sent to", kAtStart},
              {"robot_config_file", &S::robot_config_file, "robot.yaml: ids and joints of the motors; empty: no motors",
               kAtStart},
              {"empty_voltage", &S::empty_voltage, 0.0, 60.0, "of the battery, V", kAtStart},
              {"full_voltage", &S::full_voltage, 0.0, 60.0, "of the battery, V", kAtStart},
          })
          .with_at_start([](S& s) -> P& { return s.core; }, core);
  return table;
}

}  // namespace hl_remote
