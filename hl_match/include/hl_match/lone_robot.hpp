// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <hl_hcm/hcm.hpp>

#include "hl_match/match.hpp"

namespace hl_match {

/// `world` with its robot's files changed: parameters or motions under test.
Match::Params with_files(const Match::Params& world, const std::function<void(hl_player::RobotFiles&)>& change);

/// One whole robot alone in physics, ordered about tick by tick; nobody whistles, nobody thinks for it.
class LoneRobot {
 public:
  enum class Ball { None, Aside };  // Aside: where it disturbs nobody, until somebody places it

  /// `world` gives robot, field and sensors. The robot stands in the middle of the field.
  LoneRobot(const Match::Params& world, std::uint64_t seed, Ball ball = Ball::None);

  /// Until it is free to be ordered about. Throws std::runtime_error if that never happens.
  void get_ready();
  /// Lies on `side`, arms along the body, all joints a little off as the seed says; with legs bent as if it stood.
  enum class Legs { Stretched, Bent };
  void lie_down(hl_hcm::Direction side, Legs legs = Legs::Stretched);

  bool step();  // one tick; false if the physics diverged
  bool run(double seconds, const std::function<bool()>& until = {});
  bool run_until(hl_hcm::State state, double seconds);

  /// From the next tick on, until told otherwise.
  void walk(const hl_walking::Velocity& velocity) { velocity_ = velocity; }
  /// Orders a kick at a ball that is put here (base_footprint, m), into a direction (rad).
  void kick(const Eigen::Vector2d& ball, double direction = 0.0);
  /// Plays an animation from beginning to end; false if it was refused or broken off.
  bool play(const std::string& animation);
  void penalise(bool penalised);  // by the handler's word
  hl_player::Mover::Orders& orders() { return match_.orders(0).orders; }

  Match& match() { return match_; }
  const Match& match() const { return match_; }
  hl_simulation::Simulation& simulation() { return match_.simulation(); }
  hl_simulation::Robot& body() { return match_.simulation().robot(0); }
  const hl_simulation::Robot& body() const { return match_.simulation().robot(0); }
  SimulatedBody& senses() { return match_.body(0); }
  hl_player::Motion& motion() { return match_.player(0).motion(); }
  const hl_player::Motion& motion() const { return match_.player(0).motion(); }
  const hl_hcm::Hcm& hcm() const { return motion().hcm(); }
  const hl_walking::Output& gait() const { return motion().walking().engine().output(); }
  const hl_player::Motion::Outputs& outputs() const { return *match_.outputs(0).motion; }

  double time() const { return match_.time(); }
  hl_description::Pose2 pose() const { return match_.true_pose(0); }
  hl_description::Pose2 counted() const;  // base_footprint in odom
  /// By the truth it is down, or by the HCM it was going down.
  bool fell() const;
  bool stands() const;  // free to be ordered about, and upright
  /// A part other than feet, forearms and hands touches the ground.
  bool lies() const;

 private:
  std::uint64_t seed_;
  Match match_;
  std::optional<hl_walking::Velocity> velocity_;
};

}  // namespace hl_match
