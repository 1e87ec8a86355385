// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_network/bytes.hpp"

namespace hl_network {

/// An IPv4 address in host byte order, and a port.
struct Endpoint {
  std::uint32_t address = 0;
  std::uint16_t port = 0;

  /// From dotted text ("192.168.3.7"); nothing if that is no IPv4 address.
  static std::optional<Endpoint> from(const std::string& address, std::uint16_t port);
  std::string address_text() const;

  bool operator==(const Endpoint& other) const { return address == other.address && port == other.port; }
};

/// A non-blocking IPv4 UDP socket. Every failure of the network is an exception at the start (a port in use is a
/// mistake somebody must mend) and a `false` later (a lost cable is not).
class UdpSocket {
 public:
  enum class Sharing { Exclusive, Shared };  // Shared: several processes hear the same broadcast on one machine

  /// Binds to `bind_address` ("0.0.0.0" for every interface) and `port` (0: any free one). Throws std::runtime_error
  /// that names address, port, reason and remedy.
  UdpSocket(const std::string& bind_address, std::uint16_t port, Sharing sharing = Sharing::Exclusive);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  /// The next waiting datagram, cut to `capacity`; nothing if none waits. `sender` is where it came from.
  std::optional<std::size_t> receive(std::uint8_t* buffer, std::size_t capacity, Endpoint& sender) const;

  /// False if the network would not take it.
  bool send(Bytes bytes, const Endpoint& to) const;

  /// From now on only what arrives on that interface is heard. False if there is none of that name.
  bool listen_only_on(const std::string& interface) const;

  /// Waits until a datagram can be received or the time is over.
  bool wait_readable(int timeout_ms) const;

  std::uint16_t port() const { return port_; }

 private:
  int fd_ = -1;
  std::uint16_t port_ = 0;
};

/// An interface of this machine that has an IPv4 address and can tell everybody something.
struct Interface {
  std::string name;
  std::uint32_t address = 0;    // host byte order, as in Endpoint
  std::uint32_t broadcast = 0;  // of the loopback: 127.255.255.255
  bool loopback = false;
};

/// All that run now.
std::vector<Interface> interfaces();

/// Where to broadcast: on the interface of that name, or on every one but loopback if the name is empty.
std::vector<std::uint32_t> broadcast_addresses(const std::string& interface = "");

/// "eth0 192.168.1.5, lo 127.0.0.1", for messages to people.
std::string interface_list();

}  // namespace hl_network
