// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <bitset>
#include <cmath>
#include <random>

#include "lines.hpp"

namespace hl_vision {
namespace {

using Eigen::Vector2d;

// Circle
constexpr int kCircleTries = 120, kBins = 36;               // of 10 degrees
constexpr int kLeastArc = 11, kLeastCircle = 28;            // bins in a row; points
constexpr double kCircleRange = 4.5;                        // m
constexpr double kPaintedRange = 3.5, kLeastPainted = 0.6;  // m; share of the circle in sight that must be painted
// Lines
constexpr double kBeside = 0.065;                                 // m from the middle of a line, where turf must be
constexpr double kWobble = 0.015, kSoftEdge = 2.2;                // m, px: how well its place is known; beside it
constexpr double kLeastContrast = 7.0, kRelativeContrast = 0.08;  // 0..255; of the field's brightness
constexpr double kNearPost = 0.35, kOnGoalLine = 0.09;  // m from a crossing to a post; from an arm to the post's middle
// Segments
constexpr int kSegmentTries = 70, kMostSegments = 14, kLeastPoints = 6;
constexpr double kInlier = 1.6;       // px
constexpr double kLargestGap = 32.0;  // px between neighbouring points
constexpr double kShortest = 18.0;    // px
// Crossings
constexpr double kReach = 0.30;         // m a segment may end before the crossing
constexpr double kRightAngle = 0.26;    // rad, tolerance
constexpr double kCrossingRange = 5.0;  // m

/// The same numbers for the same picture.
using Random = std::minstd_rand;

std::size_t pick(Random& random, std::size_t count) {
  return random() % count;
}

double circle_tolerance(double distance) {
  return 0.03 + 0.008 * distance;
}

/// Longest run of set bins around the circle: where it begins and its length.
std::pair<int, int> longest_arc(const std::bitset<kBins>& bins) {
  if (bins.all()) return {0, kBins};
  int best = 0, best_start = 0;
  for (int start = 0; start < kBins; ++start) {
    int length = 0, gaps = 0, n = start;
    if (!bins[start]) continue;
    int last = 0;
    for (; length < kBins; ++length, n = (n + 1) % kBins) {
      if (bins[n]) {
        gaps = 0;
        last = length + 1;
      } else if (++gaps > 1) {
        break;
      }
    }
    if (last > best) {
      best = last;
      best_start = start;
    }
  }
  return {best_start, best};
}

struct Line {
  Vector2d point, direction;
  double distance(const cv::Point2d& p) const {
    return std::abs((p.x - point.x()) * direction.y() - (p.y - point.y()) * direction.x());
  }
  double along(const cv::Point2d& p) const {
    return (p.x - point.x()) * direction.x() + (p.y - point.y()) * direction.y();
  }
};

Line fit(const std::vector<const LinePoint*>& points) {
  Vector2d mean = Vector2d::Zero();
  for (const LinePoint* p : points) mean += Vector2d(p->straight.x, p->straight.y);
  mean /= static_cast<double>(points.size());
  Eigen::Matrix2d scatter = Eigen::Matrix2d::Zero();
  for (const LinePoint* p : points) {
    const Vector2d d = Vector2d(p->straight.x, p->straight.y) - mean;
    scatter += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(scatter);
  return {mean, solver.eigenvectors().col(1)};
}

/// The longest part of the line without a large gap, around the point where the hypothesis was made.
std::vector<LinePoint*> contiguous(std::vector<std::pair<double, LinePoint*>>& inliers) {
  std::sort(inliers.begin(), inliers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t best_first = 0, best_count = 0, first = 0;
  for (std::size_t n = 0; n < inliers.size(); ++n) {
    if (n > 0 && inliers[n].first - inliers[n - 1].first > kLargestGap) first = n;
    if (n + 1 - first > best_count) {
      best_count = n + 1 - first;
      best_first = first;
    }
  }
  std::vector<LinePoint*> result;
  for (std::size_t n = best_first; n < best_first + best_count; ++n) result.push_back(inliers[n].second);
  return result;
}

std::vector<LinePoint*> inliers_of(const Line& line, std::vector<LinePoint*>& points, double tolerance) {
  std::vector<std::pair<double, LinePoint*>> inliers;
  for (LinePoint* p : points) {
    if (line.distance(p->straight) < tolerance) inliers.emplace_back(line.along(p->straight), p);
  }
  return contiguous(inliers);
}

cv::Point2d back_into_picture(const Frame& frame, const Vector2d& straight) {
  if (!frame.view || !frame.view->lens().distorted()) return {straight.x(), straight.y()};
  const Lens& lens = frame.view->lens();
  const Eigen::Vector3d ray((straight.x() - lens.cx) / lens.fx, (straight.y() - lens.cy) / lens.fy, 1.0);
  const auto pixel = frame.view->project(Eigen::Vector3d(frame.view->ground_from_camera() * ray));
  return pixel.value_or(cv::Point2d(straight.x(), straight.y()));
}

/// Brightness between pixels.
double luma_at(const Frame& frame, const cv::Point2d& p) {
  const double x = p.x - 0.5, y = p.y - 0.5;
  const int i = static_cast<int>(x), j = static_cast<int>(y);
  const double u = x - i, v = y - j;
  const auto *upper = frame.luma.ptr<std::uint8_t>(j) + i, *lower = frame.luma.ptr<std::uint8_t>(j + 1) + i;
  return (1.0 - v) * ((1.0 - u) * upper[0] + u * upper[1]) + v * ((1.0 - u) * lower[0] + u * lower[1]);
}

enum class Ground { Paint, Turf, Hidden, Outside };

/// Whether a place lies on a line that runs along `direction`: brighter than the ground on both sides. What is white
/// and broader is something that stands there.
Ground ground_at(const Frame& frame, const Vector2d& place, const Vector2d& direction) {
  const Vector2d across(-direction.y(), direction.x());
  const auto centre = frame.view->project(place), aside = frame.view->project(Vector2d(place + kBeside * across));
  if (!centre || !aside) return Ground::Outside;
  // Far away a line across the view is hardly more than a pixel: its soft edges need room.
  const double pixel = kBeside / std::max(1e-3, cv::norm(*aside - *centre));  // m
  const double beside = std::max(kBeside, kSoftEdge * pixel), wobble = std::max(kWobble, pixel);
  struct Look {
    double luma;
    std::uint8_t looks;
  };
  const auto look = [&](double off) -> std::optional<Look> {
    const auto at = frame.view->project(Vector2d(place + off * across));
    if (!at || at->x < 0.5 || at->y < 0.5 || at->x >= frame.width() - 1.0 || at->y >= frame.height() - 1.0)
      return std::nullopt;
    return Look{luma_at(frame, *at), frame.at(static_cast<int>(at->x), static_cast<int>(at->y))};
  };
  const auto middle = look(0.0), left = look(beside), right = look(-beside);
  if (!middle || !left || !right) return Ground::Outside;
  if (middle->looks == kBody) return Ground::Hidden;
  double inside = middle->luma;
  bool white = middle->looks == kWhite;
  for (const double off : {-wobble, -0.5 * wobble, 0.5 * wobble, wobble}) {
    const auto near = look(off);
    if (!near) continue;
    inside = std::max(inside, near->luma);
    white |= near->looks == kWhite;
  }
  const double contrast = std::max(kLeastContrast, kRelativeContrast * frame.field_brightness);
  if (inside > std::max(left->luma, right->luma) + contrast) return Ground::Paint;
  return white ? Ground::Hidden : Ground::Turf;
}

/// Whether a line runs from a crossing in a direction: share of samples that are painted. Nothing if that part is
/// outside the picture or hidden. `feet`: of posts, which hide it and stand on the goal line.
std::optional<double> paint_along(const Frame& frame, const Vector2d& from, const Vector2d& direction,
                                  const std::vector<Vector2d>& feet) {
  int seen = 0, paint = 0;
  for (const double s : {0.10, 0.14, 0.18, 0.22}) {
    const Ground ground = ground_at(frame, from + s * direction, direction);
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

/// Share of a circle that is painted, of what can be seen of it within `range`; its lines cross nothing but the halfway
/// line.
double painted_share(const Frame& frame, const Vector2d& centre, double radius, double range) {
  const Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  int seen = 0, paint = 0;
  for (int n = 0; n < 2 * kBins; ++n) {
    const double angle = n * M_PI / kBins;
    const Vector2d out(std::cos(angle), std::sin(angle)), place = centre + radius * out;
    if ((place - eye).norm() > range) continue;
    const Ground ground = ground_at(frame, place, Vector2d(-out.y(), out.x()));
    if (ground == Ground::Outside || ground == Ground::Hidden) continue;
    ++seen;
    paint += ground == Ground::Paint;
  }
  return seen > 0 ? static_cast<double>(paint) / seen : 0.0;
}

}  // namespace

std::vector<CircleInImage> find_circle(const Frame& frame, std::vector<LinePoint>& points) {
  if (!frame.view) return {};
  const Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  std::vector<LinePoint*> near;
  for (LinePoint& p : points) {
    if ((p.ground - eye).norm() < kCircleRange) near.push_back(&p);
  }
  if (near.size() < static_cast<std::size_t>(kLeastCircle)) return {};
  Random random(17);
  const double r = frame.circle_radius;
  Vector2d best_centre = Vector2d::Zero();
  int best_count = 0;
  const auto count = [&](const Vector2d& centre) {
    int n = 0;
    for (const LinePoint* p : near) {
      n += std::abs((p->ground - centre).norm() - r) < circle_tolerance((p->ground - eye).norm());
    }
    return n;
  };
  for (int n = 0; n < kCircleTries; ++n) {
    const Vector2d a = near[pick(random, near.size())]->ground, b = near[pick(random, near.size())]->ground;
    const double half = 0.5 * (b - a).norm();
    if (half < 0.15 || half > 0.97 * r) continue;
    const Vector2d across(a.y() - b.y(), b.x() - a.x());
    for (const double side : {-1.0, 1.0}) {
      const Vector2d centre = 0.5 * (a + b) + side * across.normalized() * std::sqrt(r * r - half * half);
      const int votes = count(centre);
      if (votes > best_count) {
        best_count = votes;
        best_centre = centre;
      }
    }
  }
  if (best_count < kLeastCircle) return {};
  const auto on_circle = [&](const LinePoint& p) {
    return std::abs((p.ground - best_centre).norm() - r) < circle_tolerance((p.ground - eye).norm());
  };
  for (int step = 0; step < 4; ++step) {  // Gauss-Newton on the centre
    Eigen::Matrix2d a = Eigen::Matrix2d::Identity() * 1e-3;
    Vector2d b = Vector2d::Zero();
    for (const LinePoint* p : near) {
      if (!on_circle(*p)) continue;
      const Vector2d out = (p->ground - best_centre).normalized();
      const double weight = 1.0 / std::pow(circle_tolerance((p->ground - eye).norm()), 2);
      a += weight * out * out.transpose();
      b += weight * out * ((p->ground - best_centre).norm() - r);
    }
    best_centre += a.ldlt().solve(b);
  }
  std::bitset<kBins> bins;
  int inliers = 0, inside = 0;
  for (const LinePoint* p : near) {
    const Vector2d d = p->ground - best_centre;
    if (on_circle(*p)) {
      ++inliers;
      bins.set(static_cast<std::size_t>((std::atan2(d.y(), d.x()) + M_PI) / (2.0 * M_PI) * kBins) % kBins);
    } else if (d.norm() < 1.35 * r) {
      ++inside;
    }
  }
  const auto [start, length] = longest_arc(bins);
  if (length < kLeastArc || inliers < kLeastCircle || inside > 2 * inliers) return {};
  if (painted_share(frame, best_centre, r, kPaintedRange) < kLeastPainted) return {};
  for (LinePoint* p : near) p->used |= on_circle(*p);
  const auto at = [&](double bin) {
    const double angle = (start + bin) * 2.0 * M_PI / kBins - M_PI;
    return frame.view->project(Vector2d(best_centre + r * Vector2d(std::cos(angle), std::sin(angle))));
  };
  const auto one = at(0.5), middle = at(0.5 * length), other = at(length - 0.5);
  const auto centre = frame.view->project(best_centre);
  if (!one || !middle || !other || !centre) return {};
  CircleInImage circle;
  circle.left = one->x < other->x ? *one : *other;
  circle.right = one->x < other->x ? *other : *one;
  circle.middle = *middle;
  circle.center = *centre;
  circle.confidence = std::min(1.0, 0.4 + 0.02 * length + 0.003 * inliers);
  return {circle};
}

std::vector<SegmentInImage> find_segments(const Frame& frame, std::vector<LinePoint>& points) {
  std::vector<SegmentInImage> segments;
  std::vector<LinePoint*> open;
  for (LinePoint& p : points) {
    if (!p.used) open.push_back(&p);
  }
  Random random(23);
  int failures = 0;
  while (open.size() >= static_cast<std::size_t>(kLeastPoints) && segments.size() < kMostSegments && failures < 4) {
    std::vector<LinePoint*> best;
    for (int n = 0; n < kSegmentTries; ++n) {
      const LinePoint *a = open[pick(random, open.size())], *b = open[pick(random, open.size())];
      const Vector2d d(b->straight.x - a->straight.x, b->straight.y - a->straight.y);
      if (d.norm() < 12.0 || d.norm() > 200.0) continue;
      const Line line{Vector2d(a->straight.x, a->straight.y), d.normalized()};
      auto inliers = inliers_of(line, open, kInlier);
      if (inliers.size() > best.size()) best = std::move(inliers);
    }
    if (best.size() < static_cast<std::size_t>(kLeastPoints)) {
      ++failures;
      continue;
    }
    Line line{};
    for (int step = 0; step < 2; ++step) {
      line = fit({best.begin(), best.end()});
      auto inliers = inliers_of(line, open, kInlier);
      if (inliers.size() >= static_cast<std::size_t>(kLeastPoints)) best = std::move(inliers);
    }
    const double low = line.along(best.front()->straight), high = line.along(best.back()->straight);
    for (LinePoint* p : best) p->used = true;
    // Soft edges of the same line must not become a second one.
    open.erase(std::remove_if(open.begin(), open.end(),
                              [&](const LinePoint* p) {
                                const double s = line.along(p->straight);
                                return p->used || (line.distance(p->straight) < 2.0 * kInlier && s > low && s < high);
                              }),
               open.end());
    if (high - low < kShortest) continue;
    SegmentInImage segment;
    segment.from = back_into_picture(frame, line.point + low * line.direction);
    segment.to = back_into_picture(frame, line.point + high * line.direction);
    segment.from_width = frame.line_width * frame.scale(segment.from);
    segment.to_width = frame.line_width * frame.scale(segment.to);
    segment.confidence = std::min(1.0, 0.3 + 0.03 * static_cast<double>(best.size()));
    segments.push_back(segment);
  }
  return segments;
}

namespace {

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
  for (const double sign : {1.0, -1.0}) {
    const auto pu = paint_along(frame, at, sign * u, feet), pv = paint_along(frame, at, sign * v, feet);
    if (!pu || !pv) return std::nullopt;
    for (const double share : {*pu, *pv}) {
      if (share > 0.3 && share < 0.7) return std::nullopt;
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
  crossing.confidence = 0.8;
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
