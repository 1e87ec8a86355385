// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "hl_walking/balance.hpp"
#include "hl_walking/body.hpp"
#include "hl_walking/dcm_trajectory.hpp"
#include "hl_walking/footstep_planner.hpp"
#include "hl_walking/params.hpp"
#include "hl_walking/poser.hpp"
#include "hl_walking/swing_trajectory.hpp"

namespace hl_walking {

/// What the robot feels; whatever it does not have stays empty.
struct Sensors {
  std::optional<Attitude> attitude;                 // torso, from the IMU
  std::optional<std::array<double, 2>> foot_force;  // N, left and right
};

enum class Phase { Standing, Starting, Walking, Stopping };

struct Output {
  Joints joints;  // rad, of the whole robot; the head is as in the walk-ready pose
  Phase phase = Phase::Standing;
  Side support = Side::Left;
  bool double_support = true;
  double step_phase = 0.0;                        // 0..1 over the present step
  int steps = 0;                                  // taken since reset
  Eigen::Vector2d zmp = Eigen::Vector2d::Zero();  // planned, as com and dcm in the frame of the support sole, m
  Eigen::Vector2d com = Eigen::Vector2d::Zero();
  Eigen::Vector2d dcm = Eigen::Vector2d::Zero();
  Pose2 landing;              // of the swing foot, seen from the support foot
  Pose2 swing_foot;           // where the other foot is, seen from the support foot
  double swing_height = 0.0;  // m
  Velocity velocity;          // planned, after limits
  bool reachable = true;      // every leg target of this tick was
  double instability = 0.0;   // size of the DCM error over what a step can catch; above 1 a fall is likely
};

/// The walk: velocity in, joint goals out. Plain C++: no clock, no allocation after construction.
class Engine {
 public:
  Engine(const WalkingBody& body, const Params& params);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Takes effect with the next step.
  void set_params(const Params& params);
  const Params& params() const { return params_; }

  /// Both feet on the ground, walk-ready.
  void reset();

  /// The velocity to walk with; zero stops within two steps.
  void set_velocity(const Velocity& velocity) { commanded_ = planner_.limit(velocity); }

  /// One step: the foot whose turn it is lands `offset` away from its neutral place beside the other. After the last
  /// one the robot puts its feet together and stops.
  void request_step(const Pose2& offset) { single_step_ = offset; }
  /// No single step is waiting to be done.
  bool ready_for_step() const { return !single_step_; }

  /// The next step of foot `side` is a kick: long, quick and low. Only while walking.
  void request_kick(Side side) { kick_ = side; }
  /// A kick was asked for and its step has not ended.
  bool kick_pending() const { return kick_ || kicking_; }
  void drop_kick() { kick_.reset(); }

  /// The joint goals `dt` later. A dt below zero or above 0.1 s is cut to that.
  const Output& update(double dt, const Sensors& sensors);
  const Output& output() const { return output_; }
  const WalkingBody& body() const { return poser_.body(); }
  bool standing() const { return output_.phase == Phase::Standing; }

 private:
  void begin_step(Phase phase, Side support);
  Velocity slowed_velocity() const;
  void end_step();
  void plan_landing();
  void adapt_timing(double dcm_error_y, double goal_y);
  void advance_pendulum(double dt);
  void advance_swing(double dt);
  void stand(double dt);
  void pose(double dt);
  Eigen::Vector2d zmp_point(Side foot) const;
  Eigen::Vector2d clamp_to_support(const Eigen::Vector2d& zmp) const;
  Eigen::Vector2d dcm_at_step_end(const Pose2& landing) const;
  bool waits_for_ground(const Sensors& sensors, double dt) const;
  double load_on(Side foot, const Sensors& sensors) const;
  bool step_is_over(const Sensors& sensors) const;

  Params params_;
  FootstepPlanner planner_;
  Balance balance_;
  Sway sway_;
  Poser poser_;
  Pendulum pendulum_;
  SwingTrajectory swing_;
  ZmpStep zmp_step_;

  Velocity commanded_, velocity_;
  std::optional<Pose2> single_step_;  // from the neutral place, for the foot whose turn it is
  std::optional<Side> kick_;          // foot that is to kick with its next step
  bool kicking_ = false;              // in this step
  Phase phase_ = Phase::Standing;
  Side support_ = Side::Left;
  double time_ = 0.0;              // s in the present step
  double step_instability_ = 0.0;  // largest instability of the present step
  double held_ = 0.0;              // s the step has waited for a late touch-down
  Pose2 other_foot_;               // where the other foot is or was lifted, seen from the support foot
  Pose2 landing_;                  // planned, before capture
  Pose2 target_;                   // planned plus capture
  Eigen::Vector2d landing_shift_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d zmp_shift_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d com_offset_ =
      Eigen::Vector2d::Zero();  // of the posture from the pendulum, fades after a capture step
  double swing_height_ = 0.0;
  Output output_;
};

}  // namespace hl_walking
