// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_walking/balance.hpp"
#include "hl_walking/body.hpp"
#include "hl_walking/params.hpp"

namespace hl_walking {

/// What the body should look like, in the frame of the support sole.
struct Stance {
  Side support = Side::Left;
  Eigen::Vector2d com = Eigen::Vector2d::Zero();        // m, of the whole robot
  Eigen::Vector2d push = Eigen::Vector2d::Zero();       // m/s^2, acceleration that the ground gives the centre of mass
  Eigen::Vector2d zmp = Eigen::Vector2d::Zero();        // m, where the ground's force acts on the support foot
  Eigen::Vector2d other_zmp = Eigen::Vector2d::Zero();  // m, where it acts on the other foot, same frame
  double load = 1.0;                                    // part of the weight on the support foot
  Pose2 other;                                          // the other foot
  double other_height = 0.0;                            // m
  double other_pitch = 0.0;                             // rad, toes down
  // Of the trunk, against its usual posture:
  double twist = 0.0;  // rad, turned to the left of the middle between the feet
  double lean = 0.0;   // rad, forward
  double rise = 0.0;   // m
};

/// Turns a stance into joint goals: places the base so that the centre of mass is where it should be, solves the legs,
/// adds the balance corrections, swings the arms, and moves the goals ahead by what the servos will lose.
class Poser {
 public:
  /// `params` and `balance` must outlive it.
  Poser(const WalkingBody& body, const Params& params, const Balance& balance);

  void reset();

  /// Joint goals, rad; false in `reachable` if a leg could only come near its target.
  const Joints& pose(const Stance& stance, double dt);
  bool reachable() const { return reachable_; }
  WalkingBody& body() { return body_; }
  const WalkingBody& body() const { return body_; }

  /// Height of the centre of mass above the soles in the walk-ready posture, m.
  double com_height(const Stance& stance);

 private:
  void swing_arms(double other_ahead, Side support);
  void lead_lag(double dt);
  void lead_load(const Stance& stance, const Eigen::Isometry3d& to_base);

  WalkingBody body_;
  const Params& params_;
  const Balance& balance_;
  Joints posture_, last_posture_, goals_;  // wanted angles, those of the tick before, and the goals that lead them
  bool reachable_ = true;
};

}  // namespace hl_walking
