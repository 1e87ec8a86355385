// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hl_path_planning/route.hpp"

namespace hl_path_planning {
namespace {

constexpr double kStandOff = 2e-3;    // m outside the edge, so that the place is free beyond doubt
constexpr double kFromWeight = 0.05;  // of two places about as near to the wanted one, that on this side
constexpr int kSamples = 16;          // of the edge of a disc round the wanted place

/// Collects candidates and keeps the best free one.
struct Choice {
  const World& world;
  const Vector2d& wanted;
  const Vector2d& from;
  Vector2d place = Vector2d::Zero();
  double cost = 1e9;

  void consider(const Vector2d& point) {
    const Vector2d p = world.box.nearest(point);
    const double c = (p - wanted).norm() + kFromWeight * (p - from).norm();
    if (c < cost && is_free(world, p)) {
      place = p;
      cost = c;
    }
  }
};

Vector2d core_point(const Obstacle& o, const Vector2d& p) {
  const Vector2d ab = o.b - o.a;
  const double length = ab.squaredNorm();
  return o.a + (length > 0.0 ? std::clamp((p - o.a).dot(ab) / length, 0.0, 1.0) : 0.0) * ab;
}

/// Both crossings of two circles.
void cross_circles(const Vector2d& a, double ra, const Vector2d& b, double rb, Choice& choice) {
  const Vector2d ab = b - a;
  const double d = ab.norm();
  if (d < 1e-9 || d > ra + rb || d < std::abs(ra - rb)) return;
  const double x = (d * d + ra * ra - rb * rb) / (2.0 * d), y = std::sqrt(std::max(0.0, ra * ra - x * x));
  const Vector2d along = ab / d, left(-along.y(), along.x());
  choice.consider(a + x * along + y * left);
  choice.consider(a + x * along - y * left);
}

/// Crossings of a circle with the line through `point` along the unit vector `along`.
void cross_line(const Vector2d& centre, double radius, const Vector2d& point, const Vector2d& along, Choice& choice) {
  const double ahead = (centre - point).dot(along);
  const Vector2d foot = point + ahead * along;
  const double off = (foot - centre).norm();
  if (off > radius) return;
  const double half = std::sqrt(radius * radius - off * off);
  choice.consider(foot + half * along);
  choice.consider(foot - half * along);
}

}  // namespace

bool nearest_free(const World& world, const Vector2d& wanted, const Vector2d& from, Vector2d& free) {
  if (is_free(world, wanted)) {
    free = wanted;
    return true;
  }
  Choice choice{world, wanted, from};
  choice.consider(wanted);  // brought into the box
  const Vector2d inside = world.box.nearest(wanted);
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    const Obstacle& o = world.obstacles[i];
    const double r = o.radius + kStandOff;
    const Vector2d core = core_point(o, inside);
    const double distance = (inside - core).norm();
    if (distance > 3.0 + r) continue;
    Vector2d away = inside - core;
    if (away.norm() < 1e-6) away = from - core;
    if (away.norm() < 1e-6) away = Vector2d::UnitX();
    choice.consider(core + r * away.normalized());
    if (distance < r) {
      for (int k = 0; k < kSamples; ++k) choice.consider(core + r * unit(2.0 * M_PI * k / kSamples));
      choice.consider(core + r * (from - core).normalized());
    }
    const Vector2d along = o.is_disc() ? Vector2d(1.0, 0.0) : Vector2d((o.b - o.a).normalized());
    const Vector2d left(-along.y(), along.x());
    for (const Vector2d& end : {o.a, o.b}) {  // where it meets the box
      cross_line(end, r, world.box.low, Vector2d::UnitX(), choice);
      cross_line(end, r, world.box.low, Vector2d::UnitY(), choice);
      cross_line(end, r, world.box.high, Vector2d::UnitX(), choice);
      cross_line(end, r, world.box.high, Vector2d::UnitY(), choice);
      if (o.is_disc()) break;
    }
    for (std::size_t j = 0; j < world.obstacles.size(); ++j) {
      if (i == j) continue;
      const Obstacle& p = world.obstacles[j];
      const double rp = p.radius + kStandOff;
      if (segment_distance(o.a, o.b, p.a, p.b) > r + rp) continue;
      for (const Vector2d& a : {o.a, o.b}) {
        for (const Vector2d& b : {p.a, p.b}) cross_circles(a, r, b, rp, choice);
      }
      if (o.is_disc()) continue;
      for (const Vector2d& b : {p.a, p.b}) {
        cross_line(b, rp, o.a + r * left, along, choice);
        cross_line(b, rp, o.a - r * left, along, choice);
      }
    }
  }
  if (choice.cost >= 1e9) return false;
  free = choice.place;
  return true;
}

}  // namespace hl_path_planning
