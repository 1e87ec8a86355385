// SPDX-License-Identifier: Apache-2.0
#include "urdf_draft.hpp"

#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdlib>
#include <map>

namespace hl_description {
namespace {

using tinyxml2::XMLElement;

constexpr double kLargest = 1e6;  // m, kg, rad, N m: beyond it nothing is a robot's

std::string attribute(const XMLElement* element, const char* name) {
  const char* text = element ? element->Attribute(name) : nullptr;
  return text ? text : "";
}

/// Reads what belongs to one file; remembers where it complains.
class Reader {
 public:
  explicit Reader(Findings& findings) : findings_(findings) {}

  Draft read(const std::string& xml);

 private:
  std::vector<double> numbers(const XMLElement* element, const char* name, std::size_t count,
                              const std::vector<double>& otherwise);
  std::optional<double> number(const XMLElement* element, const char* name);
  Eigen::Isometry3d origin(const XMLElement* parent);
  std::optional<Solid> inertial(const XMLElement* element, const std::string& link);
  void shapes(const XMLElement* link, const char* kind, std::vector<DraftShape>& shapes);
  void read_link(const XMLElement* element, Draft& draft);
  void read_joint(const XMLElement* element, Draft& draft);
  void make_tree(Draft& draft);

  Findings& findings_;
  std::map<std::string, Eigen::Vector4d> materials_;
  std::vector<std::string> token_masses_;
};

std::vector<double> Reader::numbers(const XMLElement* element, const char* name, std::size_t count,
                                    const std::vector<double>& otherwise) {
  const char* text = element ? element->Attribute(name) : nullptr;
  if (!text) return otherwise;
  std::vector<double> values;
  char* end = nullptr;
  for (const char* at = text; values.size() <= count; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) break;
    values.push_back(value);
  }
  bool good = values.size() == count;
  for (const double value : values) good = good && std::isfinite(value) && std::abs(value) < kLargest;
  for (; end && *end; ++end) good = good && std::isspace(static_cast<unsigned char>(*end));
  if (good) return values;
  findings_.error(element->GetLineNum(),
                  std::string(name) + "=\"" + std::string(text).substr(0, 60) + "\" of <" + element->Name() +
                      "> is not " + std::to_string(count) + (count == 1 ? " number" : " numbers"),
                  "write plain decimal numbers, metres and radians (expand xacro files first)");
  return otherwise;
}

std::optional<double> Reader::number(const XMLElement* element, const char* name) {
  if (!element || !element->Attribute(name)) return std::nullopt;
  const auto values = numbers(element, name, 1, {});
  return values.empty() ? std::nullopt : std::optional<double>(values[0]);
}

Eigen::Isometry3d Reader::origin(const XMLElement* parent) {
  const XMLElement* element = parent->FirstChildElement("origin");
  const auto xyz = numbers(element, "xyz", 3, {0, 0, 0}), rpy = numbers(element, "rpy", 3, {0, 0, 0});
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << xyz[0], xyz[1], xyz[2];
  pose.linear() =
      (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  return pose;
}

std::optional<Solid> Reader::inertial(const XMLElement* element, const std::string& link) {
  const XMLElement* inertial = element->FirstChildElement("inertial");
  if (!inertial) return std::nullopt;
  const XMLElement* moments = inertial->FirstChildElement("inertia");
  const auto value = [&](const char* name) { return number(moments, name).value_or(0.0); };
  Eigen::Matrix3d inertia;
  inertia << value("ixx"), value("ixy"), value("ixz"), value("ixy"), value("iyy"), value("iyz"), value("ixz"),
      value("iyz"), value("izz");
  const Eigen::Isometry3d pose = origin(inertial);
  Solid solid;
  solid.mass = number(inertial->FirstChildElement("mass"), "value").value_or(0.0);
  solid.com = pose.translation();
  solid.inertia = pose.linear() * inertia * pose.linear().transpose();
  if (solid.mass < 0.0) {
    findings_.error(inertial->GetLineNum(), "link '" + link + "' has a negative mass", "give its mass in kg");
    return std::nullopt;
  }
  if (solid.mass < 1e-6) return std::nullopt;  // a token mass, which some simulators want of a frame
  return solid;
}

void Reader::shapes(const XMLElement* link, const char* kind, std::vector<DraftShape>& shapes) {
  for (const XMLElement* element = link->FirstChildElement(kind); element;
       element = element->NextSiblingElement(kind)) {
    const XMLElement* geometry = element->FirstChildElement("geometry");
    const XMLElement* form = geometry ? geometry->FirstChildElement() : nullptr;
    if (!form) continue;
    DraftShape shape;
    shape.pose = origin(element);
    const std::string type = form->Name();
    if (type == "box") {
      const auto size = numbers(form, "size", 3, {0, 0, 0});
      shape.size << size[0], size[1], size[2];
    } else if (type == "cylinder" || type == "capsule") {
      shape.type = DraftShape::Type::Cylinder;
      shape.size << number(form, "radius").value_or(0.0), number(form, "length").value_or(0.0), 1.0;
    } else if (type == "sphere") {
      shape.type = DraftShape::Type::Sphere;
      shape.size.setConstant(number(form, "radius").value_or(0.0));
    } else if (type == "mesh") {
      shape.type = DraftShape::Type::Mesh;
      shape.mesh = attribute(form, "filename");
      const auto scale = numbers(form, "scale", 3, {1, 1, 1});
      shape.size << scale[0], scale[1], scale[2];
    } else {
      continue;
    }
    const bool mesh = shape.type == DraftShape::Type::Mesh;
    if (mesh ? shape.size.cwiseAbs().minCoeff() < 1e-9 || shape.mesh.empty() : shape.size.minCoeff() <= 0.0) {
      findings_.repaired(element->GetLineNum(), "a <" + type + "> without size or file is left out");
      continue;
    }
    if (const XMLElement* material = element->FirstChildElement("material")) {
      const std::string name = attribute(material, "name");
      if (const XMLElement* colour = material->FirstChildElement("color")) {
        const auto rgba = numbers(colour, "rgba", 4, {0.6, 0.6, 0.65, 1});
        materials_[name] << rgba[0], rgba[1], rgba[2], rgba[3];
      }
      if (const auto known = materials_.find(name); known != materials_.end()) shape.rgba = known->second;
    }
    shapes.push_back(shape);
  }
}

void Reader::read_link(const XMLElement* element, Draft& draft) {
  DraftLink link;
  link.name = attribute(element, "name");
  link.line = element->GetLineNum();
  if (link.name.empty() || draft.link(link.name) >= 0) {
    findings_.error(link.line, link.name.empty() ? "a link without a name" : "two links are called '" + link.name + "'",
                    "give every link a name of its own");
    return;
  }
  link.body = inertial(element, link.name);
  if (element->FirstChildElement("inertial") && !link.body) token_masses_.push_back(link.name);
  shapes(element, "visual", link.visuals);
  shapes(element, "collision", link.collisions);
  draft.links.push_back(std::move(link));
}

void Reader::read_joint(const XMLElement* element, Draft& draft) {
  DraftJoint joint;
  joint.name = attribute(element, "name");
  joint.line = element->GetLineNum();
  if (joint.name.empty() || draft.joint(joint.name) >= 0) {
    findings_.error(joint.line,
                    joint.name.empty() ? "a joint without a name" : "two joints are called '" + joint.name + "'",
                    "give every joint a name of its own");
    return;
  }
  const auto end = [&](const char* which) {
    const std::string name = attribute(element->FirstChildElement(which), "link");
    const int link = draft.link(name);
    if (link < 0)
      findings_.error(joint.line, "joint '" + joint.name + "': its " + which + " link '" + name + "' does not exist",
                      "name a link of this file");
    return link;
  };
  joint.parent = end("parent");
  joint.child = end("child");
  joint.origin = origin(element);
  joint.follows = attribute(element->FirstChildElement("mimic"), "joint");
  const std::string type = attribute(element, "type");
  joint.turns = type == "revolute" || type == "continuous";
  if (!joint.turns && type != "fixed")
    findings_.repaired(joint.line, "joint '" + joint.name + "' is '" + type + "': held where it is");
  if (joint.turns) {
    const auto axis = numbers(element->FirstChildElement("axis"), "xyz", 3, {1, 0, 0});
    joint.axis << axis[0], axis[1], axis[2];
    if (joint.axis.norm() < 1e-6) {
      findings_.error(joint.line, "joint '" + joint.name + "' has no axis", "give <axis xyz=\"x y z\"/>");
      joint.axis = Eigen::Vector3d::UnitX();
    }
    joint.axis.normalize();
    const XMLElement* limit = element->FirstChildElement("limit");
    if (type == "revolute") {
      joint.lower = number(limit, "lower");
      joint.upper = number(limit, "upper");
      if (joint.lower && joint.upper && !(*joint.lower < *joint.upper)) joint.lower = joint.upper = std::nullopt;
    }
    joint.velocity = number(limit, "velocity");
    joint.effort = number(limit, "effort");
  }
  if (joint.parent < 0 || joint.child < 0) return;
  DraftLink& child = draft.links[static_cast<std::size_t>(joint.child)];
  if (child.parent_joint >= 0) {
    findings_.error(joint.line, "link '" + child.name + "' is the child of two joints",
                    "a robot is a tree: a link hangs on one joint");
    return;
  }
  child.parent_joint = static_cast<int>(draft.joints.size());
  draft.links[static_cast<std::size_t>(joint.parent)].child_joints.push_back(child.parent_joint);
  draft.joints.push_back(std::move(joint));
}

void Reader::make_tree(Draft& draft) {
  for (std::size_t i = 0; i < draft.links.size(); ++i) {
    if (draft.links[i].parent_joint >= 0) continue;
    if (draft.root >= 0) {
      findings_.error(draft.links[i].line,
                      "links '" + draft.links[static_cast<std::size_t>(draft.root)].name + "' and '" +
                          draft.links[i].name + "' both hang on nothing",
                      "join them with a joint, or leave one out");
      continue;
    }
    draft.root = static_cast<int>(i);
  }
  if (draft.root < 0) {
    findings_.error(0, "there is no root: every link hangs on another", "one link must be nobody's child");
    return;
  }
  draft.order.push_back(draft.root);
  for (std::size_t i = 0; i < draft.order.size(); ++i)
    for (const int joint : draft.links[static_cast<std::size_t>(draft.order[i])].child_joints)
      draft.order.push_back(draft.joints[static_cast<std::size_t>(joint)].child);
  if (draft.order.size() < draft.links.size() && !findings_.any_error())
    findings_.error(0, "some links hang on each other in a circle", "a robot is a tree");
}

Draft Reader::read(const std::string& xml) {
  Draft draft;
  tinyxml2::XMLDocument document;
  if (document.Parse(xml.c_str(), xml.size()) != tinyxml2::XML_SUCCESS) {
    findings_.error(document.ErrorLineNum(), std::string("not valid XML (") + document.ErrorName() + ")",
                    "mend the file there; xmllint shows the place");
    return draft;
  }
  const XMLElement* robot = document.FirstChildElement("robot");
  if (!robot) {
    findings_.error(1, "there is no <robot>", "give a URDF, or a xacro file whose name ends in .xacro");
    return draft;
  }
  draft.name = attribute(robot, "name");
  for (const XMLElement* e = robot->FirstChildElement("material"); e; e = e->NextSiblingElement("material")) {
    if (const XMLElement* colour = e->FirstChildElement("color")) {
      const auto rgba = numbers(colour, "rgba", 4, {0.6, 0.6, 0.65, 1});
      materials_[attribute(e, "name")] << rgba[0], rgba[1], rgba[2], rgba[3];
    }
  }
  for (const XMLElement* e = robot->FirstChildElement("link"); e; e = e->NextSiblingElement("link"))
    read_link(e, draft);
  for (const XMLElement* e = robot->FirstChildElement("joint"); e; e = e->NextSiblingElement("joint"))
    read_joint(e, draft);
  if (!token_masses_.empty())
    findings_.repaired(0, "links with a token mass are taken as frames without mass: " + some_of(token_masses_));
  if (draft.links.empty())
    findings_.error(robot->GetLineNum(), "the robot has no links", "give a complete URDF");
  else
    make_tree(draft);
  return draft;
}

}  // namespace

void Solid::add(const Solid& other, const Eigen::Isometry3d& pose) {
  if (other.mass <= 0.0) return;
  const auto about = [](double m, const Eigen::Vector3d& d) -> Eigen::Matrix3d {
    return m * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  };
  const Eigen::Vector3d place = pose * other.com;
  const Eigen::Vector3d common = (mass * com + other.mass * place) / (mass + other.mass);
  inertia += about(mass, com - common) + pose.linear() * other.inertia * pose.linear().transpose() +
             about(other.mass, place - common);
  mass += other.mass;
  com = common;
}

bool Solid::possible() const {
  if (!(mass > 0.0) || !inertia.allFinite() || !com.allFinite()) return false;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  return moments[0] > 0.0 && moments[0] + moments[1] >= moments[2];
}

Eigen::Vector3d Solid::box() const {
  const Eigen::Vector3d diagonal = inertia.diagonal();
  return (6.0 / mass * (Eigen::Vector3d::Constant(diagonal.sum()) - 2.0 * diagonal)).cwiseMax(1e-6).cwiseSqrt();
}

Solid Solid::of_box(double mass, const Eigen::Vector3d& edges) {
  Solid solid;
  solid.mass = mass;
  const Eigen::Vector3d squares = edges.cwiseProduct(edges);
  solid.inertia = Eigen::Vector3d(mass / 12.0 * (Eigen::Vector3d::Constant(squares.sum()) - squares)).asDiagonal();
  return solid;
}

int Draft::link(const std::string& wanted) const {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].name == wanted) return static_cast<int>(i);
  return -1;
}

int Draft::joint(const std::string& wanted) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == wanted) return static_cast<int>(i);
  return -1;
}

std::vector<Eigen::Isometry3d> Draft::places(const std::vector<double>& angles) const {
  std::vector<Eigen::Isometry3d> places(links.size(), Eigen::Isometry3d::Identity());
  for (const int index : order) {
    const int up = links[static_cast<std::size_t>(index)].parent_joint;
    if (up < 0) continue;
    const DraftJoint& joint = joints[static_cast<std::size_t>(up)];
    Eigen::Isometry3d& place = places[static_cast<std::size_t>(index)];
    place = places[static_cast<std::size_t>(joint.parent)] * joint.origin;
    if (joint.turns) place.rotate(Eigen::AngleAxisd(angles[static_cast<std::size_t>(up)], joint.axis));
  }
  return places;
}

Draft read_draft(const std::string& xml, Findings& findings) {
  return Reader(findings).read(xml);
}

}  // namespace hl_description
