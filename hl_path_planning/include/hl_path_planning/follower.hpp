// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hl_path_planning/params.hpp"
#include "hl_path_planning/types.hpp"

namespace hl_path_planning {

/// Where the robot will be when a command given now begins to show: the commands of the last step are still to come.
class CommandsInFlight {
 public:
  void add(const Velocity& command, double now);
  Pose2 ahead(const Pose2& measured, double now, const WalkingLimits& limits) const;

 private:
  struct Entry {
    Velocity velocity;
    double time;
  };
  std::array<Entry, 128> entries_;  // ring; more than a second at 100 Hz
  std::size_t next_ = 0, count_ = 0;
  double last_walked_ = -1e9;  // s, last command that was not zero
  double started_ = -1e9;      // s, first command after a stand: the weight is shifted before the first step
};

/// What to follow and how.
struct FollowRequest {
  const std::vector<Vector2d>* way = nullptr;  // at least one point; the last is the end
  double end_heading = 0.0;                    // rad
  HeadingMode heading = HeadingMode::Free;
  double kept_heading = 0.0;             // rad, HeadingMode::Keep
  Vector2d look_at = Vector2d::Zero();   // HeadingMode::At
  std::optional<Vector2d> keep_in_view;  // headings that turn away from this are avoided
  double speed_limit = 10.0;             // m/s
  double slow_distance = 0.0;            // m before the end from which...
  double slow_speed = 10.0;              // ...this is the limit, m/s
  double position_tolerance = 0.03, heading_tolerance = 0.07;
  bool settling = false;  // the feet are coming together: the body sways, and the robot goes on standing
};

/// Walks along a way as two legs can: since moving ahead, aside and turning share the legs, the time of a motion is the
/// sum of its parts, and the best heading for the rest of the way is one of a few: along it, back along it, the present
/// one, the final one. Far away that means turn and walk, near it means sideways and backwards with the final heading.
class Follower {
 public:
  struct Motion {
    Velocity velocity;
    double distance = 0.0;   // m left
    double time_left = 0.0;  // s
    bool arrived = false;    // within tolerance: stand
    bool settled = false;    // ...and not only because the body may still sway
  };

  Motion follow(const FollowRequest& request, const Pose2& here, const WalkingLimits& limits, const Params& params);
  void restart();

 private:
  enum class Style { Along, Back, Present, Final };
  Style choose_style(const FollowRequest& request, const Pose2& here, std::size_t segment, const WalkingLimits& limits,
                     double& time);
  Style style_ = Style::Along;
  bool standing_ = false;
  int left_again_ = 0;  // times it stood at the end and had to walk once more
};

/// The next command on the way from `last` to `wanted` with the walk's acceleration.
Velocity accelerate(const Velocity& last, const Velocity& wanted, const WalkingLimits& limits, double dt);

}  // namespace hl_path_planning
