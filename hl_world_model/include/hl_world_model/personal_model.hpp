// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"
#include "hl_soccer/ground_noise.hpp"
#include "hl_soccer/odometry_history.hpp"
#include "hl_soccer/percepts.hpp"
#include "hl_world_model/ball_track.hpp"
#include "hl_world_model/prediction.hpp"
#include "hl_world_model/robot_track.hpp"

namespace hl_world_model {

/// Ball and robots around this robot, from what it saw itself. Filtered in odom, so that a jump of the localisation
/// does not move the ball. Pictures that come late are inserted at their stamp, and what came after is done again.
class PersonalModel {
 public:
  struct Inputs {
    std::optional<hl_soccer::Odometry> odometry;
    std::vector<hl_soccer::Percepts> percepts;  // in any order, each once
    hl_soccer::PoseBelief pose;                 // of the localisation; only handed on
    hl_soccer::BodyState body = hl_soccer::BodyState::Controllable;
    bool own_color_blue = true;
  };

  struct Refusals {
    int stamps = 0;    // from the future, too old, or time ran backwards
    int repeated = 0;  // seen already
    int values = 0;    // not a number, or impossible
    int odometry = 0;  // stale, jumped or not a number
    int unplaced = 0;  // no odometry for the time of the picture
  };

  struct Outputs {
    hl_soccer::Model model;   // base_footprint at the newest odometry
    double ball_rolls = 0.0;  // probability
    int ball_hypotheses = 0;
    int reordered = 0;  // pictures inserted before others, since the start
    Refusals refused;   // since the start
  };

  struct Params {
    Rolling rolling;
    hl_soccer::GroundNoise noise{0.45, 0.006, 0.011, 0.012};
    double history = 0.8;       // s, older pictures are refused
    double ball_memory = 15.0;  // s without a sight until a ball is forgotten
    double robot_memory = 6.0;  // s
    double believed = 0.6;      // probability from which a ball is told
    double feet = 0.25;         // m; a ball so near may be hidden by the own feet
    double view_margin = 0.15;  // m; so near the edge of the view nothing counts as not seen
    double ball_range = 4.5;    // m; farther away not seeing it means nothing
    std::optional<std::string> validate() const;
  };

  /// `params` must be valid.
  explicit PersonalModel(const Params& params);

  Outputs step(const Inputs& inputs, double now);

 private:
  static constexpr std::size_t kBalls = 5, kRobots = 12, kLooks = 32, kCorners = 8, kSeenRobots = 10;

  /// One picture, in odom.
  struct Look {
    double stamp = 0.0;
    hl_description::Pose2 robot;
    double way = 0.0;  // m the odometry had counted until then
    bool ball_seen = false, looked_for_ball = false, looked_for_robots = false;
    Eigen::Vector2d ball = Eigen::Vector2d::Zero();
    Eigen::Matrix2d ball_noise = Eigen::Matrix2d::Identity();
    double ball_confidence = 0.0;
    std::array<hl_soccer::SeenObstacle, kSeenRobots> robots;  // position in odom
    std::size_t robot_count = 0;
    std::array<Eigen::Vector2d, kCorners> view;  // base_footprint
    std::size_t corner_count = 0;
    bool kicking = false;
  };

  /// All that is believed at a moment.
  struct State {
    double time = -1e300;
    double way = 0.0;
    std::array<BallTrack, kBalls> balls;
    std::size_t ball_count = 0;
    std::array<RobotTrack, kRobots> robots;
    std::size_t robot_count = 0;
    int next_id = 1;
  };

  struct Entry {
    Look look;
    State before;
  };

  void walk(const hl_soccer::Odometry& odometry, double now);
  void take(const hl_soccer::Percepts& percepts, hl_soccer::BodyState body, double now);
  void insert(const Look& look);
  void apply(State& state, const Look& look) const;
  void predict(State& state, double stamp, double way) const;
  void see_ball(State& state, const Look& look) const;
  void see_robots(State& state, const Look& look) const;
  bool in_view(const Look& look, const Eigen::Vector2d& place) const;
  bool hidden(const State& state, const Look& look, const Eigen::Vector2d& place, int except) const;
  Eigen::Matrix2d noise_of(const Eigen::Vector2d& seen, const Eigen::Matrix2d& told, double yaw) const;
  void rebase(const hl_description::Pose2& new_from_old);
  Outputs report(const Inputs& inputs, double now);

  Params params_;
  hl_soccer::OdometryHistory history_;
  double way_ = 0.0;  // m, walked so far
  State state_;
  std::array<Entry, kLooks> looks_;  // oldest first
  std::size_t look_count_ = 0;
  double last_now_ = -1e300;
  Outputs counters_;
};

}  // namespace hl_world_model
