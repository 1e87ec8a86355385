// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "hl_soccer/percepts.hpp"

namespace hl_world_model {

/// Another robot, in a frame that does not move with ours: a Kalman filter over place and velocity, with what is known
/// of who it is.
struct RobotTrack {
  int id = 0;
  Eigen::Vector4d state = Eigen::Vector4d::Zero();  // x, y, vx, vy
  Eigen::Matrix4d covariance = Eigen::Matrix4d::Identity();
  double blue = 0.0;  // votes for blue minus votes for red
  int number = 0;     // 0 = unknown
  double existence = 0.3;
  double last_seen = -1e9;  // s
  int sightings = 0;

  static RobotTrack begin(int id, const hl_soccer::SeenObstacle& seen, const Eigen::Vector2d& place,
                          const Eigen::Matrix2d& noise, double stamp);
  void predict(double dt, double way);
  /// Squared Mahalanobis distance; large if colour or number contradict.
  double distance(const hl_soccer::SeenObstacle& seen, const Eigen::Vector2d& place,
                  const Eigen::Matrix2d& noise) const;
  void update(const hl_soccer::SeenObstacle& seen, const Eigen::Vector2d& place, const Eigen::Matrix2d& noise,
              double stamp);
  void not_seen(double missed);

 private:
  void identify(const hl_soccer::SeenObstacle& seen);
};

}  // namespace hl_world_model
