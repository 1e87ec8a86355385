// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine.hpp"
#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// What all robots and the simulation share.
struct Engine {
  WorldSpec world;
  ModelPtr model;
  DataPtr data;
  std::uint64_t seed = 1;
  std::uint64_t steps = 0;
  int floor_geom = -1;
  int ball_geom = -1;
  std::optional<std::size_t> ball_touched_by;
  std::vector<int> robot_roots;  // root body of each robot
  bool poses_stale = false;

  std::optional<std::size_t> robot_of_root(int root_body) const {
    const auto it = std::find(robot_roots.begin(), robot_roots.end(), root_body);
    if (it == robot_roots.end()) return std::nullopt;
    return static_cast<std::size_t>(it - robot_roots.begin());
  }

  /// Brings poses up to date with the joint positions; changes nothing the physics reads.
  void refresh_poses() {
    if (!poses_stale) return;
    mj_kinematics(model.get(), data.get());
    mj_comPos(model.get(), data.get());
    mj_camlight(model.get(), data.get());
    poses_stale = false;
  }
};

using ConstMap3 = Eigen::Map<const Eigen::Vector3d>;

inline Eigen::Isometry3d body_pose(const mjData& data, int body) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data.xmat + 9 * body);
  pose.translation() = ConstMap3(data.xpos + 3 * body);
  return pose;
}

struct Push {
  int body = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  double until = 0.0;  // s
};

struct DelayedGoals {
  std::uint64_t step = 0;         // when it reaches the servos
  std::vector<double> positions;  // NaN: this joint keeps its goal
};

/// The part of a robot that changes while it runs; copied for snapshots.
struct RobotState {
  std::vector<Servo> servos;
  std::deque<DelayedGoals> delayed;
  std::deque<Reading> history;  // newest last; only with a sensor delay
  std::vector<Push> pushes;
  BatterySpec battery;
  double voltage = 12.0;
  std::optional<std::array<double, 7>> held;  // position and quaternion of the base
};

struct Robot::Impl {
  Engine* engine = nullptr;
  const RobotPlacement* placement = nullptr;
  std::size_t index = 0;
  std::vector<std::string> names;
  int root_body = 0;  // MuJoCo ids
  int root_qpos = 0, root_dof = 0;
  std::vector<int> body_ids;             // of spec().bodies
  std::vector<int> qpos, dof, actuator;  // of each joint
  int gyro = -1, accelerometer = -1;     // addresses in sensordata
  double standing_height = 0.0;
  RobotState state;

  mutable Reading reading;
  mutable std::uint64_t reading_step = ~std::uint64_t{0};

  void bind(Engine& shared, const RobotPlacement& where, std::size_t number);
  const RobotSpec& spec() const { return *placement->spec; }
  void before_step();
  void after_step();
  void send_goals(const std::vector<double>& positions);  // now or after the command delay
  void apply_goals(const std::vector<double>& positions);
  void update_damping(std::size_t joint);
  void write_pose(const Placement& placement);
  void keep_held();

  // In robot_sensors.cpp.
  Reading measure() const;
  FootReading measure_foot(const FootSpec& foot) const;

  // In robot_contacts.cpp.
  std::optional<std::string> obstacle() const;  // what the robot is stuck in, if anything
  const std::string* link_of(int geom) const;   // null if the geom is not of this robot
};

}  // namespace hl_simulation
