// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hl_team_comm {

/// How urgent a message is.
enum class Urgency : std::uint8_t {
  Routine,    // regular update
  Event,      // something changed: role, ball found or lost
  Important,  // must go out now: fallen, penalised, about to score
};

/// Spreads the messages that a team may still send over the rest of the game: a token bucket, filled at the rate that
/// lasts until the final whistle. Events may empty it, routine leaves a reserve, importance may overdraw it.
/// A robot never sends more than its equal part of what the referee told first, by its own count: the team keeps the
/// budget though the referee's later figures are lost, late or doubled. These only lower what is left.
class MessageBudget {
 public:
  struct Params {
    double min_interval = 0.5;     // s between two messages of whatever urgency but Important
    double without_budget = 0.5;   // s between routine messages while the referee tells no budget
    double burst = 3.0;            // messages that may be saved up
    double routine_reserve = 1.0;  // messages that routine leaves for events
    double overdraft = 2.0;        // messages that importance may borrow
    int team_size = 4;             // robots that share the budget
    std::optional<std::string> validate() const;
  };

  explicit MessageBudget(const Params& params) : params_(params) {}

  /// The referee's figures: messages left for the team (nothing: no limit) and s until the final whistle.
  void set_remaining(std::optional<double> messages, double seconds_to_whistle);

  /// Asks to send now (s); if granted, the message is counted.
  bool request(Urgency urgency, double now);

  /// s between messages that the budget sustains.
  double sustainable_interval() const;

  /// Messages this robot may still send; nothing: no limit.
  std::optional<double> left() const { return own_share_; }

 private:
  Params params_;
  std::optional<double> own_share_;  // messages left for this robot
  std::optional<double> told_;       // messages left for the team, as the referee said last
  double seconds_left_ = 0.0;
  double tokens_ = 1.0;
  std::optional<double> updated_at_;
  std::optional<double> sent_at_;
};

}  // namespace hl_team_comm
