// SPDX-License-Identifier: Apache-2.0
#include "hl_description/support_polygon.hpp"

#include <algorithm>
#include <limits>

namespace hl_description {
namespace {

double cross(const Eigen::Vector2d& o, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

}  // namespace

void SupportPolygon::add(const Eigen::Vector2d& point) {
  if (count_ == kMaxPoints) return;
  const auto before = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  };
  std::size_t place = count_++;
  for (; place > 0 && before(point, points_[place - 1]); --place) points_[place] = points_[place - 1];
  points_[place] = point;
  rebuild();
}

void SupportPolygon::rebuild() {  // monotone chain over the sorted points
  corners_ = 0;
  const auto push = [this](const Eigen::Vector2d& point, std::size_t floor) {
    while (corners_ >= floor + 2 && cross(hull_[corners_ - 2], hull_[corners_ - 1], point) <= 0.0) --corners_;
    hull_[corners_++] = point;
  };
  for (std::size_t i = 0; i < count_; ++i) push(points_[i], 0);
  if (count_ > 1) {
    const std::size_t floor = corners_ - 1;
    for (std::size_t i = count_ - 1; i-- > 0;) push(points_[i], floor);
    --corners_;  // the first point again
  }
}

double SupportPolygon::margin(const Eigen::Vector2d& point) const {
  if (corners_ < 3) return -std::numeric_limits<double>::infinity();
  double inside = std::numeric_limits<double>::infinity();
  double outside = std::numeric_limits<double>::infinity();
  bool in = true;
  for (std::size_t i = 0; i < corners_; ++i) {
    const Eigen::Vector2d& a = hull_[i];
    const Eigen::Vector2d edge = hull_[(i + 1) % corners_] - a;
    const double distance = cross(a, a + edge, point) / edge.norm();
    in = in && distance >= 0.0;
    inside = std::min(inside, distance);
    const double along = std::clamp((point - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    outside = std::min(outside, (point - a - along * edge).norm());
  }
  return in ? inside : -outside;
}

double SupportPolygon::area() const {
  double twice = 0.0;
  for (std::size_t i = 1; i + 1 < corners_; ++i) twice += cross(hull_[0], hull_[i], hull_[i + 1]);
  return 0.5 * twice;
}

SupportPolygon support_polygon(const RobotModel& model, const Posture& posture, Support support,
                               const Eigen::Isometry3d& ground) {
  SupportPolygon polygon;
  const Eigen::Isometry3d to_ground = ground.inverse();
  for (const Side side : {Side::Left, Side::Right}) {
    if (support == (side == Side::Left ? Support::Right : Support::Left)) continue;
    for (const Eigen::Vector3d& corner : model.foot_outline(side))
      polygon.add((to_ground * (posture.links[model.sole(side)] * corner)).head<2>());
  }
  return polygon;
}

}  // namespace hl_description
