// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/robot_model.hpp"
#include "hl_description/servo_models.hpp"

namespace hl_description {

struct ServoConfig {
  std::string joint;
  int id = 0;                // on the bus
  std::string model;         // MX-28, ..., or "generic" with its torque and speed given
  ServoModel rating;         // what that model can do
  bool reversed = false;     // the servo turns the other way than the joint
  double offset = 0.0;       // rad, added to a goal on its way to the servo, after reversing
  int p = 32, i = 0, d = 0;  // servo units
  std::string group;         // head, left_arm, right_arm, left_leg, right_leg

  double direction() const { return reversed ? -1.0 : 1.0; }
};

/// Four force cells under one foot: front left, front right, back left, back right as seen by the robot; m in the sole.
struct FootSensorConfig {
  int id = 0;  // on the bus
  std::array<Eigen::Vector2d, 4> cells;
};

struct CameraConfig {
  std::string frame = "camera_optical_frame";
  int width = 640, height = 480;   // px
  double horizontal_fov = 1.0123;  // rad
  double rate = 25.0;              // Hz
};

struct CapsuleConfig {
  std::string link;
  Eigen::Vector3d from, to;  // m, in the link's frame
  double radius = 0.0;       // m
};

/// What a URDF cannot say about a robot (`robot.yaml`), stated once and used by every package.
struct RobotConfig {
  std::string robot;
  int controller_id = 200;  // of the CM-730 on the bus
  std::vector<ServoConfig> servos;
  std::array<std::optional<FootSensorConfig>, 2> foot_sensors;  // left, right
  CameraConfig camera;
  std::vector<CapsuleConfig> capsules;
  std::map<std::string, std::map<std::string, double>> poses;  // rad by joint name

  /// Both throw ModelError with file, line and remedy.
  static RobotConfig from_file(const std::string& path);
  static RobotConfig from_text(const std::string& yaml, const std::string& file_name);

  const ServoConfig& servo(const std::string& joint) const;  // throws ModelError
  std::vector<std::string> group(
      const std::string& name) const;  // joints of a limb, "all", or a joint itself; else empty

  /// A named pose; joints it does not mention are zero. Throws ModelError.
  Eigen::VectorXd pose(const RobotModel& model, const std::string& name) const;

  /// Throws ModelError where the configuration and the model contradict each other.
  void check(const RobotModel& model) const;
};

}  // namespace hl_description
