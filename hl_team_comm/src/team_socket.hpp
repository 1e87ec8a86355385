// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "hl_network/udp_socket.hpp"

namespace hl_team_comm {

/// The broadcasts of a team: on one interface by its name, or on all of them.
class TeamSocket {
 public:
  struct Params {
    std::uint16_t local_port = 0, remote_port = 0;
    std::string interface;  // empty: every one that broadcasts
  };

  TeamSocket(rclcpp::Node& node, const Params& params);
  ~TeamSocket();
  TeamSocket(const TeamSocket&) = delete;
  TeamSocket& operator=(const TeamSocket&) = delete;

  /// `hear` is called from a thread of its own.
  void start(std::function<void(hl_network::Bytes)> hear);
  void send(const std::vector<std::uint8_t>& datagram);

  /// Networks come and go; to be called once a second.
  void find_network();

 private:
  void receive(const std::function<void(hl_network::Bytes)>& hear) const;

  rclcpp::Node& node_;
  Params params_;
  hl_network::UdpSocket socket_;
  std::vector<std::uint32_t> addresses_;
  bool chosen_ = false;  // hears only the interface of its name
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_team_comm
