// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hl_localization/field_map.hpp"
#include "hl_localization/pose_filter.hpp"
#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"
#include "hl_soccer/ground_noise.hpp"
#include "hl_soccer/odometry_history.hpp"
#include "hl_soccer/percepts.hpp"

namespace hl_localization {

/// What is known of the robot's place before it has seen anything.
enum class Start { Anywhere, OwnHalf, StartPosition, Reentry, Pose };

/// Where the robot is on the field, from what it saw, how it walked and what the rules allow.
///
/// A few hypotheses are tracked, each by a Kalman filter. The field looks the same from both sides, so each stands for
/// two opposite poses; which of them is meant is a separate number, moved only by what is not symmetric: compass, named
/// landmarks, rules, the team's ball. New hypotheses come from closed forms when the best explains too little.
class Localization {
 public:
  struct Inputs {
    std::optional<hl_soccer::Odometry> odometry;
    std::vector<hl_soccer::Percepts> percepts;  // in any order, each once; late ones count at their stamps
    hl_soccer::BodyState body = hl_soccer::BodyState::Controllable;
    bool stumbles = false;  // the feet carry nothing, or the walk expects to fall: what it counts is worth less
    std::optional<hl_soccer::GameState> game;  // the last word, also if it is not new
    std::optional<Start> reset;                // somebody asks to start anew
    std::optional<PoseEstimate> pose;          // with Start::Pose
    std::optional<Eigen::Vector2d> own_ball;   // m, base_footprint now; only if just seen
    std::vector<Eigen::Vector2d> team_balls;   // m, map: new words of team mates who know where they are
  };

  struct Refusals {
    int stamps = 0;    // from the future, too old, or time ran backwards
    int repeated = 0;  // seen already
    int values = 0;    // not a number, or impossible
    int odometry = 0;  // stale, jumped or not a number
    int unplaced = 0;  // no odometry for the time of the picture
  };

  struct Outputs {
    hl_soccer::PoseBelief belief;  // at the newest odometry
    Pose2 map_from_odom;           // smooth; jumps only when the pose turns out quite wrong
    const char* reason = "";       // how sure and why, in words
    double side = 0.5;             // probability that it is not the opposite pose
    double explained = 0.0;        // share of what was seen lately that the pose explains
    int hypotheses = 0;
    int mended_flips = 0;  // since the start
    Refusals refused;      // since the start
  };

  struct Params {
    hl_description::Field field;
    hl_soccer::GroundNoise noise{0.45, 0.006, 0.011, 0.015};
    double way_noise = 0.10;          // m per root of a metre walked
    double turn_noise = 0.06;         // rad per root of a radian turned
    double way_turn_noise = 0.06;     // rad per root of a metre walked
    double standing_noise = 0.005;    // m and rad per root of a second: feet slip
    double fall_spread = 0.25;        // m, standard deviation added by a fall
    double fall_turn = 0.8;           // rad, how far a fall may turn the robot
    double compass_deviation = 0.25;  // rad
    double history = 1.0;             // s, older pictures are refused
    int max_hypotheses = 12;
    std::optional<std::string> validate() const;
  };

  /// One explanation; `side` = log odds against the opposite pose.
  struct Hypothesis {
    PoseEstimate estimate;
    double weight = 0.0;  // log
    double side = 0.0;
    double explained = 0.5;
  };

  /// `params` must be valid.
  explicit Localization(const Params& params);

  Outputs step(const Inputs& inputs, double now);

  const std::vector<Hypothesis>& hypotheses() const { return hypotheses_; }

 private:
  enum class Picture { Lines, Goal, Points, Compass, Turn, Landmarks };

  PoseEstimate estimate_at(const Pose2& pose, const Eigen::Matrix3d& covariance) const;
  void start(Start start, const std::optional<PoseEstimate>& pose);
  void follow_rules(const std::optional<hl_soccer::GameState>& game);
  void follow_body(hl_soccer::BodyState body);
  void walk(const hl_soccer::Odometry& odometry, bool stumbles);
  void look(const hl_soccer::Percepts& percepts, double now);
  bool fresh(double stamp, Picture kind);
  void see(const Pose2& back);
  void search(const Pose2& back, double best_score);
  void compass(const hl_soccer::SeenHeading& heading, const Pose2& back);
  void turned(const hl_soccer::SeenTurn& turn, double stamp);
  void compare_ball(const Eigen::Vector2d& own, const Eigen::Vector2d& told);
  void spread_after_fall();
  void merge();
  void drop_anchor();
  double side_before(const Pose2& pose) const;
  void choose();
  void mend_flips();
  double log_prior(const Pose2& pose) const;
  Outputs report(double now);

  Params params_;
  FieldMap map_;
  hl_soccer::OdometryHistory history_;
  std::vector<Hypothesis> hypotheses_;  // the first is believed
  std::vector<Pose2> candidates_;
  Sighting sighting_;
  struct Seen {
    double stamp = -1e300;
    Picture kind = Picture::Lines;
  };
  std::array<Seen, 64> seen_{};
  std::size_t next_seen_ = 0;

  /// Where it stood, and on which side, when it last was sure of both; carried on by odometry.
  struct Anchor {
    Pose2 pose;
    double side = 0.0;  // log odds; worn off by the way since then
  };
  std::optional<Anchor> anchor_;

  Start knowledge_ = Start::Anywhere;
  double walked_ = 0.0;  // m since the last start
  double last_now_ = -1e300;
  double last_compass_ = -1e300;
  bool down_ = false, carried_ = false, penalized_ = false;
  bool fell_ = false;  // and has not been sure of its pose since
  std::optional<hl_soccer::GameState> game_;
  std::optional<Pose2> smooth_;
  double smooth_stamp_ = 0.0;
  Eigen::Vector2d tilt_ = Eigen::Vector2d::Zero();  // rad, of the camera's mounting as the believed pose has it
  bool blind_ = true;                               // nothing seen since the last start
  Outputs counters_;
};

}  // namespace hl_localization
