// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "hl_world_model/prediction.hpp"

namespace hl_world_model {

/// One ball that may be there, in a frame that does not move with the robot. Two Kalman filters run side by side: one
/// believes that it lies, one that it rolls; what is seen decides between them. So a far ball, whose place jumps by
/// decimetres from picture to picture, gets no velocity, and a kicked one gets it at once.
struct BallTrack {
  Eigen::Vector2d place = Eigen::Vector2d::Zero();  // if it lies
  Eigen::Matrix2d place_covariance = Eigen::Matrix2d::Identity();
  Eigen::Vector4d roll = Eigen::Vector4d::Zero();  // if it rolls: x, y, vx, vy
  Eigen::Matrix4d roll_covariance = Eigen::Matrix4d::Identity();
  double rolls = 0.0;       // log odds that it rolls
  double existence = 0.2;   // probability
  double last_seen = -1e9;  // s
  int sightings = 0;

  static BallTrack begin(const Eigen::Vector2d& seen, const Eigen::Matrix2d& noise, double stamp);

  /// `way`: m the robot walked meanwhile, whose odometry carries the frame.
  void predict(double dt, double way, const Rolling& rolling);
  /// Squared Mahalanobis distance of the likelier of both.
  double distance(const Eigen::Vector2d& seen, const Eigen::Matrix2d& noise) const;
  void update(const Eigen::Vector2d& seen, const Eigen::Matrix2d& noise, double confidence, double stamp);
  /// Looked at its place and did not see it; `missed` = probability of that if it is there.
  void not_seen(double missed);
  /// A foot may have touched it.
  void touched(double speed);
  /// Something touched it at some moment of the `since` seconds before now.
  void kicked(double since);

  double rolling_probability() const;
  Eigen::Vector2d position() const;
  Eigen::Vector2d velocity() const;
  Eigen::Matrix4d covariance() const;
};

}  // namespace hl_world_model
