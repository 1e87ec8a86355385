// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace hl_soccer {

/// How well a camera knows a place on the ground. Its rays are uncertain in direction, so the error along the line of
/// sight grows with the square of the distance.
struct GroundNoise {
  double camera_height = 0.45;  // m above the ground
  double ray = 0.005;           // rad, standard deviation for each thing seen
  double attitude = 0.01;       // rad, standard deviation for all things of one picture
  double lasting = 0.0;         // rad, standard deviation of what is the same in all pictures: a wrong mounting

  /// Metres along the line of sight per radian of its depression.
  double stretch(double distance) const {
    return (distance * distance + camera_height * camera_height) / camera_height;
  }

  /// Of a place seen at `position` (m, base_footprint), m^2.
  Eigen::Matrix2d covariance(const Eigen::Vector2d& position) const {
    return spread(position, std::hypot(ray, attitude), std::hypot(ray, 0.5 * attitude));
  }

  /// What no number of pictures averages away, m^2.
  Eigen::Matrix2d lasting_covariance(const Eigen::Vector2d& position) const {
    return spread(position, lasting, lasting);
  }

 private:
  Eigen::Matrix2d spread(const Eigen::Vector2d& position, double tilt, double turn) const {
    constexpr double kFarthest = 20.0;  // m; beyond, nothing is seen on a field
    const double length = std::max(position.norm(), 1e-3), distance = std::min(length, kFarthest);
    const Eigen::Vector2d along = position / length, across(-along.y(), along.x());
    const double far = stretch(distance) * tilt, side = std::hypot(distance, camera_height) * turn;
    return far * far * along * along.transpose() + side * side * across * across.transpose();
  }
};

}  // namespace hl_soccer
