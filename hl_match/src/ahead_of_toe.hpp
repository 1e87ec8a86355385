// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "hl_match/lone_robot.hpp"

namespace hl_match {

/// A place `gap` (m) ahead of a toe, a little off, on the ground.
inline Eigen::Vector3d ahead_of_toe(const LoneRobot& robot, bool left, double gap, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0.0, 0.01);  // m
  Eigen::Vector3d place = robot.body().frame_pose(left ? "l_toe" : "r_toe").translation();
  const Eigen::Vector3d ahead = robot.body().pose().linear().col(0).normalized();
  place += gap * ahead + Eigen::Vector3d(noise(random), noise(random), 0.0);
  place.z() = 0.0;
  return place;
}

}  // namespace hl_match
