// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "hl_description/formatted.hpp"
#include "normal_form.hpp"

namespace hl_description {
namespace {

/// Seven digits: a tenth of a micrometre, and no exponent.
std::string text(double value) {
  std::string text = hl_description::formatted("%.7f", value == 0.0 ? 0.0 : value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string text(const Eigen::Vector3d& v) {
  return text(v.x()) + " " + text(v.y()) + " " + text(v.z());
}

Eigen::Vector3d rpy_of(const Eigen::Matrix3d& r) {
  return {std::atan2(r(2, 1), r(2, 2)), std::atan2(-r(2, 0), std::hypot(r(2, 1), r(2, 2))),
          std::atan2(r(1, 0), r(0, 0))};
}

/// Moments are small: as many digits as they have.
std::string moment(double value) {
  return hl_description::formatted("%.6e", value);
}

std::string shape_text(const DraftShape& shape, const char* kind, const std::string& robot) {
  std::string geometry;
  switch (shape.type) {
    case DraftShape::Type::Box:
      geometry = "<box size=\"" + text(shape.size) + "\"/>";
      break;
    case DraftShape::Type::Cylinder:
      geometry = "<cylinder radius=\"" + text(shape.size.x()) + "\" length=\"" + text(shape.size.y()) + "\"/>";
      break;
    case DraftShape::Type::Sphere:
      geometry = "<sphere radius=\"" + text(shape.size.x()) + "\"/>";
      break;
    case DraftShape::Type::Mesh:
      geometry = "<mesh filename=\"package://hl_description/meshes/" + robot + "/" + shape.mesh + "\" scale=\"" +
                 text(shape.size) + "\"/>";
      break;
  }
  std::string out = std::string("    <") + kind + ">\n      <origin xyz=\"" + text(shape.pose.translation()) +
                    "\" rpy=\"" + text(rpy_of(shape.pose.linear())) + "\"/>\n      <geometry>" + geometry +
                    "</geometry>\n";
  if (kind[0] == 'v') {
    const std::string rgba =
        hl_description::formatted("%.2f %.2f %.2f %.2f", shape.rgba[0], shape.rgba[1], shape.rgba[2], shape.rgba[3]);
    out += std::string("      <material name=\"\"><color rgba=\"") + rgba + "\"/></material>\n";
  }
  return out + "    </" + kind + ">\n";
}

std::string link_text(const NormalLink& link, const std::string& robot) {
  if (link.body.mass <= 0.0) return "  <link name=\"" + link.name + "\"/>\n";
  const Eigen::Matrix3d& i = link.body.inertia;
  std::string out = "  <link name=\"" + link.name + "\">\n    <inertial>\n      <origin xyz=\"" + text(link.body.com) +
                    "\" rpy=\"0 0 0\"/>\n      <mass value=\"" + text(link.body.mass) + "\"/>\n      <inertia ixx=\"" +
                    moment(i(0, 0)) + "\" ixy=\"" + moment(i(0, 1)) + "\" ixz=\"" + moment(i(0, 2)) + "\" iyy=\"" +
                    moment(i(1, 1)) + "\" iyz=\"" + moment(i(1, 2)) + "\" izz=\"" + moment(i(2, 2)) +
                    "\"/>\n    </inertial>\n";
  for (const DraftShape& shape : link.visuals) out += shape_text(shape, "visual", robot);
  for (const DraftShape& shape : link.collisions) out += shape_text(shape, "collision", robot);
  return out + "  </link>\n";
}

}  // namespace

std::string NormalRobot::urdf() const {
  std::string out =
      "<?xml version=\"1.0\"?>\n<!-- Written by `ros2 run hl_description add_robot`: frames parallel to "
      "base_link, legs straight at zero. -->\n<robot name=\"" +
      name + "\">\n";
  for (const NormalLink& own : links) {
    out += link_text(own, name);
    if (own.parent.empty()) continue;
    const Eigen::Vector3d origin = own.place - link(own.parent).place;
    const std::string rpy = own.optical ? text(-0.5 * M_PI) + " 0 " + text(-0.5 * M_PI) : "0 0 0";
    out += "  <joint name=\"" + (own.joint.empty() ? own.name + "_joint" : own.joint) + "\" type=\"" +
           (own.joint.empty() ? "fixed" : "revolute") + "\">\n    <parent link=\"" + own.parent +
           "\"/>\n    <child link=\"" + own.name + "\"/>\n    <origin xyz=\"" + text(origin) + "\" rpy=\"" + rpy +
           "\"/>\n";
    if (!own.joint.empty())
      out += "    <axis xyz=\"" + text(own.axis) + "\"/>\n    <limit lower=\"" + text(own.limits.lower) +
             "\" upper=\"" + text(own.limits.upper) + "\" effort=\"" + text(own.limits.effort) + "\" velocity=\"" +
             text(own.limits.velocity) + "\"/>\n";
    out += "  </joint>\n";
  }
  return out + "</robot>\n";
}

}  // namespace hl_description
