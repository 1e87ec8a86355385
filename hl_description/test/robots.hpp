// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include "hl_description/robot_config.hpp"
#include "hl_description/robot_model.hpp"

inline hl_description::RobotModel model_of(const std::string& robot) {
  return hl_description::RobotModel::from_file(URDF_DIR "/" + robot + ".urdf");
}

inline hl_description::RobotConfig config_of(const std::string& robot) {
  return hl_description::RobotConfig::from_file(CONFIG_DIR "/" + robot + "/robot.yaml");
}

inline Eigen::VectorXd random_pose(const hl_description::RobotModel& model, std::mt19937& random) {
  Eigen::VectorXd q(static_cast<Eigen::Index>(model.dof()));
  for (std::size_t i = 0; i < model.dof(); ++i) {
    const auto& limits = model.limits(i);
    q[static_cast<Eigen::Index>(i)] = std::uniform_real_distribution<>(limits.lower, limits.upper)(random);
  }
  return q;
}
