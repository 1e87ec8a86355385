// SPDX-License-Identifier: Apache-2.0
#include "team_socket.hpp"

#include <array>

namespace hl_team_comm {

TeamSocket::TeamSocket(rclcpp::Node& node, const Params& params)
    : node_(node), params_(params), socket_("0.0.0.0", params.local_port, hl_network::UdpSocket::Sharing::Shared) {
  find_network();
}

TeamSocket::~TeamSocket() {
  stopping_ = true;
  if (receiver_.joinable()) receiver_.join();
}

void TeamSocket::find_network() {
  addresses_ = hl_network::broadcast_addresses(params_.interface);
  if (!params_.interface.empty() && !chosen_) chosen_ = socket_.listen_only_on(params_.interface);
  if (!addresses_.empty()) return;
  const std::string wanted =
      params_.interface.empty() ? "no network with broadcast" : "no network '" + params_.interface + "'";
  RCLCPP_WARN_THROTTLE(node_.get_logger(), *node_.get_clock(), 10'000, "%s: team mates cannot be reached; there is %s",
                       wanted.c_str(), hl_network::interface_list().c_str());
}

void TeamSocket::send(const std::vector<std::uint8_t>& datagram) {
  for (const auto address : addresses_) {
    const hl_network::Endpoint to{address, params_.remote_port};
    if (!socket_.send({datagram.data(), datagram.size()}, to)) {
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
    if (!socket_.wait_readable(kWaitMilliseconds)) continue;
    if (const auto size = socket_.receive(buffer.data(), buffer.size(), sender)) hear({buffer.data(), *size});
  }
}

}  // namespace hl_team_comm
