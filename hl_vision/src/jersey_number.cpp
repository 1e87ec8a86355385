// SPDX-License-Identifier: Apache-2.0
#include "jersey_number.hpp"

#include <algorithm>
#include <array>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <vector>

namespace hl_vision {
namespace {

using hl_soccer::ObstacleKind;

constexpr int kLowestSheet = 13;                                 // px
constexpr double kNarrowestSheet = 0.95, kBroadestSheet = 2.3;   // breadth over height; turned away it is narrower
constexpr double kSheetFill = 0.4;                               // of its box that shows the colour
constexpr double kLeastContrast = 35.0, kLeastRatio = 1.5;       // of the digit's brightness against the sheet's
constexpr double kInk = 0.5;                                     // share of that contrast
constexpr double kShortestDigit = 0.5, kTallestDigit = 0.95;     // of the sheet's height
constexpr double kOffMiddle = 0.25;                              // of the sheet's breadth
constexpr double kBar = 0.30;                                    // breadth over height below which it is a 1
constexpr double kNarrowestDigit = 0.36, kBroadestDigit = 0.85;  // breadth over height of the others
constexpr int kAcross = 9, kDown = 15;                           // cells a digit is compared in
constexpr double kStroke = 0.18;                                 // breadth of a stroke, of the digit's height
constexpr double kLeastMatch = 0.80, kLeastLead = 0.10;          // correlation; over the next best
constexpr int kFirst = 2, kLast = 9;                             // digits that are compared

/// top, upper left, upper right, middle, lower left, lower right, bottom
constexpr std::array<std::string_view, 10> kStrokes{"",      "",       "acdeg", "acdfg",   "bcdf",
                                                    "abdfg", "abdefg", "acf",   "abcdefg", "abcdfg"};

/// A digit as it looks in cells, 0..1.
cv::Mat drawn_digit(int digit) {
  constexpr int kFine = 8;  // px of a cell
  const int w = kAcross * kFine, h = kDown * kFine, t = static_cast<int>(kStroke * h);
  cv::Mat fine(h, w, CV_32F, cv::Scalar(0));
  for (const char name : kStrokes[static_cast<std::size_t>(digit)]) {
    switch (name) {
      case 'a':
        fine(cv::Rect(0, 0, w, t)).setTo(1);
        break;
      case 'd':
        fine(cv::Rect(0, (h - t) / 2, w, t)).setTo(1);
        break;
      case 'g':
        fine(cv::Rect(0, h - t, w, t)).setTo(1);
        break;
      default: {
        const bool left = name == 'b' || name == 'e', high = name == 'b' || name == 'c';
        fine(cv::Rect(left ? 0 : w - t, high ? 0 : (h - t) / 2, t, (h + t) / 2)).setTo(1);
      }
    }
  }
  cv::GaussianBlur(fine, fine, cv::Size(), 0.7 * kFine);  // as a camera sees it
  cv::Mat cells;
  cv::resize(fine, cells, cv::Size(kAcross, kDown), 0, 0, cv::INTER_AREA);
  return cells;
}

const std::vector<cv::Mat>& drawn_digits() {
  static const std::vector<cv::Mat> all = [] {
    std::vector<cv::Mat> digits;
    for (int digit = kFirst; digit <= kLast; ++digit) digits.push_back(drawn_digit(digit));
    return digits;
  }();
  return all;
}

double correlation(const cv::Mat& a, const cv::Mat& b) {
  const cv::Mat x = a - cv::mean(a)[0], y = b - cv::mean(b)[0];
  const double norm = cv::norm(x) * cv::norm(y);
  return norm > 1e-9 ? x.dot(y) / norm : 0.0;
}

/// The largest piece of a mask that `fits`; nothing if there is none.
template <class Fits>
std::optional<cv::Rect> largest_piece(const cv::Mat& mask, const Fits& fits, int& area) {
  cv::Mat labels, stats, centroids;
  const int count = cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
  std::optional<cv::Rect> best;
  area = 0;
  for (int n = 1; n < count; ++n) {
    const int* s = stats.ptr<int>(n);
    const cv::Rect box(s[cv::CC_STAT_LEFT], s[cv::CC_STAT_TOP], s[cv::CC_STAT_WIDTH], s[cv::CC_STAT_HEIGHT]);
    if (s[cv::CC_STAT_AREA] <= area || !fits(box)) continue;
    area = s[cv::CC_STAT_AREA];
    best = box;
  }
  return best;
}

}  // namespace

std::optional<int> read_number(const cv::Mat& bgr, const cv::Rect& box, ObstacleKind team) {
  if (team != ObstacleKind::RobotRed && team != ObstacleKind::RobotBlue) return std::nullopt;
  const cv::Rect inside = box & cv::Rect(0, 0, bgr.cols, bgr.rows);
  if (inside.height < 2 * kLowestSheet) return std::nullopt;
  const cv::Mat robot = bgr(inside);
  cv::Mat colour(robot.size(), CV_8U);
  for (int y = 0; y < robot.rows; ++y) {
    const auto* p = robot.ptr<std::uint8_t>(y);
    auto* out = colour.ptr<std::uint8_t>(y);
    for (int x = 0; x < robot.cols; ++x, p += 3)
      out[x] =
          (team == ObstacleKind::RobotRed ? is_red_team(p[0], p[1], p[2]) : is_blue_team(p[0], p[1], p[2])) ? 255 : 0;
  }
  int area = 0;
  const auto sheet = largest_piece(
      colour, [](const cv::Rect& r) { return r.height >= kLowestSheet; }, area);
  if (!sheet || sheet->width < kNarrowestSheet * sheet->height || sheet->width > kBroadestSheet * sheet->height ||
      area < kSheetFill * sheet->area())
    return std::nullopt;
  cv::Mat luma;
  cv::cvtColor(robot(*sheet), luma, cv::COLOR_BGR2GRAY);
  luma.convertTo(luma, CV_32F);
  const double ground = cv::mean(luma, colour(*sheet))[0];
  double brightest = 0.0;
  cv::minMaxLoc(luma, nullptr, &brightest);
  if (brightest < ground + kLeastContrast || brightest < kLeastRatio * ground) return std::nullopt;
  const cv::Mat share = cv::min(cv::max((luma - ground) / (brightest - ground), 0.0), 1.0);
  cv::Mat ink = share > kInk;
  // What touches the sheet's edge is arm or cover.
  const auto within = [&](const cv::Rect& r) { return r.x > 0 && r.x + r.width < sheet->width && r.y > 0; };
  const auto digit = largest_piece(ink, within, area);
  if (!digit || digit->height < kShortestDigit * sheet->height || digit->height > kTallestDigit * sheet->height ||
      std::abs(digit->x + 0.5 * digit->width - 0.5 * sheet->width) > kOffMiddle * sheet->width)
    return std::nullopt;
  const double breadth = static_cast<double>(digit->width) / digit->height;
  if (breadth < kBar) return area > 0.6 * digit->area() ? std::optional(1) : std::nullopt;
  if (breadth < kNarrowestDigit || breadth > kBroadestDigit) return std::nullopt;
  cv::Mat cells;
  cv::resize(share(*digit), cells, cv::Size(kAcross, kDown), 0, 0, cv::INTER_AREA);
  double best = -1.0, next = -1.0;
  int which = 0;
  for (int n = kFirst; n <= kLast; ++n) {
    const double match = correlation(cells, drawn_digits()[static_cast<std::size_t>(n - kFirst)]);
    if (match > best) {
      next = best;
      best = match;
      which = n;
    } else {
      next = std::max(next, match);
    }
  }
  if (best < kLeastMatch || best - next < kLeastLead) return std::nullopt;
  return which;
}

}  // namespace hl_vision
