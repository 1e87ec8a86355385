// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hl_remote/link_packet.hpp"

namespace hl_remote {

/// Packs chosen topics of a robot into datagrams and never sends more than its budget: the newest message of each topic
/// at its rate, latched ones again and again, large ones in fragments that share the way with the others.
class LinkSender {
 public:
  struct Params {
    std::string robot = "robot";
    std::uint32_t session = 1;                    // must grow with each start
    double budget = 200e3;                        // bytes in any second, with the headers of UDP and IP
    int datagram = 1400;                          // bytes of payload; what passes a wireless network in one piece
    double repeat_latched = 2.0;                  // s; a listener that comes late, or missed it, gets it then
    int compression = 3;                          // level of zstd; 3 is fast
    std::optional<std::string> validate() const;  // the first bad value, in words
  };

  struct Topic {
    std::string name;   // relative to the robot's namespace
    double rate = 0.0;  // Hz at the most; 0 = as often as it comes and the budget allows
  };

  struct Statistics {
    std::uint64_t messages = 0, datagrams = 0, bytes = 0;  // sent
    std::uint64_t replaced = 0;                            // by a newer one before the budget let them go
    std::uint64_t too_large = 0;
  };

  /// Throws std::invalid_argument if a parameter or a topic's rate is bad.
  LinkSender(const Params& params, const std::vector<Topic>& topics);

  /// A new message of topic `index`; the older one that still waits is replaced.
  void offer(std::size_t index, const std::string& type, bool latched, hl_network::Bytes serialized,
             std::int64_t stamp_ns);

  /// Sends what is due and what the budget allows. To be called often (every 10 ms); `now` in s, never going back.
  void poll(double now, const std::function<void(hl_network::Bytes)>& send);

  const Statistics& statistics() const { return statistics_; }

 private:
  struct Lane {
    Topic topic;
    std::optional<LinkMessage> waiting;    // newest, not yet packed
    std::optional<LinkMessage> to_repeat;  // the last one of a latched topic
    std::vector<Buffer> fragments;         // of the message on its way
    std::size_t next = 0;                  // fragment to go
    double next_due = 0.0;
    double next_repeat = 0.0;
    std::uint32_t number = 0;
  };

  void fill(double now);
  void pack_next(Lane& lane, double now);

  Params params_;
  std::vector<Lane> lanes_;
  std::size_t turn_ = 0;  // lane whose turn it is, so that nobody starves
  std::uint32_t message_ = 0;
  double tokens_ = 0.0;  // bytes that may go now
  std::optional<double> last_poll_;
  Statistics statistics_;
};

}  // namespace hl_remote
