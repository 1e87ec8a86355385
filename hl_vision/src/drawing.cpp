// SPDX-License-Identifier: Apache-2.0
#include <opencv2/imgproc.hpp>

#include "hl_vision/evaluation.hpp"

namespace hl_vision {
namespace {

const cv::Scalar kRed(40, 40, 230), kYellow(0, 220, 255), kBlue(255, 90, 30), kOrange(0, 140, 255),
    kMagenta(255, 0, 255), kCyan(255, 255, 0), kWhiteInk(255, 255, 255);

cv::Scalar colour_of(hl_soccer::ObstacleKind kind) {
  switch (kind) {
    case hl_soccer::ObstacleKind::RobotRed:
      return kRed;
    case hl_soccer::ObstacleKind::RobotBlue:
      return kBlue;
    case hl_soccer::ObstacleKind::Human:
    case hl_soccer::ObstacleKind::Pole:
      return kMagenta;
    default:
      return kWhiteInk;
  }
}

const char* letter(hl_description::Field::Crossing type) {
  switch (type) {
    case hl_description::Field::Crossing::L:
      return "L";
    case hl_description::Field::Crossing::T:
      return "T";
    default:
      return "X";
  }
}

}  // namespace

void draw(const Detection::Outputs& found, cv::Mat& bgr) {
  for (std::size_t n = 1; n < found.field_border.size(); ++n)
    cv::line(bgr, found.field_border[n - 1], found.field_border[n], kCyan, 1);
  for (const auto& o : found.obstacles) cv::rectangle(bgr, o.box, colour_of(o.kind), 2);
  for (const auto& p : found.line_points) cv::circle(bgr, p, 1, kYellow, -1);
  for (const auto& s : found.segments) cv::line(bgr, s.from, s.to, kOrange, 1);
  for (const auto& c : found.circles) {
    for (const auto& p : {c.left, c.middle, c.right}) cv::drawMarker(bgr, p, kMagenta, cv::MARKER_DIAMOND, 9, 2);
  }
  for (const auto& c : found.crossings)
    cv::putText(bgr, letter(c.type), c.position + cv::Point2d(-5, 5), cv::FONT_HERSHEY_SIMPLEX, 0.5, kRed, 2);
  for (const auto& m : found.marks) cv::drawMarker(bgr, m.center, kMagenta, cv::MARKER_CROSS, 13, 2);
  for (const auto& p : found.posts) cv::line(bgr, p.foot, p.top, kBlue, 2);
  for (const auto& c : found.candidates) cv::circle(bgr, c.center, static_cast<int>(0.5 * c.diameter), kWhiteInk, 1);
  if (found.ball) cv::circle(bgr, found.ball->center, static_cast<int>(0.5 * found.ball->diameter + 1), kRed, 2);
}

}  // namespace hl_vision
