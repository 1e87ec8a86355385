// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_path_planning/params.hpp"
#include "hl_path_planning/types.hpp"
#include "hl_path_planning/world.hpp"

namespace hl_path_planning {

/// Settles the next seconds with other robots: of all velocities the walk can do, the one that is near the wanted one
/// and does not lead into a body soon. Who moves too is expected to do its share, so that crossing ways are settled
/// without a word.
struct AvoidanceResult {
  Velocity velocity;
  int robot = -1;  // index of the robot because of which it differs from the wanted velocity; -1 = none
};
AvoidanceResult avoid_robots(const Velocity& wanted, const Velocity& last, const Pose2& here,
                             const std::vector<OtherRobot>& robots, const WalkingLimits& limits, const Params& params);

/// Seconds until two discs touch, `radius` = sum of theirs; `at` = the other seen from here, `approach` = own minus its
/// velocity. Infinite if never. Already touching: 0 if they come nearer, else infinite.
double time_to_contact(const Vector2d& at, const Vector2d& approach, double radius);

}  // namespace hl_path_planning
