// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_soccer/belief.hpp>
#include <hl_soccer/game.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_team_comm/message_budget.hpp"
#include "hl_team_comm/roster.hpp"

namespace hl_team_comm {

/// Tells the team what this robot knows as often as the budget allows, and hears what the team mates say.
class TeamComm {
 public:
  struct Inputs {
    const hl_soccer::Model* model = nullptr;  // own eyes only: what came from the team must not return to it
    hl_soccer::Role role = hl_soccer::Role::Idling;
    hl_soccer::Action action = hl_soccer::Action::Undefined;
    hl_soccer::OffensiveSide offensive_side = hl_soccer::OffensiveSide::Unspecified;
    std::optional<double> time_to_ball;  // s
    hl_soccer::BodyState body = hl_soccer::BodyState::Startup;
    const hl_soccer::GameState* game = nullptr;
  };

  struct Outputs {
    std::vector<std::uint8_t> datagram;           // to be sent to the team; empty = nothing
    std::vector<hl_soccer::TeamMate> team_mates;  // those that can be heard
  };

  struct Params {
    Roster::Params roster;
    MessageBudget::Params budget;
    Dialect dialect = Dialect::Mitecom;  // to speak; every dialect is understood
    double send_interval = 0.5;          // s between routine messages
    double half_duration = 600.0;        // s, to project the budget to the final whistle
    double walking_speed = 0.2;          // m/s, told to the team
    double kicking_distance = 3.0;       // m, told to the team
    std::optional<std::string> validate() const;
  };

  explicit TeamComm(const Params& params);

  /// One datagram of anybody, received at `now` (s).
  Roster::Verdict receive(hl_network::Bytes datagram, double now) { return roster_.receive(datagram, now); }

  /// To be called some ten times per second.
  Outputs step(const Inputs& inputs, double now);

  /// From now on only these team mates count; none: all.
  void limit(const std::vector<std::int64_t>& players) { roster_.limit(players); }

  const Roster& roster() const { return roster_; }

 private:
  void describe(const Inputs& inputs);
  std::vector<std::uint8_t> message(double now);

  Params params_;
  Roster roster_;
  MessageBudget budget_;
  TeamMate own_;
  Urgency pending_ = Urgency::Routine;
  bool down_ = false;
  double sent_at_ = -1e9;      // s
  std::int32_t sequence_ = 1;  // not every dialect can say 0
  Colour colour_ = Colour::Unknown;
};

/// The variance (m^2) that a belief of 0..1 stands for: half a belief is a standard deviation of 1 m.
double variance_from(double belief);

/// What a team mate said, as behaviour and models read it.
hl_soccer::TeamMate team_mate_from(const TeamMate& mate, int number, double stamp);

}  // namespace hl_team_comm
