// SPDX-License-Identifier: Apache-2.0
#include "hl_localization/baseline.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "hl_localization/closed_form.hpp"

namespace hl_localization {
namespace {

constexpr double kNearest = 1.5;     // m between a mark and where the last pose puts it
constexpr double kNarrowest = 0.25;  // rad between two marks; closer ones tell little
constexpr double kClosest = 0.8;     // m between their places

}  // namespace

void Baseline::see(const hl_soccer::Percepts& percepts, const Pose2& odometry) {
  Sighting sighting;
  sighting.fill(percepts, noise_);
  const Pose2 here = pose(odometry);
  std::vector<std::pair<Eigen::Vector2d, Eigen::Vector2d>> pairs;
  for (const auto& mark : sighting.marks) {
    const FieldMap::Landmark* nearest = nullptr;
    double best = kNearest;
    for (const auto& landmark : map_.landmarks()) {
      const double distance = (landmark.place - here * mark.ray.position).norm();
      if (landmark.kind != mark.kind || distance > best) continue;
      best = distance;
      nearest = &landmark;
    }
    if (nearest != nullptr) pairs.emplace_back(nearest->place, mark.ray.position);
  }
  double widest = kNarrowest;
  std::optional<Pose2> found;
  for (const auto& a : pairs) {
    for (const auto& b : pairs) {
      const double angle =
          hl_description::wrap_angle(std::atan2(a.second.y(), a.second.x()) - std::atan2(b.second.y(), b.second.x()));
      if (angle <= widest || (a.first - b.first).norm() < kClosest) continue;
      widest = angle;
      found = pose_from_two(a.first, a.second, b.first, b.second);
    }
  }
  if (found && (found->position() - here.position()).norm() < kNearest) map_from_odom_ = *found * odometry.inverse();
}

}  // namespace hl_localization
