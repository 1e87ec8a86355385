// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace hl_team_comm {

enum class Connection : std::uint8_t { Disconnected, Connecting, Connected };
std::string_view name(Connection connection);

/// The connection to one team mate. Whoever is heard is greeted first and counts as connected when it is heard again,
/// so that nobody goes from disconnected to connected at once. The watchdog runs only while connected.
class LinkState {
 public:
  struct Params {
    double watchdog = 2.0;  // s of silence after which a team mate is lost; longer for one that speaks seldom
    double give_up = 10.0;  // s of silence after which it is no longer waited for
  };

  /// A message came at `now` (s). True if the robot must be greeted: it is new, or just connected and needs to be told
  /// what we tell only now and then.
  bool heard(double now, const Params& params) {
    check(now, params);
    if (last_message_time_ > kNever && connection_ != Connection::Disconnected) {
      // Restarts and losses must not stretch it for ever.
      const double interval = std::min(now - last_message_time_, params.give_up);
      interval_ += kSmoothing * (interval - interval_);
    }
    last_message_time_ = now;
    if (connection_ == Connection::Connected) return false;
    connection_ = connection_ == Connection::Disconnected ? Connection::Connecting : Connection::Connected;
    return true;
  }

  /// Lets time pass. True if the team mate was just lost and should be greeted again.
  bool check(double now, const Params& params) {
    const double silence = now - last_message_time_;
    if (connection_ == Connection::Connected && silence > patience(params)) {
      connection_ = Connection::Connecting;
      return true;
    }
    if (connection_ == Connection::Connecting && silence > std::max(params.give_up, patience(params)))
      connection_ = Connection::Disconnected;
    return false;
  }

  Connection connection() const { return connection_; }
  double last_message_time() const { return last_message_time_; }  // s

  /// s for which the last message counts: a team mate that saves messages is not lost between two of them.
  double patience(const Params& params) const {
    constexpr double kMessages = 2.5;
    return std::max(params.watchdog, std::min(kMessages * interval_, params.give_up));
  }

 private:
  static constexpr double kNever = -1e9;
  static constexpr double kSmoothing = 0.3;
  Connection connection_ = Connection::Disconnected;
  double last_message_time_ = kNever;
  double interval_ = 0.0;  // s between messages, smoothed
};

}  // namespace hl_team_comm
