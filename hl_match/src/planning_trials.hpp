// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <scenarios.hpp>  // of hl_path_planning
#include <string>
#include <vector>

#include "hl_match/figures.hpp"
#include "hl_match/trial_file.hpp"
#include "trial_mind.hpp"

namespace hl_match {

/// How a robot got to its goal, or eight of them (then the worst of each).
struct WayResult {
  bool reached = false, contact = false, hit_standing = false, ball_touched = false, fell = false;
  std::string reason;
  double time = 0.0, ideal = 0.0;                          // s
  double position_error = 0.0, heading_error = 0.0;        // m, rad
  double longest_wait = 0.0;                               // s without getting on
  std::vector<std::vector<hl_description::Pose2>> traces;  // of each robot, 10 per s
};

/// All but `reason`, which is told while it runs.
void exchange(TrialValues& values, WayResult& result);

/// The scenarios of hl_path_planning in physics. Those who stand or walk to and fro are robots too, blind ones.
class WayTrials {
 public:
  enum class By { Truth, Knowledge };  // pose and surroundings it walks by
  WayTrials(const Match::Params& world, By by);
  WayResult random_world(std::uint64_t seed) const;
  WayResult kick(std::uint64_t seed, hl_path_planning::KickSide side) const;
  WayResult crossing(std::uint64_t seed) const;
  const hl_path_planning::WalkingLimits& limits() const { return mind_.cores.limits; }
  const hl_description::Field& field() const { return world_.field; }

 private:
  Match::Params world_;
  TrialMind::Params mind_;
};

/// The q-quantile with the order statistics that hold it with 95 %.
Figure order_statistic(const std::string& name, std::vector<double> values, double q, const std::string& unit);

}  // namespace hl_match
