// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hl_hardware_cm730 {

/// Turns trajectories into one goal per joint and moment, within the joints' limits, and stops when nobody sends any.
class GoalPlayer {
 public:
  struct Joint {
    std::string name;
    double lower = 0.0, upper = 0.0;  // rad
    double max_speed = 0.0;           // rad/s, 0 = none
    double max_effort = 0.0;          // N m that the servo can give
  };

  struct Params {
    double hold_after = 0.5;      // s without a message: hold the pose
    double soften_after = 10.0;   // s without a message: hold it softly
    double soft_stiffness = 0.4;  // 0..1 of the P gain then
    double max_age = 0.5;         // s, older stamps are refused
    std::optional<std::string> validate() const;
  };

  /// One point of a trajectory, in the order of `Trajectory::joints`; velocities and efforts may be empty.
  struct Point {
    double time = 0.0;  // s after the start
    std::vector<double> positions, velocities, efforts;
  };
  struct Trajectory {
    double stamp = 0.0;  // s
    std::vector<std::string> joints;
    std::vector<Point> points;
  };

  struct Goal {
    bool set = false;           // somebody has asked for this joint
    double position = 0.0;      // rad
    double speed_limit = 0.0;   // rad/s, 0 = none
    double torque_limit = 1.0;  // 0..1
  };

  enum class Activity { Idle, Following, Holding, Softened };

  GoalPlayer(std::vector<Joint> joints, const Params& params);

  void set_params(const Params& params) { params_ = params; }

  /// Takes a new trajectory, or says why not; a refused one changes nothing.
  std::optional<std::string> accept(const Trajectory& trajectory, double now);

  /// The goals at `now`. Never allocates.
  const std::vector<Goal>& update(double now);

  /// The joint starts again from `position`, for instance when its torque is switched on.
  void set(size_t joint, double position);
  void forget();  // all goals

  Activity activity() const { return activity_; }
  double stiffness() const { return activity_ == Activity::Softened ? params_.soft_stiffness : 1.0; }
  uint64_t clipped() const { return clipped_; }  // goals beyond a limit so far

 private:
  struct Segment {
    double time;
    double position, speed_limit, torque_limit;
  };
  struct Track {
    std::vector<Segment> segments;  // capacity is kept
    size_t count = 0;
    double from = 0.0;  // where the first segment starts
  };

  std::vector<Joint> joints_;
  Params params_;
  std::vector<Track> tracks_;
  std::vector<Goal> goals_;
  double start_ = 0.0;
  double last_message_ = 0.0;
  double end_ = 0.0;  // s after the start at which the last point is reached
  Activity activity_ = Activity::Idle;
  uint64_t clipped_ = 0;
};

}  // namespace hl_hardware_cm730
