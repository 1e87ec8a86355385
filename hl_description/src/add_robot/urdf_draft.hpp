// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "findings.hpp"
#include "hl_description/mesh.hpp"

namespace hl_description {

/// A rigid body: mass, centre of mass and inertia about it, in some frame.
struct Solid {
  double mass = 0.0;                                  // kg
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      // m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m^2, about the centre of mass

  /// Adds `other`, whose frame is at `pose` in this one's.
  void add(const Solid& other, const Eigen::Isometry3d& pose);
  /// Whether there can be a body of such moments.
  bool possible() const;
  /// Edges of the homogeneous box with the same moments about the axes, m.
  Eigen::Vector3d box() const;
  static Solid of_box(double mass, const Eigen::Vector3d& edges);
};

struct DraftShape {
  enum class Type { Box, Cylinder, Sphere, Mesh };
  Type type = Type::Box;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  // box: edges; cylinder: radius, length; sphere: radius; mesh: scale
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  std::string mesh;                     // as the URDF names it; once loaded, the name of a file
  std::shared_ptr<const Mesh> surface;  // of the mesh, unscaled; null: not loaded
  Eigen::Vector4d rgba{0.6, 0.6, 0.65, 1.0};

  bool drawable() const { return type != Type::Mesh || surface; }
};

struct DraftLink {
  std::string name;
  int line = 0;
  std::optional<Solid> body;
  std::vector<DraftShape> visuals, collisions;
  int parent_joint = -1;
  std::vector<int> child_joints;
};

struct DraftJoint {
  std::string name;
  int line = 0;
  bool turns = false;
  int parent = -1, child = -1;  // links
  Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  std::optional<double> lower, upper, velocity, effort;  // rad, rad/s, N m
  std::string follows;                                   // joint that this one mimics
};

/// Somebody's URDF as it is written: a tree of links and joints, whatever else is missing or odd.
struct Draft {
  std::string name;
  std::vector<DraftLink> links;
  std::vector<DraftJoint> joints;
  int root = -1;
  std::vector<int> order;  // links, parents first

  int link(const std::string& name) const;   // -1: there is none
  int joint(const std::string& name) const;  // -1: there is none
  /// Whether all links hang together, whatever else is wrong: then the body can be looked at.
  bool hangs_together() const { return !links.empty() && order.size() == links.size(); }
  /// Where all links are in the root link, for these joint angles (rad, by joint).
  std::vector<Eigen::Isometry3d> places(const std::vector<double>& angles) const;
};

/// Loads the meshes of all shapes; `folders` is where the URDF lies and where else to look. What is missing or cannot
/// be read goes to `findings` and stays without a surface.
void load_meshes(Draft& draft, const std::vector<std::string>& folders, Findings& findings);

/// Reads any text; what is wrong goes to `findings`. Worth a further look if it hangs together.
Draft read_draft(const std::string& xml, Findings& findings);

}  // namespace hl_description
