// SPDX-License-Identifier: Apache-2.0
#include "hl_localization/closed_form.hpp"

#include <algorithm>
#include <cmath>

namespace hl_localization {
namespace {

using Eigen::Vector2d;
using hl_description::wrap_angle;

constexpr double kArmTolerance = 0.35;      // rad
constexpr double kImpossible = 0.15;        // the cosine may leave -1..1 by this through noise
constexpr double kBeyondTheTurf = 0.5;      // m
constexpr double kDistanceTolerance = 0.3;  // of the distance between two marks

/// One of each pair of opposite landmarks.
bool representative(const Vector2d& place) {
  return place.x() > 1e-6 || (std::abs(place.x()) <= 1e-6 && place.y() >= 0.0);
}

void from_crossing(const Sighting::Mark& seen, const FieldMap& map, std::vector<Pose2>& poses) {
  for (const FieldMap::Landmark& landmark : map.landmarks()) {
    if (landmark.kind != seen.kind || !representative(landmark.place)) continue;
    for (const double first : landmark.arms) {
      const double yaw = wrap_angle(first - seen.arms[0]);
      bool fits = true;
      for (std::size_t n = 1; n < seen.arm_count && fits; ++n) {
        fits = std::any_of(landmark.arms.begin(), landmark.arms.end(),
                           [&](double arm) { return std::abs(wrap_angle(arm - seen.arms[n] - yaw)) < kArmTolerance; });
      }
      if (!fits) continue;
      const Vector2d p = landmark.place - Eigen::Rotation2Dd(yaw) * seen.ray.position;
      poses.push_back({p.x(), p.y(), yaw});
    }
  }
}

void from_pair(const Sighting::Mark& a, const Sighting::Mark& b, const FieldMap& map, std::vector<Pose2>& poses) {
  const double seen = (a.ray.position - b.ray.position).norm();
  for (const FieldMap::Landmark& first : map.landmarks()) {
    if (first.kind != a.kind || !representative(first.place)) continue;
    for (const FieldMap::Landmark& second : map.landmarks()) {
      if (second.kind != b.kind || &second == &first) continue;
      const double known = (first.place - second.place).norm();
      if (std::abs(known - seen) > kDistanceTolerance * std::max(known, seen)) continue;
      if (const auto pose = pose_from_two(first.place, a.ray.position, second.place, b.ray.position)) {
        poses.push_back(*pose);
      }
    }
  }
}

}  // namespace

std::optional<Pose2> pose_from_two(const Vector2d& place_a, const Vector2d& seen_a, const Vector2d& place_b,
                                   const Vector2d& seen_b) {
  const double da = seen_a.norm(), db = seen_b.norm();
  const Vector2d ab = place_b - place_a;
  const double base = ab.norm();
  if (!(da > 1e-3 && db > 1e-3 && base > 1e-3)) return std::nullopt;
  double cosine = (da * da + base * base - db * db) / (2.0 * da * base);
  if (!(std::abs(cosine) < 1.0 + kImpossible)) return std::nullopt;
  cosine = std::clamp(cosine, -1.0, 1.0);
  const double azimuth_a = std::atan2(seen_a.y(), seen_a.x()), azimuth_b = std::atan2(seen_b.y(), seen_b.x());
  const double difference = wrap_angle(azimuth_a - azimuth_b);
  if (std::abs(difference) < 1e-3) return std::nullopt;  // in one line with the robot
  const double beta = difference > 0.0 ? -std::acos(cosine) : std::acos(cosine);
  const Vector2d position = place_a + da * (Eigen::Rotation2Dd(beta) * (ab / base));
  const Vector2d to_a = place_a - position;
  return Pose2{position.x(), position.y(), wrap_angle(std::atan2(to_a.y(), to_a.x()) - azimuth_a)};
}

void candidates(const Sighting& sighting, const FieldMap& map, std::vector<Pose2>& poses) {
  const std::size_t before = poses.size();
  if (sighting.both_posts) {
    const auto& field = map.field();
    const Vector2d left(0.5 * field.length, 0.5 * (field.goal_width + field.post_diameter)), right(left.x(), -left.y());
    if (const auto pose = pose_from_two(left, sighting.marks[0].ray.position, right, sighting.marks[1].ray.position)) {
      poses.push_back(*pose);
    }
  }
  for (std::size_t i = 0; i < sighting.marks.size(); ++i) {
    const Sighting::Mark& a = sighting.marks[i];
    if (a.arm_count >= 2 && !a.place) from_crossing(a, map, poses);
    for (std::size_t k = i + 1; k < sighting.marks.size(); ++k) {
      const Sighting::Mark& b = sighting.marks[k];
      if (a.place && b.place) {
        if (const auto pose = pose_from_two(*a.place, a.ray.position, *b.place, b.ray.position)) poses.push_back(*pose);
      } else if (!a.place && !b.place && (a.arm_count < 2 || b.arm_count < 2) && !(sighting.both_posts && k == 1)) {
        from_pair(a, b, map, poses);
      }
    }
  }
  const auto off = [&map](const Pose2& pose) { return map.outside(pose.position()) > kBeyondTheTurf; };
  poses.erase(std::remove_if(poses.begin() + static_cast<std::ptrdiff_t>(before), poses.end(), off), poses.end());
}

}  // namespace hl_localization
