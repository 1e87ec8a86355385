// SPDX-License-Identifier: Apache-2.0
#include "hl_world_model/ground_view.hpp"

#include <algorithm>
#include <cmath>

namespace hl_world_model {

std::vector<Eigen::Vector2d> ground_view(const Eigen::Isometry3d& camera, double horizontal_fov, double vertical_fov,
                                         double range) {
  const double height = camera.translation().z();
  const Eigen::Vector2d foot = camera.translation().head<2>();
  if (!camera.matrix().allFinite() || !(height > 0.05) || !(horizontal_fov > 0.0 && horizontal_fov < 3.0) ||
      !(vertical_fov > 0.0 && vertical_fov < 3.0)) {
    return {};
  }
  const double u = std::tan(0.5 * horizontal_fov), v = std::tan(0.5 * vertical_fov);
  std::vector<Eigen::Vector2d> corners;
  bool ground = false;
  for (const auto& [x, y] : {std::pair(-u, -v), std::pair(-u, v), std::pair(u, v), std::pair(u, -v)}) {
    const Eigen::Vector3d ray = camera.linear() * Eigen::Vector3d(x, y, 1.0);
    const double along = ray.head<2>().norm();
    const double reach = ray.z() < -1e-3 ? height / -ray.z() : 1e9;
    ground = ground || reach * along < range;
    corners.emplace_back(foot + std::min(reach, range / std::max(along, 1e-6)) * ray.head<2>());
  }
  if (!ground) return {};
  return corners;
}

}  // namespace hl_world_model
