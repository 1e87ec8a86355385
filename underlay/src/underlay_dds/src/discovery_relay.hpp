// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace underlay_dds::detail {

/// Lets programs of ROS 2 itself find our processes at once on loopback.
///
/// With ROS_LOCALHOST_ONLY=1 they do not multicast but announce themselves at the ports of the first ten participant
/// indices, where our processes, any number of which find each other by multicast, do not sit. One of our processes
/// takes the last free of these ports and hands each announcement to the multicast group of our processes. Those answer
/// the newcomer directly. If that process ends, another takes its place.
class DiscoveryRelay {
 public:
  explicit DiscoveryRelay(std::uint32_t domain);
  ~DiscoveryRelay();
  DiscoveryRelay(const DiscoveryRelay&) = delete;
  DiscoveryRelay& operator=(const DiscoveryRelay&) = delete;

  /// True while this process holds a port.
  bool active() const { return active_; }

 private:
  void run();
  int take_right() const;
  int take_port() const;
  void relay(int socket);

  const std::uint32_t domain_;
  int wake_ = -1;  // eventfd: the end
  std::atomic<bool> active_{false};
  std::thread thread_;
};

}  // namespace underlay_dds::detail
