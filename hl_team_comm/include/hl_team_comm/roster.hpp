// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hl_team_comm/link_state.hpp"
#include "hl_team_comm/statement.hpp"

namespace hl_team_comm {

/// What is known of each team mate, and how well the network carries its messages.
class Roster {
 public:
  struct Params {
    int team = 1;                 // own team number; messages of others are not ours to read
    int player = 1;               // own player number; the own broadcast comes back
    double expiry = 2.0;          // s; an older message no longer counts, unless the robot speaks seldom
    double offline_after = 10.0;  // s
    std::optional<std::string> validate() const;
  };

  struct Link {
    double last_message_time = 0.0;  // s
    std::uint64_t received = 0;
    std::uint64_t lost = 0;       // by gaps in the sequence; 0 for peers that do not count
    std::optional<double> delay;  // s beyond the fastest message so far; only for peers that tell the time
  };

  struct Entry {
    TeamMate mate;
    Dialect dialect = Dialect::Mitecom;
    Link link;
    LinkState state;
    std::optional<std::int32_t> sequence;
    std::optional<double> fastest;  // s, smallest difference of our clock and the sender's
  };

  /// OurNumber: another robot uses our player number.
  enum class Verdict : std::uint8_t { Accepted, OtherTeam, NotCounted, Ourselves, OurNumber, Malformed };

  explicit Roster(const Params& params) : params_(params) {}

  /// One datagram, received at `now` (s).
  Verdict receive(hl_network::Bytes bytes, double now);

  /// From now on only these players count; none: all of the team.
  void limit(std::vector<std::int64_t> players) { limited_to_ = std::move(players); }

  /// What we broadcast ourselves, so that its echo is known, also from a gateway that translated it.
  void note_sent(const Statement& statement, const std::vector<std::uint8_t>& datagram);

  /// Lets time pass. True if somebody should be greeted: it is new, came back, or was just lost.
  bool update(double now);

  /// The last message of that team mate still counts.
  bool fresh(const Entry& entry, double now) const;

  /// Every robot ever heard of, by number.
  const std::map<std::uint16_t, Entry>& entries() const { return entries_; }

  std::uint64_t doubles() const { return doubles_; }  // messages of somebody with our number

 private:
  void measure(const Statement& statement, Entry& entry, double now) const;
  bool is_echo(const Statement& statement, hl_network::Bytes bytes) const;
  LinkState::Params link_params() const { return {params_.expiry, params_.offline_after}; }

  Params params_;
  std::map<std::uint16_t, Entry> entries_;
  struct Sent {
    std::vector<std::uint8_t> datagram;
    std::optional<std::int32_t> sequence;
    Dialect dialect = Dialect::Mitecom;
  };
  std::array<Sent, 8> sent_;  // the last own messages
  std::size_t next_sent_ = 0;
  std::vector<std::int64_t> limited_to_;
  std::uint64_t doubles_ = 0;
  bool greet_ = false;
};

}  // namespace hl_team_comm
