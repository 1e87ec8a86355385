// SPDX-License-Identifier: Apache-2.0
#include "hl_description/self_collision.hpp"

#include <algorithm>

namespace hl_description {
namespace {
constexpr std::size_t kJointsApart = 3;
}

SelfCollision::SelfCollision(const RobotModel& model, const std::vector<CapsuleConfig>& capsules)
    : capsules_(capsules) {
  for (const auto& capsule : capsules_) links_.push_back(model.link(capsule.link));
  for (std::size_t a = 0; a < capsules_.size(); ++a) {
    for (std::size_t b = a + 1; b < capsules_.size(); ++b) {
      if (model.joints_between(links_[a], links_[b]) >= kJointsApart) pairs_.push_back({a, b, 0.0});
    }
  }
  if (pairs_.empty())
    throw ModelError("robot.yaml: self_collision compares nothing; give capsules for at least two limbs");
}

double SelfCollision::distance(const Posture& posture, std::size_t a, std::size_t b) const {
  const Eigen::Isometry3d &ta = posture.links[links_[a]], &tb = posture.links[links_[b]];
  const CapsuleConfig &ca = capsules_[a], &cb = capsules_[b];
  return segment_distance(ta * ca.from, ta * ca.to, tb * cb.from, tb * cb.to) - ca.radius - cb.radius;
}

void SelfCollision::distances(const Posture& posture, std::vector<Pair>& pairs) const {
  pairs.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    pairs[i] = {pairs_[i].a, pairs_[i].b, distance(posture, pairs_[i].a, pairs_[i].b)};
}

SelfCollision::Pair SelfCollision::nearest(const Posture& posture) const {
  Pair best;
  best.distance = 1e9;
  for (const Pair& pair : pairs_) {
    const double d = distance(posture, pair.a, pair.b);
    if (d < best.distance) best = {pair.a, pair.b, d};
  }
  return best;
}

double segment_distance(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1, const Eigen::Vector3d& b0,
                        const Eigen::Vector3d& b1) {
  const Eigen::Vector3d u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double tiny = 1e-12;
  const auto along_a = [&](double t) { return uu > tiny ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0; };
  if (vv <= tiny) return (w + along_a(0.0) * u).norm();  // b is a point
  const double determinant = uu * vv - uv * uv;          // 0 = parallel: any start will do
  double s = determinant > tiny * uu ? std::clamp((uv * vw - vv * uw) / determinant, 0.0, 1.0) : 0.0;
  double t = (uv * s + vw) / vv;
  if (t < 0.0 || t > 1.0) {  // beyond an end of b: the point of a nearest to that end
    t = std::clamp(t, 0.0, 1.0);
    s = along_a(t);
  }
  return (w + s * u - t * v).norm();
}

}  // namespace hl_description
