// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_remote/link_packet.hpp"

namespace hl_remote {

/// Puts the datagrams of one or many robots together again. Lost, doubled, damaged, reordered ones and those of an
/// older start of the sender are counted and never become a message; memory is bounded whatever arrives.
class LinkReceiver {
 public:
  struct Params {
    double give_up = 1.0;          // s after which a message whose fragments did not all come is lost
    double session_silence = 5.0;  // s of silence after which a session with a smaller number is believed
    std::size_t max_robots = 16;
    std::size_t max_topics = 200;           // of one robot
    std::size_t max_open = 64;              // incomplete messages of one robot
    std::size_t max_open_bytes = 8u << 20;  // that they hold together
  };

  struct Message {
    std::string robot;
    LinkMessage content;
  };

  /// How well a robot is heard.
  struct Robot {
    std::uint32_t session = 0;
    double last_heard = 0.0;     // s
    std::uint64_t received = 0;  // messages given out
    std::uint64_t lost = 0;      // messages of which something is missing
    std::uint64_t doubled = 0;   // datagrams that had come before
    std::uint64_t late = 0;      // messages older than one already given out
    std::uint64_t damaged = 0;   // complete, but no message
    std::uint64_t restarts = 0;
    double loss() const;      // share of the last messages, 0..1
    std::deque<bool> recent;  // true = lost; newest last
  };

  LinkReceiver();
  explicit LinkReceiver(const Params& params) : params_(params) {}

  /// One datagram, arrived at `now` (s); the message it completes, if any.
  std::optional<Message> receive(hl_network::Bytes datagram, double now);

  /// Gives up messages that stay incomplete. To be called about once a second.
  void tidy(double now);

  struct Foreign {
    std::uint64_t other_version = 0, no_link = 0, too_many_robots = 0, too_many_topics = 0;
    std::uint8_t version = 0;  // the last other version heard
  };
  const Foreign& foreign() const { return foreign_; }
  std::map<std::string, Robot> robots() const;

 private:
  struct Open {
    std::vector<Buffer> shares;
    std::size_t missing = 0, bytes = 0;
    double begun = 0.0;
  };
  struct Peer {
    Robot statistics;
    std::map<std::uint32_t, Open> open;           // by number of the message
    std::map<std::uint32_t, bool> done;           // the last ones: number, was it complete
    std::uint32_t highest = 0;                    // number of the newest message heard of
    std::map<std::string, std::uint32_t> newest;  // per topic, number of the message given out last
    std::size_t open_bytes = 0;
  };

  Peer* peer_of(const LinkHeader& header, double now);
  void close(Peer& peer, std::uint32_t message, bool complete);
  void notice_gaps(Peer& peer, std::uint32_t message, double now);
  void keep_bounds(Peer& peer);
  std::optional<Message> deliver(Peer& peer, const std::string& robot, const Buffer& frame);

  Params params_;
  std::map<std::string, Peer> peers_;
  Foreign foreign_;
};

}  // namespace hl_remote
