// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <bitset>
#include <cmath>
#include <random>

#include "lines.hpp"
#include "paint.hpp"

namespace hl_vision {
namespace {

using Eigen::Vector2d;

// Circle
constexpr int kCircleTries = 120, kBins = 36;               // of 10 degrees
constexpr int kLeastArc = 11, kLeastCircle = 28;            // bins in a row; points
constexpr int kShortestArc = 7;                             // bins in a row that are no straight line any more...
constexpr double kBent = 0.3;                               // ...if they fit so much better, in squares
constexpr double kCircleRange = 4.5;                        // m
constexpr double kPaintedRange = 3.5, kLeastPainted = 0.6;  // m; share of the circle in sight that must be painted
// Segments
constexpr int kSegmentTries = 70, kMostSegments = 14, kLeastPoints = 6;
constexpr double kInlier = 1.6;       // px
constexpr double kLargestGap = 32.0;  // px between neighbouring points
constexpr double kShortest = 18.0;    // px

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

/// Whether places lie on a circle rather than on a straight line.
bool is_bent(const std::vector<Vector2d>& places, const Vector2d& centre, double radius) {
  Vector2d mean = Vector2d::Zero();
  double off_circle = 0.0;
  for (const Vector2d& p : places) {
    mean += p / static_cast<double>(places.size());
    off_circle += std::pow((p - centre).norm() - radius, 2);
  }
  Eigen::Matrix2d scatter = Eigen::Matrix2d::Zero();
  for (const Vector2d& p : places) scatter += (p - mean) * (p - mean).transpose();
  const double off_line = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(scatter).eigenvalues()(0);
  return off_circle < kBent * off_line;
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

std::optional<ArcInImage> find_circle(const Frame& frame, std::vector<LinePoint>& points) {
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
  if (length < kShortestArc || inliers < kLeastCircle || inside > 2 * inliers) return {};
  if (painted_share(frame, best_centre, r, kPaintedRange) < kLeastPainted) return {};
  std::vector<Vector2d> arc;
  for (const LinePoint* p : near)
    if (on_circle(*p)) arc.push_back(p->ground);
  if (!is_bent(arc, best_centre, r)) return {};
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
  return ArcInImage{circle, length >= kLeastArc};
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

}  // namespace hl_vision
