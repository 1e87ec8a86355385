// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>

#include "hl_description/robot_model.hpp"

namespace hl_description {

/// The convex hull of the feet on the ground. Fixed size: no allocation.
class SupportPolygon {
 public:
  static constexpr std::size_t kMaxPoints = 8;

  void add(const Eigen::Vector2d& point);  // m; at most kMaxPoints, further ones are ignored
  /// Distance to the nearest edge, m: positive inside, negative outside; -infinity without an area.
  double margin(const Eigen::Vector2d& point) const;
  double area() const;  // m^2
  std::size_t size() const { return corners_; }
  const Eigen::Vector2d& operator[](std::size_t i) const { return hull_[i]; }  // counter-clockwise

 private:
  void rebuild();
  std::array<Eigen::Vector2d, kMaxPoints> points_;  // sorted by x, then y
  std::array<Eigen::Vector2d, kMaxPoints + 1> hull_;
  std::size_t count_ = 0, corners_ = 0;
};

enum class Support { Left, Right, Both };

/// Outline of the supporting feet, projected on the plane z = 0 of `ground` (a frame in base_link, e.g.
/// base_footprint).
SupportPolygon support_polygon(const RobotModel& model, const Posture& posture, Support support,
                               const Eigen::Isometry3d& ground);

}  // namespace hl_description
