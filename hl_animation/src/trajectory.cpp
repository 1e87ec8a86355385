// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/trajectory.hpp"

#include <algorithm>
#include <cmath>

namespace hl_animation {
namespace {

using Knot = Curve::Knot;

/// Slope at the middle one of three knots that keeps the cubic between its neighbours monotone (Fritsch and Carlson):
/// zero at turning points, else the harmonic mean of the neighbouring slopes.
double slope_between(const Knot& before, const Knot& here, const Knot& after) {
  const double in = (here.position - before.position) / (here.time - before.time);
  const double out = (after.position - here.position) / (after.time - here.time);
  return in * out <= 0.0 ? 0.0 : 2.0 * in * out / (in + out);
}

void set_velocities(std::vector<Knot>& knots) {
  for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
    knots[i].velocity = slope_between(knots[i - 1], knots[i], knots[i + 1]);
  }
}

std::array<double, 6> coefficients_between(const Knot& a, const Knot& b, Interpolation interpolation) {
  const double t = b.time - a.time;
  const double d = b.position - a.position;
  switch (interpolation) {
    case Interpolation::Linear:
      return {a.position, d / t, 0.0, 0.0, 0.0, 0.0};
    case Interpolation::Cubic:
      return {a.position,
              a.velocity,
              (3.0 * d / t - 2.0 * a.velocity - b.velocity) / t,
              (a.velocity + b.velocity - 2.0 * d / t) / (t * t),
              0.0,
              0.0};
    case Interpolation::Quintic:  // accelerations at the knots are zero
      return {a.position,
              a.velocity,
              0.0,
              (10.0 * d / t - 6.0 * a.velocity - 4.0 * b.velocity) / (t * t),
              (-15.0 * d / t + 8.0 * a.velocity + 7.0 * b.velocity) / (t * t * t),
              (6.0 * d / t - 3.0 * (a.velocity + b.velocity)) / (t * t * t * t)};
  }
  return {};
}

}  // namespace

Curve::Curve(const std::vector<Knot>& knots, Interpolation interpolation)
    : start_position_(knots.front().position),
      end_position_(knots.back().position),
      start_time_(knots.front().time),
      end_time_(knots.back().time) {
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    segments_.push_back({knots[i].time, knots[i + 1].time - knots[i].time,
                         coefficients_between(knots[i], knots[i + 1], interpolation)});
  }
}

CurvePoint Curve::at(double time) const {
  if (segments_.empty() || time >= end_time_) return {end_position_, 0.0, 0.0};
  if (time < start_time_) return {start_position_, 0.0, 0.0};
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), time,
                                      [](double t, const Segment& segment) { return t < segment.start; });
  const Segment& segment = *(after - 1);
  const double s = time - segment.start;
  const auto& c = segment.coefficients;
  return {c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))),
          c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * 5.0 * c[5]))),
          2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * 20.0 * c[5]))};
}

JointCurves::JointCurves(const Animation& animation, const std::map<std::string, double>& present, std::size_t first)
    : joints_(animation.joints()),
      reached_(animation.keyframes.size(), 0.0),
      left_(animation.keyframes.size(), 0.0),
      first_(first) {
  for (std::size_t i = first; i < animation.keyframes.size(); ++i) {
    reached_[i] = duration_ + animation.keyframes[i].duration;
    left_[i] = reached_[i] + animation.keyframes[i].pause;
    duration_ = left_[i];
  }
  for (const auto& joint : joints_) {
    const auto start = present.find(joint);
    if (start == present.end()) {
      throw AnimationError("animation '" + animation.name + "' moves joint '" + joint +
                           "', whose position is not known");
    }
    std::vector<Knot> knots{{0.0, start->second, 0.0}};
    for (std::size_t i = first; i < animation.keyframes.size(); ++i) {
      const auto goal = animation.keyframes[i].goals.find(joint);
      if (goal == animation.keyframes[i].goals.end()) continue;
      knots.push_back({reached_[i], goal->second, 0.0});
      if (left_[i] > reached_[i]) knots.push_back({left_[i], goal->second, 0.0});
    }
    set_velocities(knots);
    curves_.emplace_back(knots, animation.interpolation);
  }
}

}  // namespace hl_animation
