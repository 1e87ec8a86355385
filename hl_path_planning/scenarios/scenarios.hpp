// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kinematic_world.hpp"

namespace hl_path_planning {

/// One goal in a world of others, as it went.
struct Trial {
  bool reached = false;
  std::string reason;  // of the result
  double time = 0.0;   // s
  double ideal = 0.0;  // s: straight way at full speed, turns at full rate, 1.5 s to start and stop
  double position_error = 0.0, heading_error = 0.0;  // m, rad
  int contacts = 0;
  bool ball_touched = false;
  double longest_wait = 0.0;  // s
};

/// The goals and everything that is in the way are drawn from the seed; whoever plays them in another world (physics)
/// needs only these.
struct RandomWorld {
  Pose2 start;
  Goal goal;
  std::vector<Walker> walkers;
};
RandomWorld random_world(std::uint32_t seed, const hl_description::Field& field);

enum class KickSide { Any, Worst };  // from any side; the robot stands where the ball has to go
struct KickWorld {
  Pose2 start;
  Goal goal;
  Vector2d ball = Vector2d::Zero();
};
KickWorld kick_world(std::uint32_t seed, KickSide side, double distance = 2.0);

struct Crossing {
  std::vector<Pose2> starts;
  std::vector<Goal> goals;
};
Crossing crossing(std::uint32_t seed, const hl_description::Field& field);

double ideal_time(const Pose2& start, const Pose2& goal, const WalkingLimits& limits);

// The same in the kinematic world.
Trial run_random_world(std::uint32_t seed, const Params& params, KinematicWorld* keep = nullptr);
Trial run_kick(std::uint32_t seed, KickSide side, const Params& params, KinematicWorld* keep = nullptr);
/// `reached`: all arrived.
Trial run_crossing(std::uint32_t seed, const Params& params, KinematicWorld* keep = nullptr);

}  // namespace hl_path_planning
