// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>

namespace hl_description {

/// The six joints of a leg as they are, whatever their axes: forward kinematics, and inverse kinematics by damped
/// Gauss-Newton steps from a first guess. Nothing allocates.
class LegChain {
 public:
  using Angles = std::array<double, 6>;

  /// Where the joints and the sole are at joint angles zero, in base_link.
  std::array<Eigen::Vector3d, 6> origins;
  std::array<Eigen::Vector3d, 6> axes;  // unit vectors, positive servo direction
  Eigen::Isometry3d sole = Eigen::Isometry3d::Identity();

  Eigen::Isometry3d forward(const Angles& angles) const noexcept;

  /// Moves `angles` until the sole is at `target`; true if it gets there (1e-9 m, rad) in `steps` steps.
  bool refine(const Eigen::Isometry3d& target, int steps, Angles& angles) const noexcept;
};

}  // namespace hl_description
