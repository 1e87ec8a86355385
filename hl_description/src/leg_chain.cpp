// SPDX-License-Identifier: Apache-2.0
#include "hl_description/leg_chain.hpp"

#include <Eigen/Cholesky>

namespace hl_description {

Eigen::Isometry3d LegChain::forward(const Angles& angles) const noexcept {
  Eigen::Matrix3d turned = Eigen::Matrix3d::Identity();
  Eigen::Vector3d place = origins[0];
  for (std::size_t i = 0; i < 6; ++i) {
    turned = turned * Eigen::AngleAxisd(angles[i], axes[i]).toRotationMatrix();
    place += turned * ((i < 5 ? origins[i + 1] : Eigen::Vector3d(sole.translation())) - origins[i]);
  }
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = turned * sole.linear();
  result.translation() = place;
  return result;
}

bool LegChain::refine(const Eigen::Isometry3d& target, int steps, Angles& angles) const noexcept {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  const double close = 1e-9;  // m, rad
  double damping = 1e-6;      // m^2; against steps without end near a stretched leg
  double last = 1e9;
  for (int step = 0; step <= steps; ++step) {
    std::array<Eigen::Vector3d, 6> places, turned_axes;
    Eigen::Matrix3d turned = Eigen::Matrix3d::Identity();
    Eigen::Vector3d place = origins[0];
    for (std::size_t i = 0; i < 6; ++i) {
      places[i] = place;
      turned_axes[i] = turned * axes[i];
      turned = turned * Eigen::AngleAxisd(angles[i], axes[i]).toRotationMatrix();
      place += turned * ((i < 5 ? origins[i + 1] : Eigen::Vector3d(sole.translation())) - origins[i]);
    }
    const Eigen::AngleAxisd rest(Eigen::Matrix3d(target.linear() * (turned * sole.linear()).transpose()));
    Vector6 error;
    error << target.translation() - place, rest.angle() * rest.axis();
    const double size = error.norm();
    if (size < close) return true;
    if (step == steps || !(size < 1e6)) return false;
    damping = size < last ? damping * 0.3 : damping * 10.0;
    last = size;
    Matrix6 jacobian;
    for (std::size_t i = 0; i < 6; ++i)
      jacobian.col(static_cast<Eigen::Index>(i)) << turned_axes[i].cross(place - places[i]), turned_axes[i];
    const Matrix6 normal = jacobian.transpose() * jacobian + damping * Matrix6::Identity();
    const Vector6 change = normal.ldlt().solve(jacobian.transpose() * error);
    for (std::size_t i = 0; i < 6; ++i) angles[i] += change[static_cast<Eigen::Index>(i)];
  }
  return false;
}

}  // namespace hl_description
