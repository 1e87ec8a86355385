// SPDX-License-Identifier: Apache-2.0
#include "draw_markings.hpp"

#include <cmath>
#include <cstdio>
#include <opencv2/imgproc.hpp>

namespace hl_visualization {
namespace {

// The colours of the window's palette, as BGR.
const cv::Scalar kBall(60, 154, 255), kCandidate(102, 224, 255), kLine(255, 224, 82), kParts(102, 224, 255),
    kGoal(234, 146, 199), kRegion(175, 161, 151), kUnknown(201, 192, 185), kMagenta(210, 77, 255), kCyan(255, 210, 77),
    kHuman(75, 194, 255), kDark(31, 25, 21);

cv::Point at(const Pixel& p) {
  return {static_cast<int>(std::lround(p.x)), static_cast<int>(std::lround(p.y))};
}

void tag(cv::Mat& picture, const cv::Point& where, const char* text, const cv::Scalar& color) {
  int base = 0;
  const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, 0.42, 1, &base);
  cv::rectangle(picture, cv::Rect(where.x, where.y - size.height - 3, size.width + 6, size.height + 7), kDark,
                cv::FILLED);
  cv::putText(picture, text, cv::Point(where.x + 3, where.y + 1), cv::FONT_HERSHEY_SIMPLEX, 0.42, color, 1,
              cv::LINE_AA);
}

void beam(cv::Mat& picture, const LineMark& line, const cv::Scalar& color) {
  const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y;
  const double length = std::max(1e-9, std::hypot(dx, dy)), half = line.width / 2;
  const double nx = -dy / length * half, ny = dx / length * half;
  const cv::Point corners[] = {at({line.from.x + nx, line.from.y + ny}), at({line.to.x + nx, line.to.y + ny}),
                               at({line.to.x - nx, line.to.y - ny}), at({line.from.x - nx, line.from.y - ny})};
  const cv::Point* polygon = corners;
  const int count = 4;
  cv::polylines(picture, &polygon, &count, 1, true, color, 2, cv::LINE_8);
}

const cv::Scalar& color_of(std::uint8_t color) {
  return color == 2 ? kMagenta : color == 3 ? kCyan : color == 4 ? kHuman : kUnknown;
}

void draw_lines(cv::Mat& picture, const Markings& m) {
  for (const LineMark& line : m.lines) cv::line(picture, at(line.from), at(line.to), kLine, 2, cv::LINE_8);
  for (const ArcMark& arc : m.arcs) {
    // A parabola through the three points.
    const Pixel c{2 * arc.middle.x - (arc.left.x + arc.right.x) / 2, 2 * arc.middle.y - (arc.left.y + arc.right.y) / 2};
    constexpr int kSteps = 12;
    cv::Point before = at(arc.left);
    for (int i = 1; i <= kSteps; ++i) {
      const double t = static_cast<double>(i) / kSteps, u = 1 - t;
      const cv::Point next = at({u * u * arc.left.x + 2 * u * t * c.x + t * t * arc.right.x,
                                 u * u * arc.left.y + 2 * u * t * c.y + t * t * arc.right.y});
      cv::line(picture, before, next, kLine, 2, cv::LINE_8);
      before = next;
    }
  }
  for (const CrossingMark& crossing : m.crossings) {
    const cv::Point c = at(crossing.at);
    cv::rectangle(picture, cv::Rect(c.x - 5, c.y - 5, 11, 11), kLine, 2);
    const char text[] = {crossing.type, '\0'};
    tag(picture, c + cv::Point(8, 12), text, kLine);
  }
}

void draw_obstacles(cv::Mat& picture, const Markings& m) {
  for (const BoxMark& box : m.obstacles) {
    const cv::Scalar& color = color_of(box.color);
    cv::rectangle(picture, at(box.top_left), at({box.top_left.x + box.width, box.top_left.y + box.height}), color, 2);
    char text[32];
    if (box.number > 0) {
      std::snprintf(text, sizeof text, "#%d %.0f %%", box.number, 100 * box.confidence);
    } else {
      std::snprintf(text, sizeof text, "%.0f %%", 100 * box.confidence);
    }
    tag(picture, at({box.top_left.x, box.top_left.y + box.height + 14}), text, color);
  }
}

}  // namespace

void draw_markings(cv::Mat& bgr, const Markings& m, const MarkingSwitches& shown) {
  const auto on = [&shown](MarkingKind kind) { return shown[static_cast<std::size_t>(kind)]; };
  if (on(MarkingKind::Regions)) {
    for (const BoxMark& box : m.regions)
      cv::rectangle(bgr, at(box.top_left), at({box.top_left.x + box.width, box.top_left.y + box.height}), kRegion, 1);
  }
  if (on(MarkingKind::Lines)) draw_lines(bgr, m);
  if (on(MarkingKind::GoalParts)) {
    for (const LineMark& post : m.posts) beam(bgr, post, kParts);
    for (const LineMark& bar : m.bars) beam(bgr, bar, kParts);
  }
  if (on(MarkingKind::Goal)) {
    for (const LineMark& post : m.goal_posts) beam(bgr, post, kGoal);
    for (const Pixel& centre : m.goal_centre) cv::drawMarker(bgr, at(centre), kGoal, cv::MARKER_TILTED_CROSS, 16, 2);
  }
  if (on(MarkingKind::Obstacles)) draw_obstacles(bgr, m);
  if (on(MarkingKind::Candidates)) {
    for (const CircleMark& ball : m.candidates)
      cv::circle(bgr, at(ball.centre), static_cast<int>(std::lround(ball.diameter / 2)), kCandidate, 1, cv::LINE_AA);
  }
  if (!on(MarkingKind::Ball)) return;
  for (const CircleMark& ball : m.balls) {
    cv::circle(bgr, at(ball.centre), static_cast<int>(std::lround(ball.diameter / 2)), kBall, 2, cv::LINE_AA);
    char text[32];
    std::snprintf(text, sizeof text, "ball %.0f %%", 100 * ball.confidence);
    tag(bgr, at({ball.centre.x + ball.diameter / 2 + 4, ball.centre.y + 4}), text, kBall);
  }
}

}  // namespace hl_visualization
