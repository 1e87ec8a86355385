// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "hl_soccer/belief.hpp"

namespace hl_world_model {

/// How a ball slows down on turf: deceleration = friction * g + drag * speed.
struct Rolling {
  double friction = 0.04;  // of gravity
  double drag = 0.15;      // 1/s
  std::optional<std::string> validate() const;

  double speed_after(double speed, double seconds) const;
  double way_after(double speed, double seconds) const;            // m
  double time_to_stop(double speed) const;                         // s
  double way_to_stop(double speed) const;                          // m
  std::optional<double> time_for(double speed, double way) const;  // s; nothing if it stops before
};

/// Where the ball is in `seconds` (m, frame of the belief, which stands still meanwhile).
Eigen::Vector2d ball_in(const hl_soccer::BallBelief& ball, double seconds, const Rolling& rolling = {});

/// Where it comes to rest.
Eigen::Vector2d ball_stop(const hl_soccer::BallBelief& ball, const Rolling& rolling = {});

struct LineCrossing {
  double seconds = 0.0;
  Eigen::Vector2d place = Eigen::Vector2d::Zero();
};

/// When and where the ball crosses the line between two points, if it gets there.
std::optional<LineCrossing> ball_crosses(const hl_soccer::BallBelief& ball, const Eigen::Vector2d& from,
                                         const Eigen::Vector2d& to, const Rolling& rolling = {});

}  // namespace hl_world_model
