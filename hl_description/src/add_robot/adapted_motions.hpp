// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "hl_description/robot_model.hpp"

namespace hl_description {

/// How motions of a known robot become those of a new one.
struct Adaptation {
  const RobotModel& model;                      // of the new robot
  const Eigen::VectorXd& standing;              // its own walk-ready pose
  std::map<std::string, double> like_standing;  // rad, the other's
  double time = 1.0;                            // by which everything lasts longer: larger bodies are slower

  /// The animation in the file `path` (of the known robot): angles within the limits, where the other stands this one
  /// stands, and no joint faster than its servo. Adds to `changed` how many angles are others.
  std::string motion_yaml(const std::string& path, std::size_t& changed) const;
};

/// What `ros2 run hl_match tune animation` may change of a motion, within the limits of the robot.
std::string motion_tune_yaml(const RobotModel& model, const std::string& robot, const std::string& motion);

}  // namespace hl_description
