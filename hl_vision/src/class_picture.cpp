// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/class_picture.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace hl_vision {
namespace {

cv::Scalar colour_of(hl_soccer::ObstacleKind kind) {
  if (kind == hl_soccer::ObstacleKind::RobotRed) return kRedTeamShown;
  return kind == hl_soccer::ObstacleKind::RobotBlue ? kBlueTeamShown : kObstacleShown;
}

}  // namespace

cv::Mat class_picture(const Detection::Outputs& found) {
  const cv::Mat& classes = found.classes;
  if (classes.empty()) return {};
  cv::Mat picture(classes.size(), CV_8UC3, cv::Scalar::all(0));
  picture.setTo(kFieldShown, classes == kField);
  picture.setTo(kWhiteShown, classes == kWhite);
  picture.setTo(kBodyShown, classes == kBody);
  const double scale = found.classes_scale;
  const auto pixel = [scale](const cv::Point2d& p) { return cv::Point(cvRound(p.x * scale), cvRound(p.y * scale)); };
  const cv::Rect whole({0, 0}, classes.size());
  for (const ObstacleInImage& obstacle : found.obstacles) {
    const cv::Rect box = cv::Rect(pixel(obstacle.box.tl()), pixel(obstacle.box.br())) & whole;
    if (box.empty()) continue;
    cv::Mat part = picture(box);
    part.setTo(colour_of(obstacle.kind), classes(box) != kField);
  }
  cv::Mat lines(classes.size(), CV_8UC1, cv::Scalar(0));
  for (const SegmentInImage& line : found.segments) {
    const double width = std::max(line.from_width, line.to_width) * scale;
    cv::line(lines, pixel(line.from), pixel(line.to), cv::Scalar(255), std::clamp(cvRound(width), 1, 255));
  }
  for (const cv::Point2d& point : found.line_points) cv::circle(lines, pixel(point), 2, cv::Scalar(255), cv::FILLED);
  picture.setTo(kLineShown, (classes == kWhite) & lines);
  if (found.ball)
    cv::circle(picture, pixel(found.ball->center), std::clamp(cvRound(0.5 * found.ball->diameter * scale), 1, 10'000),
               kBallShown, cv::FILLED);
  return picture;
}

}  // namespace hl_vision
