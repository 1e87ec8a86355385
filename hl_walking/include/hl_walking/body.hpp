// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <string>

#include "hl_description/leg_kinematics.hpp"
#include "hl_description/robot_model.hpp"
#include "hl_walking/types.hpp"

namespace hl_walking {

/// Joint angles of the whole robot in the order of the model, rad.
using Joints = Eigen::VectorXd;

/// Half the sides of the rectangle inside one foot plate, from the sole's origin; m, all positive.
struct FootPlate {
  double toe = 0.0, heel = 0.0, inner = 0.0, outer = 0.0;
};

/// What the walk needs to know of the robot's body, over the kinematics of hl_description.
class WalkingBody {
 public:
  /// `ready` is the walk-ready pose: the walk takes arms and head from it. Throws hl_description::ModelError if the
  /// model has no legs of the usual build.
  WalkingBody(const hl_description::RobotModel& model, const Joints& ready);

  const hl_description::RobotModel& model() const { return model_; }
  const Joints& ready() const { return ready_; }
  double mass() const { return model_.mass(); }
  const FootPlate& plate() const { return plate_; }
  double ankle_height() const { return legs_[0].ankle_height(); }
  const hl_description::LegKinematics& leg(Side side) const { return legs_[static_cast<std::size_t>(side)]; }

  /// Puts the sole at `sole` (in base_link); false if that is out of reach and only the nearest was set.
  bool solve_leg(Side side, const Eigen::Isometry3d& sole, Joints& joints) const;

  /// Pose of the sole in base_link.
  Eigen::Isometry3d sole(Side side, const Joints& joints) const { return leg(side).forward(leg(side).read(joints)); }

  /// Centre of mass in base_link, m. Not for two threads at once (it reuses memory), as `leg_torque`.
  Eigen::Vector3d com(const Joints& joints);

  /// Torques (N m, in joint direction) with which the servos of a leg hold it while `force` (N) acts on the foot at
  /// `point` (m), both in base_link. For the joints of the last `com()`.
  std::array<double, 6> leg_torque(Side side, const Eigen::Vector3d& point, const Eigen::Vector3d& force) const;

  std::size_t shoulder_pitch(Side side) const { return shoulder_[static_cast<std::size_t>(side)]; }
  /// +1 if a positive angle of the shoulder pitch swings the hanging arm forward, -1 if backward.
  double shoulder_sign(Side side) const { return shoulder_sign_[static_cast<std::size_t>(side)]; }

 private:
  hl_description::RobotModel model_;
  Joints ready_;
  std::array<hl_description::LegKinematics, 2> legs_;
  FootPlate plate_;
  std::array<std::size_t, 2> shoulder_{};
  std::array<double, 2> shoulder_sign_{};
  std::array<std::array<std::size_t, 6>, 2> leg_links_{};  // the link each leg joint moves
  hl_description::Posture posture_;
};

}  // namespace hl_walking
