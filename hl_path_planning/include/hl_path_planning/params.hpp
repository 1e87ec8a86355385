// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_node/parameter_table.hpp"

namespace hl_path_planning {

/// Everything that can be tuned about planning: lengths m, angles rad, times s.
struct Params {
  // World
  double robot_radius = 0.16;       // of any robot of the class, shoulders included
  double clearance = 0.12;          // kept between two bodies where there is room; a third of it where there is not
  double wall_clearance = 0.06;     // the same beside posts and nets
  double outside = 0.5;             // how far outside the lines it may walk
  double ball_clearance = 0.27;     // of the robot's middle from the ball, while the ball is to be avoided
  double set_play_distance = 0.75;  // from the ball in the other team's set play, rules
  double set_play_margin = 0.20;    // kept beyond what the rules ask for
  double uncertainty = 1.0;         // standard deviations of a robot's position added to its size...
  double most_uncertainty = 0.20;   // ...but not more than this
  double prediction = 0.8;          // s ahead that a walking robot is an obstacle along its way
  int most_robots = 64;             // more than these in a model are a broken model

  // Plan
  double replan_period = 0.1;
  double side_change_cost = 0.4;  // m by which the other way round must be shorter to be taken

  // Follow
  double lookahead = 0.30;           // m along the way that the robot heads for
  double turn_gain = 3.0;            // 1/s, turn rate per heading error
  double position_tolerance = 0.03;  // default of a goal
  double heading_tolerance = 0.07;   // default of a goal
  double settle_time = 0.3;          // the robot must have stood this long to have arrived

  // Other robots on the move
  double avoidance_horizon = 3.0;  // a collision later than this does not matter
  double avoidance_weight = 0.35;  // m/s of detour that a collision in 1 s is worth
  double personal_space = 0.03;    // m between two bodies that counts as a collision

  // Kick pose, orbit
  double kick_ahead = 0.17;         // ball ahead of the middle between the feet
  double kick_aside = 0.055;        // ball beside it, on the side of the kicking foot
  double approach = 0.10;           // behind the kick pose, where the last straight way begins
  double slow_distance = 0.40;      // the last way to a kick pose is walked slowly...
  double slow_speed = 0.22;         // ...with this, m/s
  double orbit_radius = 0.32;       // as near to the ball as is safe
  double ball_deceleration = 0.30;  // m/s^2 of a rolling ball

  // Patience
  double stuck_time = 2.0;      // without any motion although it should walk: another way
  double circling_time = 8.0;   // without coming nearer: another way
  int strikes = 3;              // so often, then it fails
  double patience = 5.0;        // waits for a free way, a pose or a model
  double body_patience = 20.0;  // waits for the body: fallen, getting up, animation
  double pose_age = 0.5;        // an older pose is not walked by
  double model_age = 1.0;       // an older model neither
  double robot_memory = 3.0;    // a robot not seen for so long is no obstacle any more

  /// The first bad value, its range and remedy, in words; nothing if all is well.
  std::optional<std::string> validate() const;
};

/// Name, range and meaning of each value; the node and `validate` share it.
const hl_node::ParameterTable<Params>& parameters();

}  // namespace hl_path_planning
