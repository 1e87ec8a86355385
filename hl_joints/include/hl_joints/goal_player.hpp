// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_joints/trajectory.hpp"

namespace hl_joints {

/// Turns trajectories into one goal per joint and moment, and stops when nobody sends any. One thread.
class GoalPlayer {
 public:
  struct Params {
    double hold_after = 0.5;        // s without a message: hold the pose
    double soften_after = 10.0;     // s without a message: hold it softly
    double soft_stiffness = 0.4;    // 0..1 of the P gain then
    double max_age = 0.5;           // s, older stamps are refused
    double limit_tolerance = 0.02;  // rad a goal may exceed a limit and be cut instead of refused
    std::optional<std::string> validate() const;
  };

  struct Goal {
    bool set = false;           // somebody has asked for this joint
    double position = 0.0;      // rad
    double speed_limit = 0.0;   // rad/s, 0 = none
    double torque_limit = 1.0;  // 0..1
  };

  enum class Activity { Idle, Following, Holding, Softened };

  GoalPlayer(JointSet joints, const Params& params);

  void set_params(const Params& params) { params_ = params; }
  const Params& params() const { return params_; }
  const JointSet& joints() const { return joints_; }

  /// Takes a new trajectory, or says why not; a refused one changes nothing. The joints it does not name go on as
  /// before.
  std::optional<std::string> accept(const Trajectory& trajectory, double now);
  /// The same with a message, whose stamp is `stamp` (s).
  template <class Message>
  std::optional<std::string> accept(const Message& message, double stamp, double now) {
    if (auto problem = read_trajectory(message, joints_, params_.limit_tolerance, incoming_)) return problem;
    incoming_.stamp = stamp;
    return accept(incoming_, now);
  }

  /// The goals at `now`. Never allocates.
  const std::vector<Goal>& update(double now);

  /// The joint starts again from `position`, for instance when its torque is switched on.
  void set(std::size_t joint, double position);
  void forget();  // all goals

  Activity activity() const { return activity_; }
  double stiffness() const { return activity_ == Activity::Softened ? params_.soft_stiffness : 1.0; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Slot {
    std::vector<Goals> points;  // capacity is kept
    double start = 0.0;         // s
  };
  std::size_t free_slot();

  JointSet joints_;
  Params params_;
  Trajectory incoming_;
  std::vector<Slot> slots_;        // trajectories that some joint still follows
  std::vector<std::size_t> slot_;  // by joint; kNone: it rests
  std::vector<double> from_;       // rad, by joint: where its trajectory started
  std::vector<Goal> goals_;
  double last_message_ = 0.0;
  double end_ = 0.0;  // s after the start at which the last point is reached
  Activity activity_ = Activity::Idle;
};

}  // namespace hl_joints
