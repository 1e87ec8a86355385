// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <hl_joints/goal_player.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_robot_interface/health.hpp"

namespace hl_robot_interface {

/// What a body has measured; what is not fresh is left out.
struct SensorFrame {
  struct Joint {
    bool fresh = false;
    double position = 0.0, velocity = 0.0;  // rad, rad/s
    double effort = 0.0;                    // N m
  };
  struct Imu {
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // body in a level frame
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();       // rad/s
    Eigen::Vector3d linear_acceleration = Eigen::Vector3d::Zero();    // m/s^2, specific force
  };
  struct Buttons {
    bool mode = false, start = false;
  };
  double stamp = 0.0;         // s, the node's clock, when it was measured
  std::vector<Joint> joints;  // in the body's order
  std::optional<Imu> imu;
  std::array<std::optional<std::array<double, 4>>, 2> feet;  // N: left, right; front left, front right, back left, ...
  std::optional<Buttons> buttons;
};

/// A body below the hardware contract: a servo bus, a simulated robot. Called from the thread that owns the body, but
/// for `set_torque` and `set_light`, which come from another and may wait.
class RobotPort {
 public:
  virtual ~RobotPort() = default;

  /// The newest measurements; `now` in s.
  virtual const SensorFrame& read(double now) = 0;
  /// Goals for all joints, those that nobody has asked for left out (`set`); `stiffness` 0..1 of the usual.
  virtual void write(const std::vector<hl_joints::GoalPlayer::Goal>& goals, double stiffness) = 0;
  virtual const BodyReport& report() = 0;
  /// The battery is empty and the time for sitting down over: all torque off.
  virtual void let_go() = 0;

  /// Empty if done, else why not.
  virtual std::string set_torque(const std::vector<std::size_t>& joints, bool on) = 0;
  /// One of `kLights`; colour 0..1, all zero = off. Empty if done, else why not.
  virtual std::string set_light(const std::string& name, const std::array<double, 3>& colour) = 0;
};

inline const std::array<const char*, 5> kLights{"head", "eye", "panel2", "panel3", "panel4"};

}  // namespace hl_robot_interface
