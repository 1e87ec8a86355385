// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hl_match/trial_file.hpp"
#include "trial_mind.hpp"

namespace hl_match {

/// How pictures or words come late, and whether the receiver knows it.
struct Lateness {
  double delay = 0.0, jitter = 0.0, loss = 0.0;  // s, s to either side, share
  bool compensated = true;                       // counts at its stamp; otherwise when it arrives
};
/// Rows of the table of late pictures and of late words; each with and without compensation.
const std::vector<Lateness>& late_pictures();
const std::vector<Lateness>& late_words();

/// Errors of a model in m, of what was seen within half a second: ball within 2 m, ball within 4 m, robots within 3 m.
struct ModelErrors {
  std::vector<double> near, far, robots;
  std::size_t inside = 0;  // of the ball's 95 % ellipse
};

struct ModelWalk {
  ModelErrors own;                // of the robot's own model, through its player
  std::vector<ModelErrors> late;  // by `late_pictures`
};

/// A shot at the goal as its keeper sees it.
struct Shot {
  bool judged = false;
  double time_error = 0.0;   // s
  double place_error = 0.0;  // m
};

/// s, until a ball that was taken away is not believed any more: all of it, and while its place was in the picture.
struct Forgetting {
  bool judged = false;  // it was believed before
  double all = 0.0, looked_at = 0.0;
};

void exchange(TrialValues& values, ModelErrors& errors);
void exchange(TrialValues& values, ModelWalk& walk);
void exchange(TrialValues& values, Shot& shot);
void exchange(TrialValues& values, Forgetting& forgetting);

class ModelTrials {
 public:
  explicit ModelTrials(const Match::Params& world) : world_(world) { world_.referee.reset(); }
  ModelWalk walk(std::uint64_t seed, double seconds) const;
  /// m/s, of the velocity after the ball has been seen rolling for 0.6 s; nothing: no ball believed.
  std::optional<double> velocity_error(std::uint64_t seed, double distance) const;
  Shot shot(std::uint64_t seed) const;
  /// Until a ball that is taken away is not believed any more.
  Forgetting forgetting(std::uint64_t seed) const;
  /// Whether a ball seen once where none is was ever believed.
  bool believes_false_ball(std::uint64_t seed) const;
  /// m/s, of a ball that lies 4 m away, five times per second.
  std::vector<double> resting_velocities(std::uint64_t seed) const;
  /// m, of a ball that only a mate sees; by `late_words`, at times when anything is believed.
  std::vector<std::vector<double>> team_ball_errors(std::uint64_t seed) const;

 private:
  GuidedTrial stand(std::uint64_t seed, const hl_description::Pose2& pose, int robots = 1) const;
  Match::Params world_;
};

}  // namespace hl_match
