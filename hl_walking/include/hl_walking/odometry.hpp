// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

#include "hl_walking/body.hpp"

namespace hl_walking {

/// What the robot measured in one tick.
struct OdometryInput {
  const Joints* joints = nullptr;           // rad, measured
  Side support = Side::Left;                // the foot that carries more
  std::optional<Eigen::Vector3d> attitude;  // IMU: roll, pitch, yaw, rad; the yaw from any origin
  double dt = 0.0;                          // s since the last tick
};

/// Where the robot went, from the steps it really took: the foot that carries stays where it is, so the body moves
/// against it as the measured joints and the IMU say. What feet slip in every step alike is taken out by calibration.
class Odometry {
 public:
  struct Params {
    double scale_forward = 1.0;  // true way over counted way
    double scale_backward = 1.0;
    double scale_sideways = 1.0;
    double scale_turn = 1.0;  // only without an IMU, whose yaw needs none
    std::optional<std::string> validate() const;
  };

  static const hl_node::ParameterTable<Params>& parameters();

  /// `body` and `params` must outlive it.
  Odometry(WalkingBody& body, const Params& params) : body_(body), params_(params) {}

  /// The robot stands at `pose` (of base_footprint in odom) now.
  void reset(const Pose2& pose = {});

  /// Bad input (not a number, a foot that jumped further than a leg can) is left out.
  void update(const OdometryInput& input);

  Pose2 footprint() const { return footprint_; }           // base_footprint in odom
  const Eigen::Isometry3d& base() const { return base_; }  // base_link in base_footprint
  const Velocity& velocity() const { return velocity_; }   // of base_footprint, in its own axes
  double distance() const { return distance_; }            // m counted so far

 private:
  struct Feet {
    Pose2 sole[2];    // in the body's heading frame, on the ground
    Pose2 footprint;  // in the same frame
    Eigen::Isometry3d base;
  };
  std::optional<Feet> measure(const OdometryInput& input);

  WalkingBody& body_;
  const Params& params_;
  hl_description::Posture posture_;
  Pose2 heading_;  // the body's heading frame (base_link, upright) in odom
  Pose2 footprint_;
  Eigen::Isometry3d base_ = Eigen::Isometry3d::Identity();
  Velocity velocity_;
  double distance_ = 0.0;
  std::optional<Feet> last_;
  std::optional<double> last_yaw_;
  Side support_ = Side::Left;
};

}  // namespace hl_walking
