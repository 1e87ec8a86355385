// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <vector>

#include "hl_simulation/world_spec.hpp"

namespace hl_simulation {

/// Joint values in the order of `Robot::joint_names()`.
struct JointReading {
  std::vector<double> position;  // rad, as the 12-bit encoder sees it
  std::vector<double> velocity;  // rad/s
  std::vector<double> effort;    // N m, motor torque
};

struct ImuReading {
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // of imu_frame in the world
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s in imu_frame
  Eigen::Vector3d linear_acceleration = Eigen::Vector3d::Zero();    // m/s^2 in imu_frame; +9.81 up at rest
};

using FootReading = std::array<double, 4>;  // N: front left, front right, back left, back right

/// What the sensors of one robot said at `stamp`.
struct Reading {
  double stamp = 0.0;  // s
  JointReading joints;
  ImuReading imu;
  FootReading left_foot{}, right_foot{};
};

/// Adds the force (N) that presses on `at` (m, in the sole) to the cells of this foot.
void add_force(const FootSpec& foot, const Eigen::Vector3d& at, double force, FootReading& cells);

/// What sensors add to the truth in this step; the same for the same seed, robot and step.
void add_noise(const SensorSpec& sensors, std::uint64_t seed, std::size_t robot, std::uint64_t step, Reading& reading);

}  // namespace hl_simulation
