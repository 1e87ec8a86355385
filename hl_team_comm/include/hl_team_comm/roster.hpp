// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "hl_team_comm/team_mate.hpp"

namespace hl_team_comm {

enum class Connection : std::uint8_t { Online, Unreachable, Offline };
std::string_view name(Connection connection);

/// What is known of each team mate, and how well the network carries its messages.
class Roster {
 public:
  struct Params {
    int team = 1;                 // own team number; messages of others are not ours to read
    int player = 1;               // own player number; the own broadcast comes back
    double expiry = 2.0;          // s; an older message no longer counts
    double offline_after = 10.0;  // s
    std::optional<std::string> validate() const;
  };

  struct Link {
    double heard_at = 0.0;  // s
    std::uint64_t received = 0;
    std::uint64_t lost = 0;       // by gaps in the sequence; 0 for peers that do not count
    std::optional<double> delay;  // s beyond the fastest message so far; only for peers that tell the time
  };

  struct Entry {
    TeamMate mate;
    Link link;
    std::optional<std::int32_t> sequence;
    std::optional<double> fastest;  // s, smallest difference of our clock and the sender's
  };

  enum class Verdict : std::uint8_t { Accepted, OtherTeam, Ourselves, Malformed };

  explicit Roster(const Params& params) : params_(params) {}

  /// One datagram, received at `now` (s).
  Verdict receive(hl_network::Bytes bytes, double now);

  Connection connection(const Entry& entry, double now) const;

  /// Every robot ever heard of, by number.
  const std::map<std::uint16_t, Entry>& entries() const { return entries_; }

 private:
  void measure(const mitecom::Message& message, Entry& entry, double now) const;

  Params params_;
  std::map<std::uint16_t, Entry> entries_;
};

}  // namespace hl_team_comm
