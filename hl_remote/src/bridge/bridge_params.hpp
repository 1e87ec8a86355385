// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_node/parameter_table.hpp"

namespace hl_remote {

struct BridgeParams {
  std::string address = "127.0.0.1";
  int port = 8765;
  bool commands = true;
  std::string token_file;
  bool match = false;
  std::vector<std::string> origins;
  std::string certificate, key;
  int most_clients = 32;

  std::optional<std::string> validate() const {
    if (certificate.empty() != key.empty())
      return certificate.empty() ? "key is given without certificate: TLS needs both"
                                 : "certificate is given without key: TLS needs both";
    return std::nullopt;
  }
};

inline const hl_node::ParameterTable<BridgeParams>& bridge_parameters() {
  using hl_node::Change;
  static const hl_node::ParameterTable<BridgeParams> table = {
      {"address", [](BridgeParams& p) -> std::string& { return p.address; },
       "to listen on; 0.0.0.0: other machines may look, too", Change::AtStart},
      {"port", [](BridgeParams& p) -> int& { return p.port; }, 0, 65535, "of page and WebSocket; 0: any free one",
       Change::AtStart},
      {"commands", [](BridgeParams& p) -> bool& { return p.commands; },
       "whoever has the token may command; false: everybody only looks", Change::AtStart},
      {"token_file", [](BridgeParams& p) -> std::string& { return p.token_file; },
       "file with the token; empty: a new one is shown at each start", Change::AtStart},
      {"match", [](BridgeParams& p) -> bool& { return p.match; },
       "nothing that reaches a robot is accepted, as in READY, SET and PLAYING", Change::AtStart},
      {"origins", [](BridgeParams& p) -> std::vector<std::string>& { return p.origins; },
       "other web pages that may connect, as https://host", Change::AtStart},
      {"certificate", [](BridgeParams& p) -> std::string& { return p.certificate; }, "PEM file; with it TLS is spoken",
       Change::AtStart},
      {"key", [](BridgeParams& p) -> std::string& { return p.key; }, "PEM file of the certificate's key",
       Change::AtStart},
      {"most_clients", [](BridgeParams& p) -> int& { return p.most_clients; }, 1, 1000, "at the same time",
       Change::AtStart},
  };
  return table;
}

}  // namespace hl_remote
