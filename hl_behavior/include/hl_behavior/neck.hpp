// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <string>

#include "hl_description/robot_model.hpp"

namespace hl_behavior {

/// The chain from base_link to the camera, from the robot model: two joints and three fixed pieces.
class Neck {
 public:
  struct Angles {
    double pan = 0.0, tilt = 0.0;  // rad, of the servos
  };

  /// Throws ModelError naming the joint or link that is missing.
  static Neck from_model(const hl_description::RobotModel& model, const std::string& pan_joint = "HeadPan",
                         const std::string& tilt_joint = "HeadTilt", const std::string& camera_link = "camera_frame");

  const hl_description::JointLimits& pan_limits() const { return pan_limits_; }
  const hl_description::JointLimits& tilt_limits() const { return tilt_limits_; }
  Angles clamp(const Angles& angles) const { return {pan_limits_.clamp(angles.pan), tilt_limits_.clamp(angles.tilt)}; }

  /// The camera (x ahead) in base_link.
  Eigen::Isometry3d camera(const Angles& angles) const;

  /// Angles that put `point` (m, base_link) into the middle of the picture, within the limits.
  Angles aim(const Eigen::Vector3d& point) const;

 private:
  Eigen::Isometry3d base_from_pan_, pan_from_tilt_, tilt_from_camera_;
  Eigen::Vector3d pan_axis_, tilt_axis_;
  hl_description::JointLimits pan_limits_, tilt_limits_;
};

}  // namespace hl_behavior
