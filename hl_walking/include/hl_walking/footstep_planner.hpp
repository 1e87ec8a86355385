// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_walking/params.hpp"
#include "hl_walking/types.hpp"

namespace hl_walking {

/// Turns a commanded velocity into footsteps the legs can do.
///
/// Sideways and turning steps are done by the leading foot: it takes the double distance outwards, the trailing foot
/// then only closes up. So the feet never come closer than they stand.
class FootstepPlanner {
 public:
  /// `params` must outlive the planner.
  explicit FootstepPlanner(const Params& params) : params_(params) {}

  /// The command, cut to what the robot may do; not-a-number counts as zero.
  Velocity limit(const Velocity& commanded) const;

  /// `current`, moved towards `commanded` by what the accelerations allow in `dt`.
  Velocity accelerate(const Velocity& current, const Velocity& commanded, double dt) const;

  /// Where the foot of side `swing` stands next, seen from the support foot, when the robot goes on with `velocity`.
  Pose2 step(Side swing, const Velocity& velocity) const;

  /// The foot of side `swing` beside the support foot.
  Pose2 neutral(Side swing) const;

  /// The nearest landing (seen from the support foot) that the leg reaches and at which the feet do not touch.
  Pose2 reachable(Side swing, const Pose2& landing) const;

 private:
  const Params& params_;
};

}  // namespace hl_walking
