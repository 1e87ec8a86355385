// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "lines.hpp"
#include "paint.hpp"

namespace hl_vision {
namespace {

using Eigen::Vector2d;

constexpr double kNearPost = 0.35, kOnGoalLine = 0.09;  // m from a crossing to a post; from an arm to the post's middle
constexpr double kReach = 0.30;                         // m a segment may end before the crossing
constexpr double kRightAngle = 0.26;                    // rad, tolerance
constexpr double kCrossingRange = 5.0;                  // m
constexpr double kSameCorner = 0.3;                     // m
constexpr double kClearCorner = 0.79;                   // confidence of one whose arms leave no doubt
constexpr double kCornerRange = 2.5;                    // m, of one of which only one line was found
constexpr std::array<double, 6> kBeyondEnd{-0.06, -0.02, 0.02, 0.06, 0.10, 0.14};  // m beyond that line's end

/// How far the centre circle has bent away from its tangent after `way` m.
double bend(const Frame& frame, double way) {
  return way * way / (2.0 * frame.circle_radius);
}

/// Whether a line runs from a crossing in a direction: share of samples that are painted. Nothing if that part is
/// outside the picture or hidden. `feet`: of posts, which hide it and stand on the goal line.
std::optional<double> paint_along(const Frame& frame, const Vector2d& from, const Vector2d& direction,
                                  const std::vector<Vector2d>& feet) {
  int seen = 0, paint = 0;
  for (const double s : {0.10, 0.14, 0.18, 0.22}) {
    const Ground ground = ground_at(frame, from + s * direction, direction, kPaintWobble + bend(frame, s));
    if (ground == Ground::Outside) return std::nullopt;
    if (ground == Ground::Hidden) continue;
    ++seen;
    paint += ground == Ground::Paint;
  }
  if (seen >= 3) return static_cast<double>(paint) / seen;
  for (const Vector2d& foot : feet) {
    const Vector2d way = foot - from;
    if (way.norm() > kNearPost) continue;
    const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
    return way.dot(direction) > 0.0 && aside < kOnGoalLine ? 1.0 : 0.0;
  }
  return std::nullopt;
}

struct GroundSegment {
  Vector2d from, to;
};

/// A crossing with the given directions of possible arms; nothing if too little of it can be told.
std::optional<CrossingInImage> judge_crossing(const Frame& frame, const Vector2d& at, const Vector2d& u,
                                              const Vector2d& v, const std::vector<Vector2d>& feet) {
  const auto pixel = frame.view->project(at);
  if (!pixel || !frame.view->contains(*pixel)) return std::nullopt;
  CrossingInImage crossing;
  crossing.position = *pixel;
  int arms = 0;
  bool along_u[2], along_v[2];
  int n = 0;
  double clarity = 0.0;
  for (const double sign : {1.0, -1.0}) {
    const auto pu = paint_along(frame, at, sign * u, feet), pv = paint_along(frame, at, sign * v, feet);
    if (!pu || !pv) return std::nullopt;
    for (const double share : {*pu, *pv}) {
      if (share > 0.3 && share < 0.7) return std::nullopt;
      clarity += 0.25 * std::abs(2.0 * share - 1.0);
    }
    along_u[n] = *pu >= 0.7;
    along_v[n] = *pv >= 0.7;
    for (const auto& [there, direction] :
         {std::pair(along_u[n], Vector2d(sign * u)), std::pair(along_v[n], Vector2d(sign * v))}) {
      if (!there) continue;
      ++arms;
      if (const auto end = frame.view->project(Vector2d(at + 0.2 * direction))) crossing.arms.push_back(*end);
    }
    ++n;
  }
  using Type = hl_description::Field::Crossing;
  if (arms == 4) {
    crossing.type = Type::X;
  } else if (arms == 3) {
    crossing.type = Type::T;
  } else if (arms == 2 && along_u[0] != along_u[1] && along_v[0] != along_v[1]) {
    crossing.type = Type::L;
  } else {
    return std::nullopt;
  }
  crossing.confidence = 0.4 + 0.4 * clarity;
  return crossing;
}

}  // namespace

std::vector<CrossingInImage> find_crossings(const Frame& frame, const std::vector<SegmentInImage>& segments,
                                            const std::vector<CircleInImage>& circles,
                                            const std::vector<PostInImage>& posts) {
  std::vector<CrossingInImage> crossings;
  if (!frame.view) return crossings;
  std::vector<Vector2d> feet;
  for (const PostInImage& post : posts)
    if (const auto foot = frame.view->on_plane(post.foot)) feet.push_back(*foot);
  const Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  std::vector<GroundSegment> ground;
  for (const SegmentInImage& s : segments) {
    const auto from = frame.view->on_plane(s.from), to = frame.view->on_plane(s.to);
    if (from && to && (*to - *from).norm() > 0.12) ground.push_back({*from, *to});
  }
  const auto add = [&](const Vector2d& at, const Vector2d& u, const Vector2d& v) {
    if ((at - eye).norm() > kCrossingRange) return;
    auto crossing = judge_crossing(frame, at, u, v, feet);
    if (!crossing) return;
    for (const CrossingInImage& other : crossings) {
      if (cv::norm(other.position - crossing->position) < 10.0) return;
    }
    crossings.push_back(std::move(*crossing));
  };
  for (std::size_t i = 0; i < ground.size(); ++i) {
    for (std::size_t j = i + 1; j < ground.size(); ++j) {
      const Vector2d u = (ground[i].to - ground[i].from).normalized(), v = (ground[j].to - ground[j].from).normalized();
      if (std::abs(u.dot(v)) > std::sin(kRightAngle)) continue;
      const double cross = u.x() * v.y() - u.y() * v.x();
      const Vector2d between = ground[j].from - ground[i].from;
      const double s = (between.x() * v.y() - between.y() * v.x()) / cross;
      const double t = (between.x() * u.y() - between.y() * u.x()) / cross;
      const double li = (ground[i].to - ground[i].from).norm(), lj = (ground[j].to - ground[j].from).norm();
      if (s < -kReach || s > li + kReach || t < -kReach || t > lj + kReach) continue;
      add(ground[i].from + s * u, u, v);
    }
  }
  // Where a line ends another may begin that was too short or too pale to be found.
  for (const GroundSegment& g : ground) {
    for (const bool at_end : {false, true}) {
      const Vector2d end = at_end ? g.to : g.from, u = (end - (at_end ? g.from : g.to)).normalized();
      if ((end - eye).norm() > kCornerRange) continue;
      std::optional<std::pair<double, Vector2d>> best;
      for (const double on : kBeyondEnd) {
        const Vector2d at = end + on * u;
        const auto crossing = judge_crossing(frame, at, u, Vector2d(-u.y(), u.x()), feet);
        const bool clear =
            crossing && crossing->type == hl_description::Field::Crossing::L && crossing->confidence > kClearCorner;
        if (clear && (!best || crossing->confidence > best->first)) best = {crossing->confidence, at};
      }
      const bool known = best && std::any_of(crossings.begin(), crossings.end(), [&](const CrossingInImage& other) {
                           const auto at = frame.view->on_plane(other.position);
                           return at && (*at - best->second).norm() < kSameCorner;
                         });
      if (best && !known) add(best->second, u, Vector2d(-u.y(), u.x()));
    }
  }
  for (const CircleInImage& circle : circles) {
    const auto centre = frame.view->on_plane(circle.center);
    if (!centre) continue;
    for (const GroundSegment& g : ground) {
      const Vector2d u = (g.to - g.from).normalized(), to_centre = *centre - g.from;
      const double off = u.x() * to_centre.y() - u.y() * to_centre.x();
      if (std::abs(off) > 0.12) continue;  // only the halfway line runs through the centre
      for (const double side : {-1.0, 1.0}) {
        const Vector2d at = g.from + (u.dot(to_centre) + side * frame.circle_radius) * u;
        const double s = (at - g.from).dot(u);
        if (s > -kReach && s < (g.to - g.from).norm() + kReach) add(at, u, Vector2d(-u.y(), u.x()));
      }
    }
  }
  return crossings;
}

}  // namespace hl_vision
