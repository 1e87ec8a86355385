// SPDX-License-Identifier: Apache-2.0
#include "hl_network/udp_socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace hl_network {
namespace {

sockaddr_in socket_address(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(endpoint.address);
  address.sin_port = htons(endpoint.port);
  return address;
}

std::string remedy_for(int error) {
  switch (error) {
    case EADDRINUSE:
      return "another program listens there: stop it, or give one of them another port";
    case EACCES:
      return "ports below 1024 need special rights: choose a higher one";
    case EADDRNOTAVAIL:
      return "no interface of this machine has that address: see `ip address`";
    default:
      return "see `ip address` for the state of the network";
  }
}

}  // namespace

std::optional<Endpoint> Endpoint::from(const std::string& address, std::uint16_t port) {
  in_addr parsed{};
  if (inet_pton(AF_INET, address.c_str(), &parsed) != 1) return std::nullopt;
  return Endpoint{ntohl(parsed.s_addr), port};
}

std::string Endpoint::address_text() const {
  char text[INET_ADDRSTRLEN] = {};
  const in_addr raw{htonl(address)};
  inet_ntop(AF_INET, &raw, text, sizeof text);
  return text;
}

UdpSocket::UdpSocket(const std::string& bind_address, std::uint16_t port, Sharing sharing) {
  const auto local = Endpoint::from(bind_address, port);
  if (!local) throw std::runtime_error("'" + bind_address + "' is not an IPv4 address; use for example 0.0.0.0");

  fd_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int yes = 1;
  bool prepared = fd_ >= 0 && setsockopt(fd_, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes) == 0;
  if (sharing == Sharing::Shared) {
    prepared = prepared && setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0;
  }
  auto address = socket_address(*local);
  if (!prepared || bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    if (fd_ >= 0) close(fd_);
    throw std::runtime_error("cannot open UDP " + bind_address + ":" + std::to_string(port) + ": " +
                             std::string(strerror(error)) + "; " + remedy_for(error));
  }
  socklen_t length = sizeof address;
  getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length);
  port_ = ntohs(address.sin_port);
}

UdpSocket::~UdpSocket() {
  close(fd_);
}

std::optional<std::size_t> UdpSocket::receive(std::uint8_t* buffer, std::size_t capacity, Endpoint& sender) const {
  sockaddr_in from{};
  socklen_t length = sizeof from;
  const auto received = recvfrom(fd_, buffer, capacity, 0, reinterpret_cast<sockaddr*>(&from), &length);
  if (received < 0) return std::nullopt;
  sender = {ntohl(from.sin_addr.s_addr), ntohs(from.sin_port)};
  return static_cast<std::size_t>(received);
}

bool UdpSocket::send(Bytes bytes, const Endpoint& to) const {
  const auto address = socket_address(to);
  const auto sent =
      sendto(fd_, bytes.data, bytes.size, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return sent == static_cast<ssize_t>(bytes.size);
}

bool UdpSocket::wait_readable(int timeout_ms) const {
  pollfd wanted{fd_, POLLIN, 0};
  return poll(&wanted, 1, timeout_ms) > 0;
}

bool UdpSocket::listen_only_on(const std::string& interface) const {
  return setsockopt(fd_, SOL_SOCKET, SO_BINDTODEVICE, interface.c_str(), static_cast<socklen_t>(interface.size())) == 0;
}

std::vector<Interface> interfaces() {
  std::vector<Interface> result;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return result;
  const auto address_of = [](const sockaddr* address) {
    return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
  };
  for (const auto* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET || (one->ifa_flags & IFF_UP) == 0) continue;
    constexpr std::uint32_t kLoopbackBroadcast = 0x7FFFFFFF;  // 127.255.255.255
    const bool loopback = (one->ifa_flags & IFF_LOOPBACK) != 0;
    const bool broadcasts = (one->ifa_flags & IFF_BROADCAST) != 0 && one->ifa_broadaddr != nullptr;
    if (!loopback && !broadcasts) continue;
    result.push_back({one->ifa_name, address_of(one->ifa_addr),
                      loopback ? kLoopbackBroadcast : address_of(one->ifa_broadaddr), loopback});
  }
  freeifaddrs(all);
  return result;
}

std::vector<std::uint32_t> broadcast_addresses(const std::string& interface) {
  std::vector<std::uint32_t> result;
  for (const Interface& one : interfaces()) {
    if (interface.empty() ? !one.loopback : one.name == interface) result.push_back(one.broadcast);
  }
  return result;
}

std::string interface_list() {
  std::string text;
  for (const Interface& one : interfaces())
    text += (text.empty() ? "" : ", ") + one.name + " " + Endpoint{one.address, 0}.address_text();
  return text.empty() ? "none" : text;
}

}  // namespace hl_network
