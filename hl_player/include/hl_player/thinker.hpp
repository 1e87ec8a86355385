// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_soccer/belief.hpp>
#include <hl_soccer/game.hpp>
#include <hl_soccer/percepts.hpp>
#include <optional>
#include <vector>

#include "hl_player/motion.hpp"

namespace hl_player {

/// What knows and decides in a robot; a team may put its own in place of ours
/// (`Mind`).
class Thinker {
 public:
  struct Inputs {
    std::vector<hl_soccer::Percepts> percepts;  // that have become known now
    const Motion* motion = nullptr;             // what moves the robot, if it is ours
    Mover::Carriage carriage;                   // odometry and where the trunk is
    const Mover::Outputs* body = nullptr;       // state, and how kicks and animations ended
    std::optional<Eigen::VectorXd> positions;   // rad, measured
    const hl_soccer::GameState* game = nullptr;
    const std::vector<hl_soccer::TeamMate>* team_mates = nullptr;
  };

  struct Outputs {
    Mover::Orders orders;
    const char* say = nullptr;  // to be spoken
    double data_age = 0.0;      // s, of the model behind the last decision
    // told to the team
    hl_soccer::Model model;  // by its own eyes
    hl_soccer::Role role = hl_soccer::Role::Idling;
    hl_soccer::Action action = hl_soccer::Action::Undefined;
    hl_soccer::OffensiveSide side = hl_soccer::OffensiveSide::Unspecified;
    std::optional<double> time_to_ball;  // s
  };

  Thinker() = default;
  virtual ~Thinker() = default;
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  /// One control tick at `now` (s). The outputs stay valid until the next.
  virtual const Outputs& step(const Inputs& inputs, double now) = 0;
};

}  // namespace hl_player
