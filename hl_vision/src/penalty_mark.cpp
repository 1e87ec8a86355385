// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lines.hpp"

namespace hl_vision {
namespace {

using Eigen::Vector2d;

constexpr double kRange = 3.5;        // m
constexpr double kAlone = 1.3;        // of the mark's half length, around which no other line may be seen
constexpr double kFree = 2.0;         // of the half length, up to there
constexpr int kLeastPoints = 4;       // of line points on it
constexpr int kDirections = 9;        // tried over a right angle
constexpr double kLeastCross = 0.87;  // share of samples that must be as on a cross

/// Whether a place on the ground is painted; nothing outside the picture and on the own body.
std::optional<bool> painted(const Frame& frame, const Vector2d& at) {
  const auto pixel = frame.view->project(at);
  if (!pixel || !frame.view->contains(*pixel)) return std::nullopt;
  const auto c = frame.at(static_cast<int>(pixel->x), static_cast<int>(pixel->y));
  if (c == kBody) return std::nullopt;
  return c == kWhite;
}

/// Share of samples that fit a cross with bars of half length `half`: paint on the bars, turf between them. 0 if one of
/// the bars goes on, as that of a line does.
double cross_fits(const Frame& frame, const Vector2d& centre, double direction, double half) {
  int fits = 0, all = 0;
  const auto is = [&](double angle, double radius, bool wanted) {
    const auto paint = painted(frame, centre + radius * Vector2d(std::cos(angle), std::sin(angle)));
    return paint && *paint == wanted;
  };
  for (int n = 0; n < 4; ++n) {
    const double bar = direction + n * 0.5 * M_PI;
    if (!is(bar, 1.4 * half, false) || !is(bar, 1.8 * half, false)) return 0.0;
    for (const double share : {0.25, 0.5, 0.75}) fits += is(bar, share * half, true) ? 1 : 0;
    for (const double share : {0.65, 0.9, 1.15}) fits += is(bar + 0.25 * M_PI, share * half, false) ? 1 : 0;
    all += 6;
  }
  return static_cast<double>(fits) / all;
}

}  // namespace

std::vector<MarkInImage> find_marks(const Frame& frame, std::vector<LinePoint>& points) {
  std::vector<MarkInImage> marks;
  if (!frame.view || !(frame.mark_length > 0.0)) return marks;
  const double half = 0.5 * frame.mark_length;
  const Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  std::vector<bool> looked_at(points.size(), false);
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (looked_at[n] || points[n].used || (points[n].ground - eye).norm() > kRange) continue;
    // All points of a mark lie within its length of each other, and no line passes by.
    Vector2d low = points[n].ground, high = low;
    for (const LinePoint& p : points) {
      if ((p.ground - points[n].ground).norm() > 2.0 * half) continue;
      low = low.cwiseMin(p.ground);
      high = high.cwiseMax(p.ground);
    }
    const Vector2d centre = 0.5 * (low + high);
    std::vector<LinePoint*> own;
    bool alone = true;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double distance = (points[k].ground - centre).norm();
      if (distance < kAlone * half) {
        own.push_back(&points[k]);
        looked_at[k] = true;
      } else if (distance < kFree * half) {
        alone = false;
      }
    }
    if (!alone || own.size() < static_cast<std::size_t>(kLeastPoints)) continue;
    double best = 0.0, direction = 0.0;
    Vector2d best_centre = centre;
    for (const double dx : {-0.02, 0.0, 0.02}) {
      for (const double dy : {-0.02, 0.0, 0.02}) {
        for (int k = 0; k < kDirections; ++k) {
          const double angle = 0.5 * M_PI * k / kDirections;
          const double fits = cross_fits(frame, centre + Vector2d(dx, dy), angle, half);
          if (fits > best) {
            best = fits;
            direction = angle;
            best_centre = centre + Vector2d(dx, dy);
          }
        }
      }
    }
    const auto pixel = frame.view->project(best_centre);
    if (best < kLeastCross || !pixel) continue;
    MarkInImage mark{*pixel, {}, best};
    for (int k = 0; k < 4; ++k) {
      const double angle = direction + k * 0.5 * M_PI;
      if (const auto end =
              frame.view->project(Vector2d(best_centre + half * Vector2d(std::cos(angle), std::sin(angle)))))
        mark.arms.push_back(*end);
    }
    for (LinePoint* p : own) p->used = true;
    marks.push_back(std::move(mark));
  }
  return marks;
}

}  // namespace hl_vision
