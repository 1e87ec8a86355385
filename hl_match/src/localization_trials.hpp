// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_localization/baseline.hpp>
#include <hl_soccer/odometry_history.hpp>
#include <random>
#include <vector>

#include "hl_match/trial_file.hpp"
#include "trial_mind.hpp"

namespace hl_match {

/// Believed against true poses, twice per second.
struct PoseErrors {
  std::vector<double> place, heading;   // m, rad
  std::size_t inside = 0, unknown = 0;  // of the 95 % ellipse; without any belief
  std::size_t flips = 0;                // times it began to believe the opposite pose
  bool flipped = false;                 // now
  void look(const hl_soccer::PoseBelief& belief, const hl_description::Pose2& truth, bool known = true);
};

/// One walk about the field. All methods judge the same walk, which goes by the truth.
struct WalkAbout {
  PoseErrors filter, no_compass, false_things, odometry, closed_form;
  double seconds = 0.0;
  bool fell = false;
  std::vector<std::vector<hl_description::Pose2>> tracks;  // of the first minute: truth, filter, odometry, closed form
};

/// What happens to a robot before it has to find itself.
enum class Surprise { Unknown, Carried, Reentry, Fall };

struct Found {
  bool happened = false;  // what was planned came true
  double time = 0.0;      // s until within 0.5 m and 20 degrees for half a second; `kFoundLimit` = never
  double error = 0.0;     // m, 5 s after
};
constexpr double kTrackPeriod = 0.2;  // s between two places of a track
constexpr double kFoundLimit = 30.0;

void exchange(TrialValues& values, PoseErrors& errors);
void exchange(TrialValues& values, WalkAbout& walk);
void exchange(TrialValues& values, Found& found);

class LocalizationTrials {
 public:
  explicit LocalizationTrials(const Match::Params& world) : world_(world) { world_.referee.reset(); }
  WalkAbout walk_about(std::uint64_t seed, double seconds) const;
  Found find(Surprise surprise, std::uint64_t seed) const;

 private:
  Match::Params world_;
};

/// Of all lines, posts and crossings afterwards `share` are false.
void mix_in_false(hl_soccer::Percepts& percepts, double share, std::mt19937_64& random);

}  // namespace hl_match
