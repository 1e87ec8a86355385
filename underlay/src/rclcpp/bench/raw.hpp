// SPDX-License-Identifier: Apache-2.0
// What the figures of the client library are compared with: a bare UDP datagram, and Cyclone DDS without any library
// above it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace bench {

inline constexpr std::size_t payload = 1000;  // bytes of a small message

struct Stamped {
  std::int64_t sent = 0;  // ns, steady clock
  std::uint8_t fill[payload - sizeof(std::int64_t)] = {};
};

std::int64_t now();    // ns, steady clock
double process_cpu();  // s, user and system of this process

/// Both ends call `run` in their own process; the receiver calls `received` with each message.
using Received = std::function<void(const Stamped&)>;
using Keep = std::function<bool()>;  // go on?

void udp_receive(std::uint16_t port, const Received& received, const Keep& keep);
class UdpSender {
 public:
  explicit UdpSender(std::uint16_t port);
  ~UdpSender();
  UdpSender(const UdpSender&) = delete;
  UdpSender& operator=(const UdpSender&) = delete;
  void send(const Stamped& message) const;

 private:
  int handle_;
  std::uint16_t port_;
};

/// Cyclone DDS as its own API is used: a listener that takes, and a thread that waits for it.
class RawDds {
 public:
  enum class Side { Sender, Receiver };
  explicit RawDds(Side side);
  ~RawDds();
  RawDds(const RawDds&) = delete;
  RawDds& operator=(const RawDds&) = delete;
  bool matched() const;
  void send(const Stamped& message) const;
  void receive(const Received& received, const Keep& keep);

 private:
  std::int32_t participant_ = 0;
  std::int32_t endpoint_ = 0;
};

}  // namespace bench
