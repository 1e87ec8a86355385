// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lines.hpp"

namespace hl_vision {
namespace {

constexpr double kWidest = 3.2, kNarrowest = 0.35;                // of a line's width, along the scan on the ground
constexpr double kFarthest = 6.0;                                 // m; beyond, a line is thinner than a pixel
constexpr double kLeastContrast = 9.0;                            // 0..255 against the field on both sides
constexpr double kRelativeContrast = 0.10;                        // of the field's brightness
constexpr double kPaleContrast = 14.0, kPaleShare = 0.20;         // brightness over the turf's of a line in its colour
constexpr double kTurfMemory = 0.12;                              // share of a new pixel in the turf's brightness
constexpr double kPaleRoughness = 4.0, kContrastRoughness = 2.0;  // of the turf's mean deviation
constexpr int kMostPale = 40, kBroadest = 120;                    // px along a scan, at least
constexpr double kBallEdge = 0.58;                                // of a ball's diameter, around its middle
constexpr int kMostPoints = 900;

/// One row or column of the picture.
struct Scan {
  const Frame& frame;
  bool along_row;
  int fixed;
  std::uint8_t c(int t) const { return along_row ? frame.at(t, fixed) : frame.at(fixed, t); }
  double luma(int t) const {
    return along_row ? frame.luma.at<std::uint8_t>(fixed, t) : frame.luma.at<std::uint8_t>(t, fixed);
  }
  cv::Point2d at(double t) const { return along_row ? cv::Point2d(t, fixed + 0.5) : cv::Point2d(fixed + 0.5, t); }
  const std::uint8_t* colour(int t) const {
    return along_row ? frame.bgr.ptr<std::uint8_t>(fixed) + 3 * t : frame.bgr.ptr<std::uint8_t>(t) + 3 * fixed;
  }
};

bool width_fits(const Frame& frame, const cv::Point2d& a, const cv::Point2d& b, LinePoint& point) {
  const double pixels = std::hypot(b.x - a.x, b.y - a.y);
  if (frame.view) {
    const auto p = frame.view->on_plane(a), q = frame.view->on_plane(b), middle = frame.view->on_plane(point.pixel);
    if (!p || !q || !middle) return false;
    const double metres = (*p - *q).norm();
    const double distance = (*middle - frame.view->ground_from_camera().translation().head<2>()).norm();
    if (distance > kFarthest) return false;
    // A pixel more or less at each end.
    const double slack = metres / std::max(1.0, pixels);
    if (metres > kWidest * frame.line_width + slack || metres + slack < kNarrowest * frame.line_width) return false;
    point.ground = *middle;
    return true;
  }
  const double expected = frame.line_width * frame.scale(point.pixel);
  return pixels <= 2.0 * kWidest * expected + 2.0;
}

/// Bright against both sides, and neither red nor blue.
bool looks_like_paint(const Scan& scan, int a, int b, double left, double right, double least) {
  double sum = 0.0;
  for (int t = a; t < b; ++t) sum += scan.luma(t);
  const double inside = sum / (b - a);
  const double contrast = std::max({kLeastContrast, kRelativeContrast * scan.frame.field_brightness, least});
  if (inside < left + contrast || inside < right + contrast) return false;
  const auto* p = scan.colour((a + b) / 2);
  return p[0] < p[1] + 30 && p[2] < p[1] + 35 && p[1] < 1.6 * std::max(p[0], p[2]) + 20;
}

void scan_line(const Scan& scan, int first, int end, std::vector<LinePoint>& points) {
  // Thin and worn lines keep something of the turf's colour, but are brighter than the turf just before them.
  // Rough turf has bright blades: what stands out must stand out of that too.
  double turf = scan.frame.field_brightness, rough = 5.0;
  const auto is_field = [&](int t) {
    return scan.c(t) == kField &&
           scan.luma(t) < turf + std::max({kPaleContrast, kPaleShare * turf, kPaleRoughness * rough});
  };
  const auto field_run = [&](int from, int step, int limit) {
    // Length of the field from here, and its brightness next to the line's soft edge.
    int length = 0;
    double sum = 0.0;
    for (int t = from; t >= first && t < end && length < limit && is_field(t); t += step, ++length) sum += scan.luma(t);
    return std::pair(length, length > 0 ? sum / length : 0.0);
  };
  int t = first;
  while (t < end && scan.c(t) != kField) ++t;
  if (t < end) turf = scan.luma(t);
  while (t < end && points.size() < static_cast<std::size_t>(kMostPoints)) {
    while (t < end && is_field(t)) {
      const double off = scan.luma(t++) - turf;
      turf += kTurfMemory * off;
      rough += kTurfMemory * (std::abs(off) - rough);
    }
    const int a = t;
    const double widest = kWidest * scan.frame.line_width * scan.frame.scale(scan.at(a));
    const int most_pale = std::max(kMostPale, static_cast<int>(widest)), most = std::max(kBroadest, most_pale);
    bool body = false;
    int pale = 0;
    while (t < end && !is_field(t)) {
      body |= scan.c(t) == kBody;
      pale = scan.c(t) == kField ? pale + 1 : 0;
      ++t;
      if (pale > most_pale) break;  // brighter turf, not a line
    }
    if (t >= end) return;
    if (pale > most_pale) turf = scan.luma(t);
    const int b = t, width = b - a;
    if (body || width > most) continue;
    const int margin = std::clamp(width / 2, 2, 6);
    const auto [before, left] = field_run(a - 1, -1, margin);
    const auto [after, right] = field_run(b, 1, margin);
    if (before < std::min(margin, 3) || after < std::min(margin, 3)) continue;
    if (!looks_like_paint(scan, a, b, left, right, kContrastRoughness * rough)) continue;
    const double base = std::max(left, right);
    double weight = 0.0, moment = 0.0;
    for (int k = std::max(first, a - 1); k < std::min(end, b + 1); ++k) {
      const double w = std::max(0.0, scan.luma(k) - base);
      weight += w;
      moment += w * (k + 0.5);
    }
    LinePoint point;
    point.pixel = scan.at(weight > 0.0 ? moment / weight : 0.5 * (a + b));
    point.width = width;
    if (width_fits(scan.frame, scan.at(a), scan.at(b), point)) points.push_back(point);
  }
}

}  // namespace

std::vector<LinePoint> find_line_points(const Frame& frame) {
  std::vector<LinePoint> points;
  if (!frame.border.known()) return points;
  double top = frame.height();
  for (const auto& corner : frame.border.corners()) top = std::min(top, corner.y);
  const auto spacing = [&](const cv::Point2d& at) {
    return std::clamp(static_cast<int>(0.6 * frame.line_width * frame.scale(at)), 3, 10);
  };
  // Rows: the part between border and border.
  for (int y = std::max(0, static_cast<int>(top)); y < frame.height(); y += spacing({0.5 * frame.width(), double(y)})) {
    int first = 0, end = frame.width();
    while (first < end && frame.border.row(first) > y) first += 4;
    while (end > first && frame.border.row(end - 1) > y) end -= 4;
    scan_line({frame, true, y}, first, end, points);
  }
  for (int x = 2; x < frame.width(); x += 6) {
    const int first = std::max(0, static_cast<int>(frame.border.row(x)));
    scan_line({frame, false, x}, first, frame.height(), points);
  }
  for (LinePoint& point : points) {
    point.straight = point.pixel;
    if (frame.view && frame.view->lens().distorted()) {
      const Eigen::Vector3d ray = frame.view->ray(point.pixel);
      const Lens& lens = frame.view->lens();
      point.straight = {ray.x() * lens.fx + lens.cx, ray.y() * lens.fy + lens.cy};
    }
  }
  return points;
}

LinesInImage find_lines(const Frame& frame, const std::vector<PostInImage>& posts,
                        const std::optional<BallInImage>& ball) {
  LinesInImage lines;
  lines.points = find_line_points(frame);
  if (ball) {
    const auto on_ball = [&](const LinePoint& p) {
      return cv::norm(p.pixel - ball->center) < kBallEdge * ball->diameter;
    };
    lines.points.erase(std::remove_if(lines.points.begin(), lines.points.end(), on_ball), lines.points.end());
  }
  // A short arc does not tell the circle's centre, but it is no row of straight lines either.
  std::vector<CircleInImage> arcs;
  if (const auto arc = find_circle(frame, lines.points)) {
    arcs.push_back(arc->circle);
    if (arc->tells) lines.circles = arcs;
  }
  lines.marks = find_marks(frame, lines.points);
  lines.segments = find_segments(frame, lines.points);
  drop_goal_frames(frame, posts, lines);
  lines.crossings = find_crossings(frame, lines.segments, arcs, posts);
  return lines;
}

}  // namespace hl_vision
