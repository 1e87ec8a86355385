// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "hl_hcm/joints.hpp"

namespace hl_hcm {

/// Merges what the sources want into one complete set of goals: one owner per joint, no jumps, no limit exceeded.
class GoalMixer {
 public:
  struct Params {
    double velocity_factor = 1.2;  // of the servo's own limit: the fastest a goal may run
    double max_step = 0.30;        // rad between two messages, however long ago the last one was
  };

  /// Which source may move which joint at present.
  struct Access {
    Source body = Source::None;    // owner of all joints it names
    bool head = false;             // the head's source may move the head joints
    bool body_keeps_head = false;  // head joints the body's source names are its own (an animation's)
  };

  GoalMixer(const JointSet& joints, const Params& params);
  void set(const Params& params) { params_ = params; }

  /// Begins to send goals, from the measured positions.
  void start(const JointArray& measured, double now);
  void stop();  // nothing leaves any more
  bool started() const { return started_; }

  /// New goals of a source; replaces its old ones.
  void take(Source source, const Trajectory& goals, double now);
  void forget(Source source) { slots_[static_cast<std::size_t>(source)].active = false; }
  bool names(Source source, std::size_t joint) const;

  /// The HCM's own motion: from the present goals to `target` (NaN = stays) in `duration` (s), slow at both ends.
  void ramp(const JointArray& target, double duration, double now);
  /// Another one, `pause` (s) after the present one has ended.
  void ramp_afterwards(const JointArray& target, double duration, double pause);
  bool ramp_done(double now) const;  // its end has been sent
  /// Straight to `target` as fast as allowed (a protective pose).
  void go(const JointArray& target);
  void hold();  // stay at what was sent last
  /// Torque limit of what the HCM itself moves or holds, as a part of what the servos can do; 1 = no limit.
  void soften(double part) { softness_ = part; }
  void follow(const JointArray& measured);  // goals follow a limp body

  /// Computes owners and goals; true if there is something new to send.
  bool update(const Access& access, double now);
  /// No joint has moved since `now`, whatever the clock said before.
  void restart_clock(double now) {
    last_update_ = now;
    unused_time_.fill(0.0);
  }

  const JointArray& goals() const { return goal_; }           // rad; complete once started
  const JointArray& velocities() const { return velocity_; }  // rad/s, NaN = no limit given
  const JointArray& efforts() const { return effort_; }       // N m, NaN = no limit given
  const std::array<Source, kMaxJoints>& owners() const { return owner_; }

 private:
  struct Slot {
    Trajectory goals;
    JointArray from = absent_joints();
    double start = 0.0;
    bool active = false;
  };
  struct Ramp {
    JointArray from = absent_joints(), to = absent_joints();
    double start = 0.0, duration = 0.0;
    bool active = false;
    double end() const { return start + duration; }
  };
  JointArray within_limits(const JointArray& target) const;
  Source owner(const Access& access, std::size_t joint) const;
  double wanted_by(Source source, std::size_t joint, double now);
  void limit_effort(std::size_t joint);

  const JointSet& joints_;
  Params params_;
  bool started_ = false;
  double softness_ = 1.0;
  double last_update_ = 0.0;
  JointArray unused_time_{};  // s in which a joint could have moved and did not
  std::array<Slot, kSourceCount> slots_;
  Ramp ramp_, next_ramp_;
  JointArray goal_ = absent_joints(), wanted_ = absent_joints(), velocity_ = absent_joints(), effort_ = absent_joints();
  std::array<Source, kMaxJoints> owner_{};
};

}  // namespace hl_hcm
