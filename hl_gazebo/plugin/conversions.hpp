// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <ignition/math/Pose3.hh>

namespace hl_gazebo {

inline Eigen::Vector3d to_eigen(const ignition::math::Vector3d& v) {
  return {v.X(), v.Y(), v.Z()};
}
inline Eigen::Isometry3d to_eigen(const ignition::math::Pose3d& p) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = Eigen::Quaterniond(p.Rot().W(), p.Rot().X(), p.Rot().Y(), p.Rot().Z()).toRotationMatrix();
  result.translation() = to_eigen(p.Pos());
  return result;
}
inline ignition::math::Vector3d to_ignition(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
inline ignition::math::Pose3d to_ignition(const Eigen::Isometry3d& p) {
  const Eigen::Quaterniond q(p.linear());
  return {to_ignition(p.translation()), ignition::math::Quaterniond(q.w(), q.x(), q.y(), q.z())};
}

}  // namespace hl_gazebo
