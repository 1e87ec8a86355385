// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_behavior/rtdl/tasks.hpp>
#include <hl_player/mind.hpp>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hl_match/match.hpp"

namespace hl_match {

/// A few robots without a referee, for one trial of the behaviour: percepts from
/// the truth, the whole mind, whole physics.
class PlayTrial {
 public:
  enum class Side { None, Own, Rival };  // whose goal the ball is in

  struct Setup {
    std::array<int, 2> players{1, 0};
    std::array<int, 2> goalie{0, 1};  // number of each team's keeper; 0 = none
    std::array<bool, 2> thinks{true, true};
    std::uint64_t seed = 1;
    hl_behavior::TacticsParams tactics{};  // of both teams; field and numbers are filled in
  };

  PlayTrial(const Match::Params& world, const Setup& setup);

  Match& match() { return *match_; }
  hl_simulation::Simulation& simulation() { return match_->simulation(); }
  const hl_player::Mind& mind(std::size_t robot) const { return *minds_[robot]; }
  hl_behavior::rtdl::Tasks& tasks(std::size_t robot) { return *tasks_[robot]; }
  std::mt19937_64& random() { return random_; }
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  /// Puts robots and ball down; throws std::runtime_error if something is in
  /// the way.
  void place(std::size_t robot, const hl_description::Pose2& pose);
  void place_ball(const Eigen::Vector2d& place, const Eigen::Vector2d& velocity = Eigen::Vector2d::Zero());
  /// Tells a robot where it stands, as well as a person who looks knows it.
  void tell_pose(std::size_t robot);
  /// Until all robots take orders.
  void stand();

  /// Begins a task of the library; throws with the reason if it is refused.
  void begin_task(std::size_t robot, const hl_behavior::rtdl::Tasks::Request& request);

  Eigen::Vector2d ball() const { return match_->simulation().ball_position().head<2>(); }
  /// Wholly behind a line: in which goal; `out` if it is none.
  Side in_goal() const;
  bool out() const;

 private:
  hl_description::Field field_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<hl_behavior::rtdl::Tasks>> tasks_;
  std::vector<hl_player::Mind*> minds_;  // of each robot; none if it does not think
  std::unique_ptr<Match> match_;
};

}  // namespace hl_match
