// SPDX-License-Identifier: Apache-2.0
#include "hl_world_model/ball_track.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hl_world_model {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix4d;
using Eigen::Vector2d;

constexpr double kRestDrift = 0.01;      // m per root of a second: what nudges a lying ball
constexpr double kRollNoise = 0.25;      // m/s per root of a second: bumps of the turf
constexpr double kOdometryNoise = 0.06;  // m per root of a metre walked
constexpr double kFirstSpeed = 1.5;      // m/s, standard deviation for a new ball
constexpr double kKickSpeed = 2.0;       // m/s, standard deviation when a touch is noticed
constexpr double kKickTime = 0.5;        // s, longer ago it may have been kicked and have come to rest again
constexpr double kSurprise = 9.0;        // squared Mahalanobis distance: something touched it
constexpr double kMaxOdds = 6.0;         // log
constexpr double kForgetOdds = 0.93;     // per picture
constexpr double kMaxSpeed = 8.0;        // m/s
constexpr double kFalseRate = 0.06;      // probability of a false ball just there
constexpr double kFastest = 25.0;        // m^2 or (m/s)^2: variances end here
constexpr double kReanchor = 0.4;        // m/s under which a rolling ball may lie already

double mahalanobis(const Vector2d& d, const Matrix2d& s) {
  return d.dot(s.inverse() * d);
}

double log_likelihood(const Vector2d& d, const Matrix2d& s) {
  return -0.5 * (mahalanobis(d, s) + std::log(std::max(s.determinant(), 1e-12)));
}

template <int N>
void settle(Eigen::Matrix<double, N, N>& p) {
  p = 0.5 * (p + p.transpose()).eval();
  for (int n = 0; n < N; ++n) {
    if (p(n, n) > kFastest) {  // keeps correlations, so that the matrix stays a covariance
      const double scale = std::sqrt(kFastest / p(n, n));
      p.row(n) *= scale;
      p.col(n) *= scale;
    }
    p(n, n) = std::max(p(n, n), 1e-8);
  }
}

}  // namespace

BallTrack BallTrack::begin(const Vector2d& seen, const Matrix2d& noise, double stamp) {
  BallTrack track;
  track.place = seen;
  track.place_covariance = noise;
  track.roll.head<2>() = seen;
  track.roll_covariance.setZero();
  track.roll_covariance.topLeftCorner<2, 2>() = noise;
  track.roll_covariance(2, 2) = track.roll_covariance(3, 3) = kFirstSpeed * kFirstSpeed;
  track.last_seen = stamp;
  track.sightings = 1;
  track.rolls = -1.0;  // most balls lie
  return track;
}

void BallTrack::predict(double dt, double way, const Rolling& rolling) {
  if (!(dt > 0.0)) return;
  const double odometry = kOdometryNoise * kOdometryNoise * way;
  place_covariance += Matrix2d::Identity() * (kRestDrift * kRestDrift * dt + odometry);
  const double speed = roll.tail<2>().norm();
  const double way_of_ball = rolling.way_after(speed, dt), slower = rolling.speed_after(speed, dt);
  const double step = speed > 1e-6 ? way_of_ball / speed : dt, keep = speed > 1e-6 ? slower / speed : 1.0;
  roll.head<2>() += step * roll.tail<2>();
  roll.tail<2>() *= keep;
  Matrix4d f = Matrix4d::Identity();
  f(0, 2) = f(1, 3) = step;
  f(2, 2) = f(3, 3) = std::max(keep, 0.5);
  roll_covariance = f * roll_covariance * f.transpose();
  const double q = kRollNoise * kRollNoise;
  for (int n = 0; n < 2; ++n) {
    roll_covariance(n, n) += q * dt * dt * dt / 3.0 + odometry;
    roll_covariance(n, n + 2) += q * dt * dt / 2.0;
    roll_covariance(n + 2, n) += q * dt * dt / 2.0;
    roll_covariance(n + 2, n + 2) += q * dt;
  }
  settle<2>(place_covariance);
  settle<4>(roll_covariance);
  existence *= std::exp(-dt / 40.0);
}

