// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"

namespace hl_animation {

/// Value of a curve and its derivatives at one time.
struct CurvePoint {
  double position = 0.0;      // rad
  double velocity = 0.0;      // rad/s
  double acceleration = 0.0;  // rad/s^2
};

/// A piecewise polynomial through knots; before the first and after the last it rests.
class Curve {
 public:
  struct Knot {
    double time = 0.0;      // s
    double position = 0.0;  // rad
    double velocity = 0.0;  // rad/s
  };

  Curve() = default;

  /// Through `knots` (at least one, times strictly rising); velocities in them are used as given except for
  /// `Linear`, which has none.
  Curve(const std::vector<Knot>& knots, Interpolation interpolation);

  CurvePoint at(double time) const;
  double end_time() const { return end_time_; }

 private:
  struct Segment {
    double start = 0.0, length = 0.0;      // s
    std::array<double, 6> coefficients{};  // of (t - start)^0..5
  };

  std::vector<Segment> segments_;
  double start_position_ = 0.0, end_position_ = 0.0;
  double start_time_ = 0.0, end_time_ = 0.0;
};

/// The curves of all joints of an animation from a given pose on.
class JointCurves {
 public:
  /// Starts from `present` (rad, by joint; a missing joint is an error) with keyframe `first`. Velocities at keyframes
  /// are chosen so that the curve does not overshoot: zero where the direction changes or the robot pauses.
  JointCurves(const Animation& animation, const std::map<std::string, double>& present, std::size_t first = 0);

  const std::vector<std::string>& joints() const { return joints_; }
  double duration() const { return duration_; }

  /// The point of joint `index` at `time` (s since the start). Allocates nothing.
  CurvePoint at(std::size_t index, double time) const { return curves_[index].at(time); }

  /// When keyframe `index` of the animation is reached, and when its pause is over (s).
  double reached(std::size_t index) const { return reached_[index]; }
  double left(std::size_t index) const { return left_[index]; }
  std::size_t first_keyframe() const { return first_; }

 private:
  std::vector<std::string> joints_;
  std::vector<Curve> curves_;
  std::vector<double> reached_, left_;  // by keyframe of the animation; zero before `first_`
  std::size_t first_ = 0;
  double duration_ = 0.0;
};

}  // namespace hl_animation
