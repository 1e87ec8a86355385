// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/field_border.hpp"

#include <algorithm>
#include <cmath>

#include "hl_vision/field_colour.hpp"

namespace hl_vision {
namespace {

constexpr int kColumnStep = 8, kRowStep = 2;  // px
constexpr int kLeastField = 5;                // samples of a column that must be field
// How much a pixel speaks for (or against) the field reaching above it. Lines and balls are white, so white says
// little.
constexpr double kForField = 1.0, kForWhite = -0.25, kForOther = -0.8;

double cross(const cv::Point2d& o, const cv::Point2d& a, const cv::Point2d& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/// Row at which the sum of evidence from below is greatest.
int best_row(const cv::Mat& classes, int x, int top) {
  double evidence = 0.0, most = 0.0;
  int best = classes.rows, fields = 0;
  for (int y = classes.rows - 1; y >= top; y -= kRowStep) {
    const auto c = classes.at<std::uint8_t>(y, x);
    if (c == kBody) continue;
    evidence += c == kField ? kForField : c == kWhite ? kForWhite : kForOther;
    fields += c == kField;
    if (c == kField && evidence > most) {
      most = evidence;
      best = y;
    }
    evidence = std::max(evidence, -25.0);  // something large at the bottom must not hide the field behind it
  }
  return fields >= kLeastField ? best : classes.rows;
}

}  // namespace

FieldBorder FieldBorder::find(const cv::Mat& classes, const std::function<double(double)>& top) {
  FieldBorder border;
  border.rows_ = classes.rows;
  border.spacing_ = kColumnStep;
  std::vector<double> rows;
  for (int x = 0; x < classes.cols; x += kColumnStep) {
    const int first = static_cast<int>(std::clamp(top(x), 0.0, static_cast<double>(classes.rows)));
    rows.push_back(best_row(classes, x, first));
  }
  const std::size_t count = rows.size();
  border.raw_ = rows;
  // One column alone does not lift the border.
  for (std::size_t n = 0; n < count; ++n) {
    const double before = rows[n > 0 ? n - 1 : n], after = rows[n + 1 < count ? n + 1 : n];
    border.raw_[n] = std::max(std::min(before, rows[n]), std::min(std::max(before, rows[n]), after));
  }
  std::vector<cv::Point2d> hull;
  for (std::size_t n = 0; n < count; ++n) {
    if (border.raw_[n] >= classes.rows) continue;
    const cv::Point2d p(static_cast<double>(n * kColumnStep), border.raw_[n]);
    while (hull.size() >= 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0.0) hull.pop_back();
    hull.push_back(p);
  }
  if (hull.size() < 2) return border;
  border.hull_.assign(count, classes.rows);
  std::size_t k = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const auto x = static_cast<double>(n * kColumnStep);
    if (x < hull.front().x || x > hull.back().x) continue;
    while (k + 2 < hull.size() && hull[k + 1].x < x) ++k;
    const cv::Point2d &a = hull[k], &b = hull[k + 1];
    border.hull_[n] = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
  }
  border.corners_ = std::move(hull);
  return border;
}

namespace {
double sample(const std::vector<double>& rows, double spacing, double column, double outside) {
  if (rows.empty()) return outside;
  const double at = std::clamp(column / spacing, 0.0, static_cast<double>(rows.size() - 1));
  const auto n = static_cast<std::size_t>(at);
  if (n + 1 >= rows.size()) return rows.back();
  if (rows[n] >= outside || rows[n + 1] >= outside) return std::min(rows[n], rows[n + 1]);
  return rows[n] + (at - static_cast<double>(n)) * (rows[n + 1] - rows[n]);
}
}  // namespace

double FieldBorder::row(double column) const {
  return sample(hull_, spacing_, column, rows_);
}
double FieldBorder::raw_row(double column) const {
  return sample(raw_, spacing_, column, rows_);
}

}  // namespace hl_vision
