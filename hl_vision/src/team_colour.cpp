// SPDX-License-Identifier: Apache-2.0
#include "team_colour.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "jersey_number.hpp"

namespace hl_vision {
namespace {

using hl_soccer::ObstacleKind;

constexpr double kHighest = 0.75, kLowest = 0.09;    // m above the foot where a patch may be
constexpr double kBroadest = 0.26, kTallest = 0.24;  // m, of a patch
constexpr double kSmallest = 4e-4;                   // m^2
constexpr int kFewest = 4;                           // px
constexpr double kAround = 0.6;                      // of the box's breadth that is looked at to each side...
constexpr double kAside = 0.12;                      // ...and in which a patch's middle may lie
constexpr double kClear = 2.0;                       // times as much of one colour as of the other
constexpr double kGuess = 2.0;                       // error of a scale that is guessed

/// Area of the patches of one colour, m^2.
double patches(const Frame& frame, const cv::Rect& box, double scale, const cv::Rect& region, bool red) {
  cv::Mat mask(region.size(), CV_8U);
  for (int y = 0; y < region.height; ++y) {
    const auto* p = frame.bgr.ptr<std::uint8_t>(region.y + y) + 3 * region.x;
    auto* out = mask.ptr<std::uint8_t>(y);
    for (int x = 0; x < region.width; ++x, p += 3)
      out[x] = red ? is_red_team(p[0], p[1], p[2]) : is_blue_team(p[0], p[1], p[2]);
  }
  cv::Mat labels, stats, centroids;
  const int count = cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
  const double slack = frame.view ? 1.0 : kGuess, foot = box.y + box.height;
  double sum = 0.0;
  for (int n = 1; n < count; ++n) {
    const int* s = stats.ptr<int>(n);
    const double area = s[cv::CC_STAT_AREA] / (scale * scale);
    if (s[cv::CC_STAT_AREA] < kFewest || area < kSmallest / (slack * slack)) continue;
    if (s[cv::CC_STAT_WIDTH] > slack * kBroadest * scale || s[cv::CC_STAT_HEIGHT] > slack * kTallest * scale) continue;
    const double bottom = region.y + s[cv::CC_STAT_TOP] + s[cv::CC_STAT_HEIGHT];
    if (foot - bottom < kLowest * scale / slack) continue;
    const bool cut = s[cv::CC_STAT_TOP] == 0 && region.y > 0;  // goes on above what is looked at
    const double middle = region.x + s[cv::CC_STAT_LEFT] + 0.5 * s[cv::CC_STAT_WIDTH];
    if (cut || middle < box.x - kAside * box.width || middle > box.x + (1.0 + kAside) * box.width) continue;
    sum += area;
  }
  return sum;
}

}  // namespace

ObstacleKind team_colour(const Frame& frame, const cv::Rect& box, double scale) {
  if (!(scale > 0.0)) return ObstacleKind::RobotUndefined;
  const int foot = box.y + box.height, around = static_cast<int>(kAround * box.width);
  const int top = static_cast<int>(foot - kHighest * scale * (frame.view ? 1.0 : kGuess));
  const cv::Rect region =
      cv::Rect(box.x - around, top, box.width + 2 * around, foot - top) & cv::Rect(0, 0, frame.width(), frame.height());
  if (region.empty()) return ObstacleKind::RobotUndefined;
  const double red = patches(frame, box, scale, region, true), blue = patches(frame, box, scale, region, false);
  if (red > kClear * blue) return ObstacleKind::RobotRed;
  if (blue > kClear * red) return ObstacleKind::RobotBlue;
  return ObstacleKind::RobotUndefined;
}

}  // namespace hl_vision
