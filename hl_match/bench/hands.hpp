// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <hl_simulation/simulation.hpp>

namespace hl_match {

/// Somebody's hands: springs that hold trunk and shoulders and carry them about.
class Hands {
 public:
  explicit Hands(hl_simulation::Robot& robot) : robot_(robot), start_(robot.pose()) {
    for (std::size_t i = 0; i < links.size(); ++i)
      grip_[i] = start_.inverse() * robot.frame_pose(links[i]).translation();
    for (std::size_t i = 0; i < links.size(); ++i) last_[i] = robot.frame_pose(links[i]).translation();
  }

  /// For the next `period` (s): lifted by `height` (m) and tilted (rad) against the place where they took hold.
  void hold(double height, double roll, double pitch, double period) {
    Eigen::Isometry3d wanted = start_;
    wanted.translation().z() += height;
    wanted.linear() = start_.linear() * (Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
                                         Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))
                                            .toRotationMatrix();
    for (std::size_t i = 0; i < links.size(); ++i) {
      constexpr double stiffness = 600.0, damping = 30.0;  // N/m, N s/m
      const Eigen::Vector3d at = robot_.frame_pose(links[i]).translation();
      const Eigen::Vector3d speed = (at - last_[i]) / period;
      last_[i] = at;
      Eigen::Vector3d force = stiffness * (wanted * grip_[i] - at) - damping * speed;
      const double strength = 60.0;  // N per grip
      if (force.norm() > strength) force *= strength / force.norm();
      robot_.push(force, period, links[i]);
    }
  }

 private:
  static constexpr std::array<const char*, 3> links = {"torso", "l_shoulder", "r_shoulder"};
  hl_simulation::Robot& robot_;
  Eigen::Isometry3d start_;
  std::array<Eigen::Vector3d, 3> grip_, last_;  // in the base, in the world
};

}  // namespace hl_match
