// SPDX-License-Identifier: Apache-2.0
#include "paint.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

using Eigen::Vector2d;

constexpr double kBeside = 0.065;                                 // m from the middle of a line, where turf must be
constexpr double kSoftEdge = 2.2;                                 // px beside a line
constexpr double kLeastContrast = 7.0, kRelativeContrast = 0.08;  // 0..255; of the field's brightness

/// Brightness between pixels.
double luma_at(const Frame& frame, const cv::Point2d& p) {
  const double x = p.x - 0.5, y = p.y - 0.5;
  const int i = static_cast<int>(x), j = static_cast<int>(y);
  const double u = x - i, v = y - j;
  const auto *upper = frame.luma.ptr<std::uint8_t>(j) + i, *lower = frame.luma.ptr<std::uint8_t>(j + 1) + i;
  return (1.0 - v) * ((1.0 - u) * upper[0] + u * upper[1]) + v * ((1.0 - u) * lower[0] + u * lower[1]);
}

}  // namespace

Ground ground_at(const Frame& frame, const Vector2d& place, const Vector2d& direction, double off) {
  const Vector2d across(-direction.y(), direction.x());
  const auto centre = frame.view->project(place), aside = frame.view->project(Vector2d(place + kBeside * across));
  if (!centre || !aside) return Ground::Outside;
  // Far away a line across the view is hardly more than a pixel: its soft edges need room.
  const double pixel = kBeside / std::max(1e-3, cv::norm(*aside - *centre));  // m
  const double beside = std::max(kBeside, kSoftEdge * pixel), wobble = std::max(off, pixel);
  struct Look {
    double luma;
    std::uint8_t looks;
  };
  const auto look = [&](double from_middle) -> std::optional<Look> {
    const auto at = frame.view->project(Vector2d(place + from_middle * across));
    if (!at || at->x < 0.5 || at->y < 0.5 || at->x >= frame.width() - 1.0 || at->y >= frame.height() - 1.0)
      return std::nullopt;
    return Look{luma_at(frame, *at), frame.at(static_cast<int>(at->x), static_cast<int>(at->y))};
  };
  const auto middle = look(0.0);
  if (!middle || !look(beside) || !look(-beside)) return Ground::Outside;
  if (middle->looks == kBody) return Ground::Hidden;
  double inside = middle->luma, brightest = 0.0;  // m, where that is
  bool white = middle->looks == kWhite;
  for (const double share : {-1.0, -0.5, 0.5, 1.0}) {
    const auto near = look(share * wobble);
    if (!near) continue;
    white |= near->looks == kWhite;
    if (near->luma <= inside) continue;
    inside = near->luma;
    brightest = share * wobble;
  }
  const auto left = look(brightest + beside), right = look(brightest - beside);
  if (!left || !right) return Ground::Outside;
  const double contrast = std::max(kLeastContrast, kRelativeContrast * frame.field_brightness);
  if (inside > std::max(left->luma, right->luma) + contrast) return Ground::Paint;
  return white ? Ground::Hidden : Ground::Turf;
}

}  // namespace hl_vision
