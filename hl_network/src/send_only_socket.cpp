// SPDX-License-Identifier: Apache-2.0
#include "hl_network/send_only_socket.hpp"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace hl_network {
namespace {

// A socket filter of one instruction, "accept 0 bytes", which nobody can take off again.
bool make_deaf(int fd) {
  sock_filter drop_all = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog program{1, &drop_all};
  const int yes = 1;
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0 &&
         setsockopt(fd, SOL_SOCKET, SO_LOCK_FILTER, &yes, sizeof yes) == 0;
}

}  // namespace

SendOnlySocket::SendOnlySocket(const Endpoint& to) {
  fd_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(to.address);
  address.sin_port = htons(to.port);
  // Deaf before it gets a port by connecting.
  if (fd_ < 0 || !make_deaf(fd_) || setsockopt(fd_, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes) != 0 ||
      connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    if (fd_ >= 0) close(fd_);
    throw std::runtime_error("cannot open a socket to " + to.address_text() + ":" + std::to_string(to.port) + ": " +
                             std::string(strerror(error)) + "; see `ip route` for the way there");
  }
}

SendOnlySocket::~SendOnlySocket() {
  close(fd_);
}

bool SendOnlySocket::send(Bytes bytes) const {
  const auto try_once = [&] {
    return ::send(fd_, bytes.data, bytes.size, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size);
  };
  // A listener that was not there leaves its refusal on the socket; the next datagram is not to pay for it.
  return try_once() || (errno == ECONNREFUSED && try_once());
}

std::uint16_t SendOnlySocket::port() const {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

}  // namespace hl_network
