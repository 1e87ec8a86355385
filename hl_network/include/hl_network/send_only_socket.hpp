// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_network/bytes.hpp"
#include "hl_network/udp_socket.hpp"

namespace hl_network {

/// A UDP socket that cannot hear: the kernel drops whatever is sent to it before it is queued. For robots that may
/// speak but must not be spoken to.
class SendOnlySocket {
 public:
  /// Throws std::runtime_error with the reason if the socket cannot be made deaf.
  explicit SendOnlySocket(const Endpoint& to);
  ~SendOnlySocket();
  SendOnlySocket(const SendOnlySocket&) = delete;
  SendOnlySocket& operator=(const SendOnlySocket&) = delete;

  /// False if the network would not take it.
  bool send(Bytes bytes) const;

  std::uint16_t port() const;  // the port the datagrams come from

 private:
  int fd_ = -1;
};

}  // namespace hl_network
