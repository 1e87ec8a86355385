// SPDX-License-Identifier: Apache-2.0
#include "hl_world_model/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "hl_description/geometry.hpp"

namespace hl_world_model {
namespace {

constexpr double kSlow = 0.02;       // m/s: lies
constexpr double kLeastDrag = 1e-4;  // 1/s; the formulas divide by it

}  // namespace

std::optional<std::string> Rolling::validate() const {
  if (!(friction >= 0.001 && friction <= 1.0)) {
    return "rolling_friction (of gravity) is " + std::to_string(friction) + " but must be in 0.001..1";
  }
  if (!(drag >= 0.0 && drag <= 10.0)) return "rolling_drag (1/s) is " + std::to_string(drag) + " but must be in 0..10";
  return std::nullopt;
}

double Rolling::time_to_stop(double speed) const {
  const double a = friction * hl_description::kGravity, k = std::max(drag, kLeastDrag);
  return std::log1p(k * std::max(0.0, speed) / a) / k;
}

double Rolling::speed_after(double speed, double seconds) const {
  if (seconds >= time_to_stop(speed)) return 0.0;
  const double k = std::max(drag, kLeastDrag), a = friction * hl_description::kGravity / k;
  return std::max(0.0, (speed + a) * std::exp(-k * seconds) - a);
}

double Rolling::way_after(double speed, double seconds) const {
  const double t = std::clamp(seconds, 0.0, time_to_stop(speed));
  const double k = std::max(drag, kLeastDrag), a = friction * hl_description::kGravity / k;
  return std::max(0.0, -(speed + a) * std::expm1(-k * t) / k - a * t);
}

double Rolling::way_to_stop(double speed) const {
  return way_after(speed, time_to_stop(speed));
}

std::optional<double> Rolling::time_for(double speed, double way) const {
  if (way <= 0.0) return 0.0;
  double low = 0.0, high = time_to_stop(speed);
  if (!(way_after(speed, high) >= way)) return std::nullopt;
  for (int n = 0; n < 50; ++n) {
    const double middle = 0.5 * (low + high);
    (way_after(speed, middle) < way ? low : high) = middle;
  }
  return high;
}

Eigen::Vector2d ball_in(const hl_soccer::BallBelief& ball, double seconds, const Rolling& rolling) {
  const double speed = ball.velocity.norm();
  if (speed < kSlow) return ball.position;
  return ball.position + ball.velocity / speed * rolling.way_after(speed, seconds);
}

Eigen::Vector2d ball_stop(const hl_soccer::BallBelief& ball, const Rolling& rolling) {
  return ball_in(ball, rolling.time_to_stop(ball.velocity.norm()), rolling);
}

std::optional<LineCrossing> ball_crosses(const hl_soccer::BallBelief& ball, const Eigen::Vector2d& from,
                                         const Eigen::Vector2d& to, const Rolling& rolling) {
  const double speed = ball.velocity.norm();
  if (!(speed >= kSlow)) return std::nullopt;
  const Eigen::Vector2d way = ball.velocity / speed, line = to - from, offset = from - ball.position;
  const double cross = way.x() * line.y() - way.y() * line.x();
  if (std::abs(cross) < 1e-9) return std::nullopt;
  const double distance = (offset.x() * line.y() - offset.y() * line.x()) / cross,
               share = (offset.x() * way.y() - offset.y() * way.x()) / cross;
  if (!(distance >= 0.0) || !(share >= 0.0 && share <= 1.0)) return std::nullopt;
  const auto seconds = rolling.time_for(speed, distance);
  if (!seconds) return std::nullopt;
  return LineCrossing{*seconds, ball.position + distance * way};
}

}  // namespace hl_world_model
