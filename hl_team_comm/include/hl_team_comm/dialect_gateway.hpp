// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_team_comm/message_budget.hpp"
#include "hl_team_comm/statement.hpp"

namespace hl_team_comm {

/// Lets robots of different teams understand each other: what is heard in one dialect is said again in the other, the
/// newest word of each robot, as often as the message budget allows. It never answers itself, and never says a robot's
/// word again in a dialect that the robot speaks.
class DialectGateway {
 public:
  struct Params {
    int team = 1;                  // the mixed team's number; told where a dialect has none
    MessageBudget::Params budget;  // each sentence said again costs the team a message
    double expiry = 2.0;           // s; an older word is not said any more
    std::optional<std::string> validate() const;
  };

  struct Outgoing {
    Dialect dialect = Dialect::Mitecom;
    std::vector<std::uint8_t> datagram;
  };

  explicit DialectGateway(const Params& params) : params_(params), budget_(params.budget) {}

  /// One datagram of anybody, received at `now` (s). False if it is not for us: an echo, another team, no dialect.
  bool receive(hl_network::Bytes datagram, double now);

  /// The referee's figures, as MessageBudget takes them.
  void set_remaining(std::optional<double> messages, double seconds_to_whistle) {
    budget_.set_remaining(messages, seconds_to_whistle);
  }

  /// What to send now. To be called some ten times per second.
  std::vector<Outgoing> step(double now);

  std::uint64_t translated() const { return translated_; }

 private:
  struct Waiting {
    Statement statement;
    double last_message_time = 0.0;
  };

  Params params_;
  MessageBudget budget_;
  std::map<std::uint16_t, std::map<Dialect, double>> spoken_;  // player: when it was heard in which dialect
  std::deque<Waiting> waiting_;                                // one per player, who waits longest first
  std::deque<std::vector<std::uint8_t>> sent_;                 // our own last words
  std::uint64_t translated_ = 0;
};

}  // namespace hl_team_comm
