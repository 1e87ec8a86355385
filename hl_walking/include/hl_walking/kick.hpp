// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

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

/// A kick from the stand: the weight goes over one foot, the other swings back, through the ball and home again.
class Kick {
 public:
  struct Params {
    double shift_duration = 0.55;          // s, weight over the support foot, and back at the end
    double lift_duration = 0.30;           // s, the foot goes up and back
    double swing_duration = 0.16;          // s, from the back to the front
    double return_duration = 0.45;         // s, from the front to the ground beside the support foot
    double back = 0.08;                    // m behind the support foot from where the swing starts
    double front = 0.15;                   // m ahead of it where the swing ends
    double lift = 0.045;                   // m, height of the foot at the back
    double strike_height = 0.03;           // m, at the ball and in front
    double strike_pitch = 0.0;             // rad, toes down at the ball
    double com_x = 0.0;                    // m, centre of mass ahead of the sole's centre while on one foot
    double com_y = 0.0;                    // m, and inwards of it
    double near = 0.08, far = 0.22;        // m, distance of the ball's centre ahead that can be hit
    double inside = 0.01, outside = 0.12;  // m, place of the ball aside, on the kicking foot's side
    double max_angle = 0.5;                // rad, kick direction against straight ahead

    std::optional<std::string> validate() const;
  };

  /// `walk` gives posture, balance gains and servo values; both parameter sets must outlive the kick.
  Kick(const Body& body, const hl_walking::Params& walk, const Params& params);

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

  const hl_walking::Params& walk_;
  const Params& params_;
  Balance balance_;
  Poser poser_;
  double omega_ = 5.0;  // 1/s, of the inverted pendulum
  Stage stage_ = Stage::Done;
  double time_ = 0.0;  // s in the stage
  bool swung_ = false, finished_ = false;
  Side foot_ = Side::Right;
  double direction_ = 0.0;  // rad
  double aside_ = 0.0;      // m, of the foot's path from its place, to the left
  double swing_duration_ = 0.16;
  Joints goals_;
};

}  // namespace hl_walking
