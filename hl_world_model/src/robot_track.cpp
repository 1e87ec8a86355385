// SPDX-License-Identifier: Apache-2.0
#include "hl_world_model/robot_track.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hl_world_model {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix4d;
using Eigen::Vector2d;
using hl_soccer::ObstacleKind;

constexpr double kSpeed = 0.25;          // m/s, standard deviation of a walking robot
constexpr double kSteadiness = 1.5;      // s until a walk has changed its direction
constexpr double kFastest = 1.0;         // m/s
constexpr double kOdometryNoise = 0.06;  // m per root of a metre walked
constexpr double kMaxVotes = 10.0;
constexpr double kFalseRate = 0.1;      // probability of a false robot just there
constexpr double kFalseThing = 0.25;    // the same for a thing that nothing marks as a robot
constexpr double kFirstThing = 0.15;    // probability that such a thing is a robot when it is first seen
constexpr double kContradiction = 6.0;  // of the colour
constexpr double kMaxVariance = 25.0;   // m^2

void settle(Matrix4d& p) {
  p = 0.5 * (p + p.transpose()).eval();
  for (int n = 0; n < 4; ++n) {
    if (p(n, n) > kMaxVariance) {
      const double scale = std::sqrt(kMaxVariance / p(n, n));
      p.row(n) *= scale;
      p.col(n) *= scale;
    }
    p(n, n) = std::max(p(n, n), 1e-8);
  }
}

}  // namespace

RobotTrack RobotTrack::begin(int id, const hl_soccer::SeenObstacle& seen, const Vector2d& place, const Matrix2d& noise,
                             double stamp) {
  RobotTrack track;
  track.id = id;
  track.state.head<2>() = place;
  track.covariance.setZero();
  track.covariance.topLeftCorner<2, 2>() = noise;
  track.covariance(2, 2) = track.covariance(3, 3) = kSpeed * kSpeed;
  track.last_seen = stamp;
  track.sightings = 1;
  if (seen.kind == ObstacleKind::Undefined) track.existence = kFirstThing;
  track.identify(seen);
  return track;
}

void RobotTrack::predict(double dt, double way) {
  if (!(dt > 0.0)) return;
  const double keep = std::exp(-dt / kSteadiness);
  Matrix4d f = Matrix4d::Identity();
  f(0, 2) = f(1, 3) = kSteadiness * (1.0 - keep);
  f(2, 2) = f(3, 3) = keep;
  state = f * state;
  covariance = f * covariance * f.transpose();
  const double speed_noise = kSpeed * kSpeed * (1.0 - keep * keep);
  for (int n = 0; n < 2; ++n) {
    covariance(n, n) += kOdometryNoise * kOdometryNoise * way + 1e-4 * dt + speed_noise * dt * dt / 3.0;
    covariance(n + 2, n + 2) += speed_noise;
  }
  settle(covariance);
  existence *= std::exp(-dt / 20.0);
}

double RobotTrack::distance(const hl_soccer::SeenObstacle& seen, const Vector2d& place, const Matrix2d& noise) const {
  const Vector2d d = place - state.head<2>();
  const Matrix2d s = covariance.topLeftCorner<2, 2>() + noise;
  double distance = d.dot(s.inverse() * d);
  if ((seen.kind == ObstacleKind::RobotBlue && blue < -2.0) || (seen.kind == ObstacleKind::RobotRed && blue > 2.0)) {
    distance += kContradiction;
  }
  if (seen.number && number > 0 && *seen.number != number) distance += kContradiction;
  return distance;
}

void RobotTrack::update(const hl_soccer::SeenObstacle& seen, const Vector2d& place, const Matrix2d& noise,
                        double stamp) {
  const Matrix2d s = covariance.topLeftCorner<2, 2>() + noise;
  const Eigen::Matrix<double, 4, 2> gain = covariance.leftCols<2>() * s.inverse();
  state += gain * (place - state.head<2>());
  covariance -= gain * s * gain.transpose();
  settle(covariance);
  const double speed = state.tail<2>().norm();
  if (speed > kFastest) state.tail<2>() *= kFastest / speed;
  const double there = existence * std::clamp(seen.confidence, 0.05, 1.0);
  const double not_there = (1.0 - existence) * (seen.kind == ObstacleKind::Undefined ? kFalseThing : kFalseRate);
  existence = std::clamp(there / (there + not_there), 0.0, 0.999);
  last_seen = stamp;
  ++sightings;
  identify(seen);
}

void RobotTrack::identify(const hl_soccer::SeenObstacle& seen) {
  if (seen.kind == ObstacleKind::RobotBlue) blue = std::min(blue + 1.0, kMaxVotes);
  if (seen.kind == ObstacleKind::RobotRed) blue = std::max(blue - 1.0, -kMaxVotes);
  if (seen.number && *seen.number > 0) number = *seen.number;
}

void RobotTrack::not_seen(double missed) {
  const double there = existence * missed;
  existence = there / (there + 1.0 - existence);
}

}  // namespace hl_world_model
