// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <hl_description/mesh.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hl_simulation/servo.hpp"

namespace hl_simulation {

/// A primitive or mesh fixed to a body.
struct Shape {
  enum class Type { Box, Cylinder, Sphere, Mesh };
  Type type = Type::Box;
  bool collides = false;                           // otherwise it is only seen
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  // box: edges; cylinder: radius, length; sphere: radius; mesh: scale
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  // in the body
  Eigen::Vector4d rgba{0.5, 0.5, 0.5, 1.0};
  std::string link;                                  // URDF link it belongs to
  std::shared_ptr<const hl_description::Mesh> mesh;  // unscaled; null unless the type says so
  std::string material;
};

/// One driven joint: the hinge of the URDF and the servo that moves it.
struct JointSpec {
  std::string name;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  double lower = 0.0;  // rad
  double upper = 0.0;
  ServoSpec servo;
};

/// A rigid body: a URDF link with every link that is fixed to it.
struct RigidBody {
  std::string name;
  int parent = -1;  // index of the parent body; -1 for the floating base
  int joint = -1;   // index of the joint that moves it; -1 for the floating base
  Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();  // in the parent body at joint position zero
  double mass = 0.0;                                         // kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();          // of mass, in the body
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();         // about the centre of mass, axes of the body
  std::vector<Shape> shapes;
};

/// A URDF link as a frame on a body.
struct Frame {
  int body = 0;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
};

struct CameraSpec {
  std::string frame;  // optical: x right, y down, z forward; empty: no camera
  int width = 640;    // pixel
  int height = 480;
  double horizontal_fov = 1.0123;  // rad
  double rate = 25.0;              // Hz
};

/// Force cells of one foot, in the order front left, front right, back left, back right.
struct FootSpec {
  std::string frame;                       // the sole; empty: no foot sensors
  std::array<Eigen::Vector2d, 4> cells{};  // position in the sole frame, m
};

/// Everything the simulation knows of one type of robot.
struct RobotSpec {
  std::string name;
  std::vector<RigidBody> bodies;  // parents first; bodies[0] floats
  std::vector<JointSpec> joints;  // in the order of the URDF's tree
  std::map<std::string, Frame> frames;
  std::map<std::string, double> walk_ready;  // rad; joints that are missing stand at zero
  std::string imu_frame;
  CameraSpec camera;
  FootSpec left_foot, right_foot;
  std::vector<std::pair<std::string, std::string>> self_collisions;  // pairs of links that may touch
  std::vector<std::string> warnings;                                 // what could not be loaded, in words

  double total_mass() const;
  /// Index of the joint, or -1.
  int joint_index(const std::string& joint) const;
  /// Positions of all joints in the walk-ready pose, in the order of `joints`.
  std::vector<double> walk_ready_positions() const;
};

/// As load_robot, but without `self_collisions`: these need a physics engine to be found.
RobotSpec read_robot(const std::string& urdf, const std::string& yaml = "", const std::string& folder = "");
RobotSpec read_robot_files(const std::string& urdf_path, const std::string& yaml_path = "");

/// Reads a robot from the text of a URDF (expanded, not xacro) and of a robot.yaml (may be empty); `folder` is where
/// the URDF lies, for its meshes. Throws std::runtime_error that names the place and the remedy.
RobotSpec load_robot(const std::string& urdf, const std::string& yaml = "", const std::string& folder = "");
/// The same from files; warnings go to the standard error output, too.
RobotSpec load_robot_files(const std::string& urdf_path, const std::string& yaml_path = "");

}  // namespace hl_simulation
