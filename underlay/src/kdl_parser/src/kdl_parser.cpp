// SPDX-License-Identifier: Apache-2.0
#include "kdl_parser/kdl_parser.hpp"

#include <urdf/model.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace kdl_parser {
namespace {

KDL::Vector vector_of(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}

KDL::Frame frame_of(const urdf::Pose& pose) {
  const auto& r = pose.rotation;
  return {KDL::Rotation::Quaternion(r.x, r.y, r.z, r.w), vector_of(pose.position)};
}

KDL::Joint joint_of(const urdf::Joint& joint) {
  const KDL::Frame origin = frame_of(joint.parent_to_joint_origin_transform);
  const KDL::Vector axis = origin.M * vector_of(joint.axis);
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return {joint.name, origin.p, axis, KDL::Joint::RotAxis};
    case urdf::Joint::PRISMATIC:
      return {joint.name, origin.p, axis, KDL::Joint::TransAxis};
    case urdf::Joint::FIXED:
      return KDL::Joint(joint.name, KDL::Joint::Fixed);
    default:
      std::fprintf(stderr, "kdl_parser: joint '%s' is neither revolute, prismatic nor fixed; taken as fixed\n",
                   joint.name.c_str());
      return KDL::Joint(joint.name, KDL::Joint::Fixed);
  }
}

/// In the frame of the link; URDF gives it in a frame of its own at the centre of mass.
KDL::RigidBodyInertia inertia_of(const urdf::Inertial& inertial) {
  const KDL::RotationalInertia about_centre(inertial.ixx, inertial.iyy, inertial.izz, inertial.ixy, inertial.ixz,
                                            inertial.iyz);
  return frame_of(inertial.origin) * KDL::RigidBodyInertia(inertial.mass, KDL::Vector::Zero(), about_centre);
}

bool add_children(const urdf::Link& link, KDL::Tree& tree) {
  for (const auto& child : link.child_links) {
    const auto& joint = *child->parent_joint;
    const KDL::Segment segment(child->name, joint_of(joint), frame_of(joint.parent_to_joint_origin_transform),
                               child->inertial ? inertia_of(*child->inertial) : KDL::RigidBodyInertia(0.0));
    if (!tree.addSegment(segment, link.name) || !add_children(*child, tree)) return false;
  }
  return true;
}

}  // namespace

bool treeFromFile(const std::string& file, KDL::Tree& tree) {
  std::ifstream in(file);
  if (!in) {
    std::fprintf(stderr, "kdl_parser: cannot read '%s'\n", file.c_str());
    return false;
  }
  std::ostringstream text;
  text << in.rdbuf();
  return treeFromString(text.str(), tree);
}

bool treeFromString(const std::string& xml, KDL::Tree& tree) {
  urdf::Model model;
  if (!model.initString(xml)) {
    std::fprintf(stderr, "kdl_parser: the description is not a valid URDF\n");
    return false;
  }
  return treeFromUrdfModel(model, tree);
}

bool treeFromXml(const tinyxml2::XMLDocument* xml_doc, KDL::Tree& tree) {
  if (xml_doc == nullptr) {
    std::fprintf(stderr, "kdl_parser: there is no XML document\n");
    return false;
  }
  tinyxml2::XMLPrinter printer;
  xml_doc->Print(&printer);
  return treeFromString(printer.CStr(), tree);
}

bool treeFromUrdfModel(const urdf::ModelInterface& robot_model, KDL::Tree& tree) {
  const auto root = robot_model.getRoot();
  if (!root) return false;
  tree = KDL::Tree(root->name);
  if (root->inertial) {
    std::fprintf(stderr,
                 "kdl_parser: the root link '%s' has an inertia, which KDL cannot hold; add a root without one and a "
                 "fixed joint\n",
                 root->name.c_str());
  }
  return add_children(*root, tree);
}

}  // namespace kdl_parser
