// SPDX-License-Identifier: Apache-2.0
#include "team_socket.hpp"

#include <net/if.h>

#include <array>
#include <chrono>

namespace hl_team_comm {

TeamSocket::TeamSocket(rclcpp::Node& node, const Params& params) : node_(node), params_(params) {
  if (params_.interface.empty()) open();
  find_network();
}

TeamSocket::~TeamSocket() {
  stopping_ = true;
  if (receiver_.joinable()) receiver_.join();
}

void TeamSocket::open() {
  auto socket =
      std::make_shared<hl_network::UdpSocket>("0.0.0.0", params_.local_port, hl_network::UdpSocket::Sharing::Shared);
  if (!params_.interface.empty() && !socket->listen_only_on(params_.interface)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  socket_ = std::move(socket);
}

TeamSocket::Socket TeamSocket::socket() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return socket_;
}

void TeamSocket::find_network() {
  addresses_ = hl_network::broadcast_addresses(params_.interface);
  // A stick that is pulled and plugged in again has the same name and another number, which the old socket never hears.
  const unsigned index = params_.interface.empty() ? 0 : if_nametoindex(params_.interface.c_str());
  if (index != 0 && index != index_) {
    open();
    index_ = index;
  }
  if (!addresses_.empty()) return;
  const std::string wanted =
      params_.interface.empty() ? "no network with broadcast" : "no network '" + params_.interface + "'";
  RCLCPP_WARN_THROTTLE(node_.get_logger(), *node_.get_clock(), 10'000, "%s: team mates cannot be reached; there is %s",
                       wanted.c_str(), hl_network::interface_list().c_str());
}

void TeamSocket::send(const std::vector<std::uint8_t>& datagram) {
  const Socket socket = this->socket();
  if (!socket) return;
  for (const auto address : addresses_) {
    const hl_network::Endpoint to{address, params_.remote_port};
    if (!socket->send({datagram.data(), datagram.size()}, to)) {
      RCLCPP_WARN_THROTTLE(node_.get_logger(), *node_.get_clock(), 10'000, "the network takes no messages for %s",
                           to.address_text().c_str());
    }
  }
}

void TeamSocket::start(std::function<void(hl_network::Bytes)> hear) {
  receiver_ = std::thread([this, hear = std::move(hear)] { receive(hear); });
}

void TeamSocket::receive(const std::function<void(hl_network::Bytes)>& hear) const {
  constexpr int kWaitMilliseconds = 200;  // so that the thread notices the end of the node
  std::array<std::uint8_t, 2048> buffer{};
  hl_network::Endpoint sender;
  while (!stopping_) {
    const Socket socket = this->socket();
    if (!socket) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kWaitMilliseconds));
      continue;
    }
    if (!socket->wait_readable(kWaitMilliseconds)) continue;
    if (const auto size = socket->receive(buffer.data(), buffer.size(), sender)) hear({buffer.data(), *size});
  }
}

}  // namespace hl_team_comm
