// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/swing_trajectory.hpp"

#include <algorithm>

namespace hl_walking {
namespace {

constexpr double kArrival = 0.012;  // s before arrival at which the point just goes to the target

double smooth(double s) {
  return s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
}

}  // namespace

void MovingSpline::start(double position) {
  position_ = position;
  velocity_ = acceleration_ = 0.0;
}

double MovingSpline::advance(double target, double remaining, double dt) {
  if (remaining <= std::max(dt, kArrival)) {
    position_ = target;
    velocity_ = acceleration_ = 0.0;
    return position_;
  }
  // Quintic in u = t / time from the present state to rest at the target.
  const double time = remaining, u = dt / time;
  const double d = target - position_, v = velocity_ * time, a = acceleration_ * time * time;
  const double c3 = 10.0 * d - 6.0 * v - 1.5 * a;
  const double c4 = -15.0 * d + 8.0 * v + 1.5 * a;
  const double c5 = 6.0 * d - 3.0 * v - 0.5 * a;
  position_ += u * (v + u * (a / 2.0 + u * (c3 + u * (c4 + u * c5))));
  velocity_ = (v + u * (a + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)))) / time;
  acceleration_ = (a + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5))) / (time * time);
  return position_;
}

double swing_height(double phase, double lift, double apex, double depth) {
  const double p = std::clamp(phase, 0.0, 1.0);
  if (p < apex) return lift * smooth(p / apex);
  return lift - (lift + depth) * smooth((p - apex) / (1.0 - apex));
}

void SwingTrajectory::start(const Pose2& lift_off) {
  x_.start(lift_off.x);
  y_.start(lift_off.y);
  yaw_.start(lift_off.yaw);
}

void SwingTrajectory::advance(const Pose2& target, double remaining, double dt) {
  x_.advance(target.x, remaining, dt);
  y_.advance(target.y, remaining, dt);
  yaw_.advance(target.yaw, remaining, dt);
}

}  // namespace hl_walking