double BallTrack::distance(const Vector2d& seen, const Matrix2d& noise) const {
  const double lying = mahalanobis(seen - place, place_covariance + noise),
               rolling = mahalanobis(seen - roll.head<2>(), roll_covariance.topLeftCorner<2, 2>() + noise);
  return std::min(lying, rolling);
}

void BallTrack::update(const Vector2d& seen, const Matrix2d& noise, double confidence, double stamp) {
  const Matrix2d rest_innovation = place_covariance + noise;
  const double rest_likelihood = log_likelihood(seen - place, rest_innovation);
  Matrix2d roll_innovation = roll_covariance.topLeftCorner<2, 2>() + noise;
  const double roll_likelihood = log_likelihood(seen - roll.head<2>(), roll_innovation);
  rolls = std::clamp(kForgetOdds * rolls + roll_likelihood - rest_likelihood - 0.05, -kMaxOdds, kMaxOdds);

  if (mahalanobis(seen - roll.head<2>(), roll_innovation) > kSurprise) {
    kicked(stamp - last_seen);
    roll_innovation = roll_covariance.topLeftCorner<2, 2>() + noise;
  }
  {
    const Eigen::Matrix<double, 4, 2> gain = roll_covariance.leftCols<2>() * roll_innovation.inverse();
    roll += gain * (seen - roll.head<2>());
    roll_covariance -= gain * roll_innovation * gain.transpose();
    settle<4>(roll_covariance);
    const double speed = roll.tail<2>().norm();
    if (speed > kMaxSpeed) roll.tail<2>() *= kMaxSpeed / speed;
  }
  {
    const Matrix2d gain = place_covariance * rest_innovation.inverse();
    place += gain * (seen - place);
    place_covariance -= gain * rest_innovation * gain.transpose();
    settle<2>(place_covariance);
  }
  if (rolls > 1.0) {
    // A ball that may have come to rest lies where it was last, not where it lay before.
    const Vector2d v = roll.tail<2>();
    const double significance = mahalanobis(v, roll_covariance.bottomRightCorner<2, 2>());
    if (v.norm() < kReanchor && significance < 6.0) {
      place = roll.head<2>();
      place_covariance = roll_covariance.topLeftCorner<2, 2>();
      rolls = 0.0;
    }
  }
  const double there = existence * std::clamp(confidence, 0.05, 1.0);
  existence = std::clamp(there / (there + (1.0 - existence) * kFalseRate), 0.0, 0.999);
  last_seen = stamp;
  ++sightings;
}

void BallTrack::not_seen(double missed) {
  const double there = existence * missed;
  existence = there / (there + 1.0 - existence);
}

void BallTrack::touched(double speed) {
  roll_covariance(2, 2) += speed * speed;
  roll_covariance(3, 3) += speed * speed;
  settle<4>(roll_covariance);
}

/// At any moment since it was seen last: how far it is from where it was expected already tells how fast it is now.
void BallTrack::kicked(double since) {
  const double dt = std::clamp(since, 0.0, kKickTime), variance = kKickSpeed * kKickSpeed;
  for (int n = 0; n < 2; ++n) {
    roll_covariance(n, n) += variance * dt * dt / 3.0;
    roll_covariance(n, n + 2) += variance * dt / 2.0;
    roll_covariance(n + 2, n) += variance * dt / 2.0;
  }
  touched(kKickSpeed);
}

double BallTrack::rolling_probability() const {
  return 1.0 / (1.0 + std::exp(-2.0 * (rolls - 1.0)));
}

Vector2d BallTrack::position() const {
  const double share = rolling_probability();
  return share * roll.head<2>() + (1.0 - share) * place;
}

Vector2d BallTrack::velocity() const {
  return rolling_probability() * roll.tail<2>();
}

Matrix4d BallTrack::covariance() const {
  const double share = rolling_probability();
  Matrix4d result = share * roll_covariance;
  result.topLeftCorner<2, 2>() += (1.0 - share) * place_covariance;
  const Vector2d between = roll.head<2>() - place;
  result.topLeftCorner<2, 2>() += share * (1.0 - share) * between * between.transpose();
  const Vector2d v = roll.tail<2>();
  result.bottomRightCorner<2, 2>() += share * (1.0 - share) * v * v.transpose() + 1e-4 * Matrix2d::Identity();
  return result;
}

}  // namespace hl_world_model
