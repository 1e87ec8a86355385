// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "hl_network/udp_socket.hpp"

namespace hl_team_comm {

/// The broadcasts of a team: on one interface by its name, or on all of them. The named one may come later, and go and
/// come again as another device of the same name; nothing is heard on others meanwhile.
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
  using Socket = std::shared_ptr<const hl_network::UdpSocket>;
  void open();
  Socket socket() const;
  void receive(const std::function<void(hl_network::Bytes)>& hear) const;

  rclcpp::Node& node_;
  Params params_;
  mutable std::mutex mutex_;
  Socket socket_;  // none while the named interface is not there; changed with the mutex
  std::vector<std::uint32_t> addresses_;
  unsigned index_ = 0;  // of the named interface that the socket belongs to
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_team_comm
