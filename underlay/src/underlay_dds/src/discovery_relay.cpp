// SPDX-License-Identifier: Apache-2.0
#include "discovery_relay.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string>

namespace underlay_dds::detail {
namespace {

// Ports of the DDS standard.
constexpr unsigned base_port = 7400, domain_gain = 250, unicast_offset = 10, participant_gain = 2;
// A Cyclone DDS without a configuration sits on the indices 0..9 and announces itself to 0..8.
constexpr unsigned last_announced_index = 8;
constexpr const char* discovery_group = "239.255.0.1";
constexpr int retry = 1000;  // ms until the next try to take over from another process

sockaddr_in address_of(in_addr_t host, unsigned port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

}  // namespace

DiscoveryRelay::DiscoveryRelay(std::uint32_t domain) : domain_(domain), wake_(eventfd(0, EFD_CLOEXEC)) {
  if (wake_ < 0) return;
  // The signals of the program are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

DiscoveryRelay::~DiscoveryRelay() {
  if (wake_ < 0) return;
  const std::uint64_t one = 1;
  while (write(wake_, &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  thread_.join();
  close(wake_);
}

void DiscoveryRelay::run() {
  for (;;) {
    const int right = take_right();
    const int socket = right >= 0 ? take_port() : -1;
    if (socket >= 0) {
      active_ = true;
      relay(socket);
      active_ = false;
      close(socket);
      close(right);
      return;
    }
    if (right >= 0) close(right);
    pollfd end{wake_, POLLIN, 0};
    if (poll(&end, 1, retry) > 0) return;
  }
}

/// One process of the machine and domain is enough. The name is free again when its owner is gone, however it ended.
int DiscoveryRelay::take_right() const {
  const int handle = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (handle < 0) return -1;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "ros_discovery_relay_" + std::to_string(domain_);  // after a zero: not a file
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(handle, reinterpret_cast<const sockaddr*>(&address), length) == 0) return handle;
  close(handle);
  return -1;
}

int DiscoveryRelay::take_port() const {
  const unsigned first = base_port + domain_gain * domain_ + unicast_offset;
  for (unsigned index = last_announced_index + 1; index-- > 0;) {
    const unsigned port = first + participant_gain * index;
    if (port > 65535) continue;
    const int handle = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (handle < 0) return -1;
    const auto address = address_of(htonl(INADDR_LOOPBACK), port);
    if (bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return handle;
    close(handle);
  }
  return -1;
}

void DiscoveryRelay::relay(int socket) {
  const in_addr loopback{htonl(INADDR_LOOPBACK)};
  setsockopt(socket, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof(loopback));
  const auto group = address_of(inet_addr(discovery_group), base_port + domain_gain * domain_);
  std::array<char, 65536> packet;
  pollfd waiting[2] = {{socket, POLLIN, 0}, {wake_, POLLIN, 0}};
  for (;;) {
    if (poll(waiting, 2, -1) < 0) continue;
    if (waiting[1].revents != 0) return;
    const auto size = recv(socket, packet.data(), packet.size(), MSG_DONTWAIT);
    constexpr char protocol[4] = {'R', 'T', 'P', 'S'};
    if (size < static_cast<ssize_t>(sizeof(protocol)) || std::memcmp(packet.data(), protocol, sizeof(protocol)) != 0) {
      continue;
    }
    sendto(socket, packet.data(), static_cast<std::size_t>(size), 0, reinterpret_cast<const sockaddr*>(&group),
           sizeof(group));
  }
}

}  // namespace underlay_dds::detail
