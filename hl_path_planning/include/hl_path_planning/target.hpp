// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_path_planning/params.hpp"
#include "hl_path_planning/types.hpp"

namespace hl_path_planning {

/// The goal as a pose to walk to now, in the frame of the plan.
struct Target {
  Pose2 pose;
  HeadingMode heading = HeadingMode::Free;
  Vector2d look_at = Vector2d::Zero();
  std::optional<Vector2d> keep_in_view;
  struct Disc {
    Vector2d centre;
    double radius;
  };
  std::optional<Disc> ball;  // not to be walked into
  bool slow_end = false;     // the last way slowly
  bool final = true;         // this pose is the goal itself, not a station on the way
};

/// What of a goal does not make sense, in words; nothing if all is well.
std::optional<std::string> find_fault(const Goal& goal);

/// The goal in another frame. Velocities and offsets turn with it.
Goal moved(const Goal& goal, const Pose2& other_from_goal);

/// Where a ball that rolls and slows down is after `time`.
Vector2d rolled(const Vector2d& ball, const Vector2d& velocity, double time, double deceleration);

/// Turns each kind of goal into a pose; remembers what must not flicker: the foot and the stage of a kick approach.
class TargetFinder {
 public:
  /// `goal` in the frame of the plan; `arrival`: s until the robot is there, as far as known.
  Target find(const Goal& goal, const Pose2& here, double arrival, const Params& params, double now);
  void restart();
  Foot foot() const { return foot_; }

 private:
  Target kick_pose(const Goal& goal, const Pose2& here, double arrival, const Params& params, double now);

  Foot foot_ = Foot::Any;
  bool last_stage_ = false;
};

}  // namespace hl_path_planning
