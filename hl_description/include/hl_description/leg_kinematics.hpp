// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>

#include "hl_description/leg_chain.hpp"
#include "hl_description/robot_model.hpp"

namespace hl_description {

/// Kinematics of one leg of six joints: hip yaw, roll and pitch, knee, ankle pitch and roll. Nothing here allocates or
/// throws after construction. How a target is solved depends on the leg:
///
/// | leg | way |
/// |---|---|
/// | hip axes meet in one point, ankle axes too, straight at zero | closed form |
/// | the first axis is inclined (45 degrees) or passes beside the hip, or the foot stands aside of it | closed form but
/// for the first joint, whose angle is a root of one equation | | anything else | the nearest leg of the kinds above,
/// then Gauss-Newton steps on the joints as they are |
class LegKinematics {
 public:
  /// Hip yaw, hip roll, hip pitch, knee, ankle pitch, ankle roll; rad, in servo direction as in the URDF.
  using Angles = std::array<double, 6>;

  enum class Reach {
    Exact,       // the sole gets exactly there
    TooFar,      // leg too short: stretched towards the target, the sole's orientation kept
    TooNear,     // knee cannot bend so far: as near as it can on the line from hip to target, orientation kept
    JointLimit,  // joints were cut to their limits
    Invalid,     // the target is not a finite pose; angles are those of the zero pose
  };

  struct Solution {
    Angles angles{};
    Reach reach = Reach::Invalid;
    bool exact() const { return reach == Reach::Exact; }
  };

  /// Throws ModelError if the leg of `model` has other joints than these six.
  LegKinematics(const RobotModel& model, Side side);

  /// Angles that put the sole at `sole` (in base_link), or as near as possible.
  Solution solve(const Eigen::Isometry3d& sole) const noexcept;
  /// The same for a sole that has moved a little since the leg stood at `near`: where the leg needs steps, they begin
  /// there, and a target that cannot be reached does not cost a search.
  Solution solve(const Eigen::Isometry3d& sole, const Angles& near) const noexcept;

  /// Pose of the sole in base_link.
  Eigen::Isometry3d forward(const Angles& angles) const noexcept;

  /// Copies between a leg's angles and a joint vector of the model.
  void write(const Angles& angles, Eigen::VectorXd& positions) const noexcept;
  Angles read(const Eigen::VectorXd& positions) const noexcept;

  Side side() const { return side_; }
  const Eigen::Vector3d& hip() const { return hip_; }  // where hip roll and pitch axes meet, in base_link, m
  double thigh() const { return thigh_; }              // m
  double shank() const { return shank_; }              // m
  double ankle_height() const { return ankle_; }       // m above the sole
  const std::array<std::size_t, 6>& joints() const { return joints_; }  // indices in the model's joint vector
  const JointLimits& limits(std::size_t i) const { return limits_[i]; }

 private:
  /// Angles about +z, +x, +y, +y, +y, +x for the ankle-to-hip vector `v` in the foot's frame.
  Angles geometric(const Eigen::Matrix3d& foot, const Eigen::Vector3d& v, double knee, double up) const noexcept;
  double violation(const Angles& servo) const noexcept;
  Solution solve_meeting(const Eigen::Isometry3d& sole) const noexcept;
  Solution solve_first_joint(const Eigen::Isometry3d& sole) const noexcept;
  Solution solve_as_built(const Eigen::Isometry3d& sole) const noexcept;
  bool refine(const Eigen::Isometry3d& sole, int steps, Angles& angles) const noexcept;

  /// What follows from an angle of the first joint (about `first_axis_`).
  struct Rest;
  Rest rest_of(double first, const Eigen::Isometry3d& sole, double up) const noexcept;
  void consider(const Rest& rest, Solution& best, double& smallest) const noexcept;

  enum class Way { Meeting, FirstJoint, AsBuilt };
  Way way_ = Way::Meeting;
  LegChain chain_;
  Eigen::Vector3d first_axis_, first_point_;  // of hip yaw, upwards; its point nearest to the hip, m
  double aside_ = 0.0;                        // m that the ankle is left of the hip at zero

  Side side_;
  Eigen::Vector3d hip_;
  double thigh_, shank_, ankle_;
  std::array<double, 6> sign_;  // servo direction against the geometric one
  std::array<std::size_t, 6> joints_;
  std::array<JointLimits, 6> limits_;
  double reach_min_, knee_max_;  // m between hip and ankle with the knee fully bent; rad
};

}  // namespace hl_description
