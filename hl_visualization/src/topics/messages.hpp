// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <humanoid_league_msgs/msg/model.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/geometry.hpp"
#include "hl_visualization/field_data.hpp"

/// From the model message to plain data, for the views that show a model.
namespace hl_visualization {

inline double yaw_from(const geometry_msgs::msg::Quaternion& q) {
  return hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
}

struct ModelView {
  std::optional<BelievedBall> ball;   // base_footprint
  std::vector<BelievedRobot> robots;  // base_footprint
  std::vector<std::string> faults;    // what was left out and why
};

/// `now`: the robot's time, s.
ModelView model_from(const humanoid_league_msgs::msg::Model& message, double now);

/// The same seen from `pose`.
BelievedBall moved(const BelievedBall& ball, const FieldPose& pose);
BelievedRobot moved(const BelievedRobot& robot, const FieldPose& pose);

}  // namespace hl_visualization
