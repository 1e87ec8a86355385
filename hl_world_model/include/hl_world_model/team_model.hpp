// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hl_soccer/belief.hpp"
#include "hl_soccer/ground_noise.hpp"

namespace hl_world_model {

/// What happened to the word of a team mate.
enum class Word { Used, Stale, NoPose, Echo, Mirrored, Contradicts };

/// The own belief, improved by what the team mates say. A ball just seen with the own eyes is never overridden. Words
/// count less with age and with the mate's doubt about its own pose; an echo of our own words does not count; a mate
/// whose words contradict what we see is left out until they agree again.
class TeamModel {
 public:
  struct Inputs {
    hl_soccer::Model own;                    // the personal model
    std::vector<hl_soccer::TeamMate> mates;  // the last word of each
  };

  struct Verdict {
    int number = 0;
    Word word = Word::Used;
    double trust = 1.0;
  };

  struct Outputs {
    hl_soccer::Model model;         // each entry says who says so
    std::vector<Verdict> verdicts;  // about each mate of the inputs
    int refused = 0;                // words that make no sense, since the start
  };

  struct Params {
    hl_soccer::GroundNoise noise{0.45, 0.006, 0.011, 0.012};
    double own_fresh = 1.0;     // s since the last sight in which the own ball counts alone
    double ball_stale = 2.0;    // s; older words about the ball do not count
    double mate_stale = 4.0;    // s; about the mate itself and the opponents
    double ball_speed = 0.3;    // m/s by which a told ball becomes less certain
    double own_said = 3.0;      // s the own words are remembered to know their echo
    double echo = 0.03;         // m
    double least_trust = 0.35;  // 0..1, below which a mate is left out
    std::optional<std::string> validate() const;
  };

  /// `params` must be valid.
  explicit TeamModel(const Params& params);

  Outputs step(const Inputs& inputs, double now);

 private:
  static constexpr int kMates = 32;

  struct Mate {
    double last_stamp = -1e300;
    double trust = 1.0;
    double mirrored = 0.0;  // 0..1, how much of the distrust looks like the wrong side of the field
  };
  struct Said {
    double stamp = -1e300;
    Eigen::Vector2d ball = Eigen::Vector2d::Zero();  // map
  };
  struct ToldBall {
    Eigen::Vector2d place;       // map
    Eigen::Matrix2d covariance;  // m^2
    double confidence = 0.0;
    double stamp = 0.0;
    int number = 0;
  };

  bool sane(const hl_soccer::TeamMate& mate, double now) const;
  ToldBall told_ball(const hl_soccer::TeamMate& mate, double now) const;
  void judge(const hl_soccer::TeamMate& mate, const Inputs& inputs, double now);
  void remember(const Inputs& inputs, double now);
  bool echo(const ToldBall& ball) const;
  void fuse_ball(const Inputs& inputs, std::vector<ToldBall>& balls, Outputs& outputs, double now) const;
  void add_robots(const Inputs& inputs, Outputs& outputs, double now) const;

  Params params_;
  std::array<Mate, kMates> mates_;
  std::array<Said, 64> said_;
  std::size_t next_said_ = 0;
  double last_said_ = -1e300, last_now_ = -1e300;
  int refused_ = 0;
};

}  // namespace hl_world_model
