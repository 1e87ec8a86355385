// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_walking/balance.hpp"
#include "hl_walking/body.hpp"
#include "hl_walking/params.hpp"
#include "hl_walking/poser.hpp"

namespace hl_walking {

/// What to kick where, in base_footprint (x ahead, y left, origin between the feet), m.
struct KickGoal {
  Eigen::Vector2d ball = Eigen::Vector2d::Zero();
  Eigen::Vector2d target = Eigen::Vector2d::Zero();
  double speed = 1.0;  // 0..1 of the hardest kick
};

struct KickOrder {
  KickGoal goal;
  bool in_walk = false;  // with the next step of the foot that is nearer to the ball
};

/// A kick from the stand: the weight goes over one foot, the other swings back, through the ball and home again.
class Kick {
 public:
  /// Meaning, unit and range of each value stand in `parameters()`.
  struct Params {
    double shift_duration = 0.55, lift_duration = 0.30, swing_duration = 0.16, return_duration = 0.45;
    double back = 0.08, front = 0.15;
    double lift = 0.045, strike_height = 0.03, sag = 0.0;
    double back_pitch = 0.0, strike_pitch = 0.0;
    double twist = 0.0, lean = 0.0, rise = 0.0;
    double com_x = 0.0, com_y = 0.0, drive = 0.0;
    double near = 0.08, far = 0.22;
    double inside = 0.01, outside = 0.12;
    double max_angle = 0.5;
    double aim_gain = 1.0, aim_offset = 0.0;

    /// The first bad value and its range, in words; nothing if all is well.
    std::optional<std::string> validate() const;
  };

  /// Shared by the node, the tuner and the configuration files, where names begin with `kick.`.
  static const hl_node::ParameterTable<Params>& parameters();

  /// `walk` gives posture, balance gains and servo values; both parameter sets must outlive the kick.
  Kick(const WalkingBody& body, const hl_walking::Params& walk, const Params& params);

  /// Begins a kick from the walk-ready stance, or says why it cannot.
  std::optional<std::string> start(const KickGoal& goal);

  /// Joint goals, rad.
  const Joints& update(double dt, const std::optional<Attitude>& attitude);

  /// Ends it in the safest way that is left: before the swing the foot goes down again, later the kick is finished.
  void cancel();
  /// Ends it at once; somebody else has the body.
  void abort() { stage_ = Stage::Done; }

  bool finished() const { return finished_; }  // the last kick came to its end, swing and all
  bool active() const { return stage_ != Stage::Done; }
  double progress() const;  // 0..1
  Side foot() const { return foot_; }

 private:
  enum class Stage { Shift, Lift, Swing, Return, Unshift, Done };
  double duration(Stage stage) const;
  void move_foot(double s, Stance& stance) const;
  void move_trunk(double s, Stance& stance) const;

  const hl_walking::Params& walk_;
  const Params& params_;
  Balance balance_;
  Poser poser_;
  double omega_ = 5.0;  // 1/s, of the inverted pendulum
  Stage stage_ = Stage::Done;
  double time_ = 0.0;  // s in the stage
  bool swung_ = false, finished_ = false;
  Side foot_ = Side::Right;
  double direction_ = 0.0;  // rad, of the foot's path, to the left
  double aside_ = 0.0;      // m, of the foot's path from its place, to the left
  double swing_duration_ = 0.16;
  double lean_ = 0.0;  // rad, of the trunk, over its usual one
  Joints goals_;
};

}  // namespace hl_walking
