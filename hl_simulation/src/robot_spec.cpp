// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/robot_spec.hpp"

#include <tinyxml2.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "hl_description/robot_config.hpp"
#include "hl_description/robot_model.hpp"

namespace hl_simulation {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what);
}

Eigen::Isometry3d to_eigen(const urdf::Pose& pose) {
  double x, y, z, w;
  pose.rotation.getQuaternion(x, y, z, w);
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
  result.translation() << pose.position.x, pose.position.y, pose.position.z;
  return result;
}

/// Adds a mass to a body: parallel-axis theorem about the common centre of mass.
void add_mass(RigidBody& body, double mass, const Eigen::Vector3d& centre, const Eigen::Matrix3d& inertia) {
  if (mass <= 0.0) return;
  const auto offset_inertia = [](double m, const Eigen::Vector3d& d) -> Eigen::Matrix3d {
    return m * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  };
  const double total = body.mass + mass;
  const Eigen::Vector3d common = (body.mass * body.centre + mass * centre) / total;
  body.inertia += offset_inertia(body.mass, body.centre - common) + inertia + offset_inertia(mass, centre - common);
  body.mass = total;
  body.centre = common;
}

std::optional<Shape> to_shape(const urdf::Geometry& geometry) {
  Shape shape;
  switch (geometry.type) {
    case urdf::Geometry::BOX: {
      const auto& box = static_cast<const urdf::Box&>(geometry);
      shape.type = Shape::Type::Box;
      shape.size << box.dim.x, box.dim.y, box.dim.z;
      return shape;
    }
    case urdf::Geometry::CYLINDER: {
      const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
      shape.type = Shape::Type::Cylinder;
      shape.size << cylinder.radius, cylinder.length, 0.0;
      return shape;
    }
    case urdf::Geometry::SPHERE:
      shape.type = Shape::Type::Sphere;
      shape.size << static_cast<const urdf::Sphere&>(geometry).radius, 0.0, 0.0;
      return shape;
    case urdf::Geometry::MESH:
      break;  // has a file of its own
  }
  return std::nullopt;
}

/// MuJoCo wants what it draws to have some volume.
bool flat(const hl_description::Mesh& mesh, const Eigen::Vector3d& scale) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const auto& point : mesh.points) middle += point.cast<double>() / static_cast<double>(mesh.points.size());
  double volume = 0.0;
  for (const auto& t : mesh.triangles) {
    const auto corner = [&](std::size_t i) -> Eigen::Vector3d {
      return scale.cwiseProduct(mesh.points[t[i]].cast<double>() - middle);
    };
    volume += std::abs(corner(0).dot(corner(1).cross(corner(2)))) / 6.0;
  }
  return !(volume > 1e-11);  // m^3
}

/// Walks the URDF's tree and melts links that are fixed to each other into one body.
class TreeReader {
 public:
  TreeReader(RobotSpec& spec, const std::string& folder) : spec_(spec), folder_(folder) {}

  void read(const urdf::Link& root) {
    RigidBody base;
    base.name = root.name;
    spec_.bodies.push_back(base);
    add_link(root, 0, Eigen::Isometry3d::Identity());
  }

 private:
  void add_link(const urdf::Link& link, int body, const Eigen::Isometry3d& pose) {
    spec_.frames[link.name] = Frame{body, pose};
    if (link.inertial) {
      const auto& in = *link.inertial;
      Eigen::Matrix3d inertia;
      inertia << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
      const Eigen::Isometry3d centre = pose * to_eigen(in.origin);
      if (!(in.mass >= 0.0) || !inertia.allFinite())
        fail("URDF link '" + link.name + "': mass or inertia is not a number >= 0");
      add_mass(spec_.bodies[body], in.mass, centre.translation(),
               centre.linear() * inertia * centre.linear().transpose());
    }
    bool all_seen = true;
    for (const auto& visual : link.visual_array) {
      if (!visual->geometry) continue;
      auto shape = visual->geometry->type == urdf::Geometry::MESH ? load_mesh(*visual->geometry, link.name)
                                                                  : to_shape(*visual->geometry);
      all_seen = all_seen && shape;
      if (!shape) continue;
      if (visual->material) {
        const auto& c = visual->material->color;
        shape->rgba << c.r, c.g, c.b, c.a;
        shape->material = visual->material->name;
      }
      add_shape(*shape, link, visual->origin, body, pose);
    }
    const bool primitives = std::any_of(link.collision_array.begin(), link.collision_array.end(), [](const auto& c) {
      return c->geometry && c->geometry->type != urdf::Geometry::MESH;
    });
    for (const auto& collision : link.collision_array) {
      if (!collision->geometry) continue;
      auto shape = to_shape(*collision->geometry);
      if (!shape && !primitives) shape = load_hull(*collision->geometry, link.name);
      if (!shape) continue;
      if (!all_seen) add_shape(*shape, link, collision->origin, body, pose);
      shape->collides = true;
      add_shape(*shape, link, collision->origin, body, pose);
    }
    for (const auto& child : link.child_links) add_child(*child, body, pose);
  }

  /// Nothing, and a warning, if there is no such file or it cannot be read.
  std::optional<Shape> load_mesh(const urdf::Geometry& geometry, const std::string& link) {
    const auto& mesh = static_cast<const urdf::Mesh&>(geometry);
    const auto [known, fresh] = meshes_.try_emplace(mesh.filename);
    if (fresh) {
      try {
        const auto path = hl_description::find_mesh(mesh.filename, folder_);
        if (!path) throw hl_description::ModelError(mesh.filename + " is not found");
        auto surface = std::make_shared<const hl_description::Mesh>(hl_description::read_mesh_file(*path));
        if (flat(*surface, {mesh.scale.x, mesh.scale.y, mesh.scale.z}))
          throw hl_description::ModelError(*path + " is flat");
        known->second = surface;
      } catch (const hl_description::ModelError& error) {
        spec_.warnings.push_back("mesh of link '" + link + "': " + error.what() +
                                 "; its collision shape, if it has one, is drawn");
      }
    }
    if (!known->second) return std::nullopt;
    Shape shape;
    shape.type = Shape::Type::Mesh;
    shape.size << mesh.scale.x, mesh.scale.y, mesh.scale.z;
    shape.mesh = known->second;
    return shape;
  }

  /// What collides with a mesh is its convex hull, of which a few points are enough.
  std::optional<Shape> load_hull(const urdf::Geometry& geometry, const std::string& link) {
    constexpr std::size_t kMostTriangles = 300;
    auto shape = load_mesh(geometry, link);
    if (!shape) return std::nullopt;
    auto& hull = hulls_[shape->mesh.get()];
    if (!hull) hull = std::make_shared<const hl_description::Mesh>(reduced(*shape->mesh, kMostTriangles));
    shape->mesh = hull;
    return shape;
  }

  void add_shape(Shape shape, const urdf::Link& link, const urdf::Pose& origin, int body,
                 const Eigen::Isometry3d& pose) {
    const bool bad_size = shape.type == Shape::Type::Mesh
                              ? !(shape.size.cwiseAbs().minCoeff() > 1e-9 && shape.size.allFinite())
                              : !(shape.size.x() > 0.0);
    if (bad_size) fail("URDF link '" + link.name + "': a shape has no size; give its dimensions in m");
    shape.link = link.name;
    shape.pose = pose * to_eigen(origin);
    spec_.bodies[body].shapes.push_back(shape);
  }

  void add_child(const urdf::Link& link, int parent_body, const Eigen::Isometry3d& parent_pose) {
    const urdf::Joint& joint = *link.parent_joint;
    const Eigen::Isometry3d pose = parent_pose * to_eigen(joint.parent_to_joint_origin_transform);
    switch (joint.type) {
      case urdf::Joint::FIXED:
        add_link(link, parent_body, pose);
        return;
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
        break;
      default:
        fail("URDF joint '" + joint.name + "': only fixed, revolute and continuous joints can be simulated");
    }
    JointSpec hinge;
    hinge.name = joint.name;
    hinge.axis << joint.axis.x, joint.axis.y, joint.axis.z;
    if (!(hinge.axis.norm() > 1e-6)) fail("URDF joint '" + joint.name + "': its axis is zero");
    hinge.axis.normalize();
    if (joint.type == urdf::Joint::REVOLUTE) {
      if (!joint.limits)
        fail("URDF joint '" + joint.name + "': a revolute joint needs <limit lower upper effort velocity>");
      hinge.lower = joint.limits->lower;
      hinge.upper = joint.limits->upper;
    } else {
      hinge.lower = -M_PI;
      hinge.upper = M_PI;
    }
    if (!(hinge.lower < hinge.upper)) fail("URDF joint '" + joint.name + "': lower limit is not below the upper limit");
    if (joint.limits && joint.limits->effort > 0.0 && joint.limits->velocity > 0.0) {
      hinge.servo.model = "URDF";
      hinge.servo.stall_torque = joint.limits->effort;
      hinge.servo.no_load_speed = joint.limits->velocity;
      if (joint.limits->effort > 4.0) hinge.servo.armature = 0.012;
    }
    if (joint.dynamics && joint.dynamics->friction > 0.0) hinge.servo.friction = joint.dynamics->friction;

    RigidBody body;
    body.name = link.name;
    body.parent = parent_body;
    body.joint = static_cast<int>(spec_.joints.size());
    body.origin = pose;
    spec_.joints.push_back(hinge);
    spec_.bodies.push_back(body);
    add_link(link, static_cast<int>(spec_.bodies.size()) - 1, Eigen::Isometry3d::Identity());
  }

  RobotSpec& spec_;
  std::string folder_;
  std::map<std::string, std::shared_ptr<const hl_description::Mesh>> meshes_;  // by the URDF's name of the file
  std::map<const hl_description::Mesh*, std::shared_ptr<const hl_description::Mesh>> hulls_;  // of these meshes
};

std::string first_frame(const RobotSpec& spec, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (spec.frames.count(name)) return name;
  }
  return "";
}

/// Four cells at the corners of the foot's collision shapes, a little inside the edge as on the FSR boards.
FootSpec find_foot(const RobotSpec& spec, const std::string& sole) {
  FootSpec foot;
  if (sole.empty()) return foot;
  foot.frame = sole;
  const Frame& frame = spec.frames.at(sole);
  Eigen::Vector2d low(1e9, 1e9), high(-1e9, -1e9);
  for (const Shape& shape : spec.bodies[frame.body].shapes) {
    if (!shape.collides) continue;
    const Eigen::Isometry3d in_sole = frame.pose.inverse() * shape.pose;
    if (shape.mesh)
      for (const Eigen::Vector3f& point : shape.mesh->points) {
        const Eigen::Vector3d place = in_sole * shape.size.cwiseProduct(point.cast<double>());
        low = low.cwiseMin(place.head<2>());
        high = high.cwiseMax(place.head<2>());
      }
    if (shape.type != Shape::Type::Box) continue;
    const Eigen::Vector3d half = in_sole.linear().cwiseAbs() * (0.5 * shape.size);
    low = low.cwiseMin((in_sole.translation() - half).head<2>());
    high = high.cwiseMax((in_sole.translation() + half).head<2>());
  }
  if (low.x() > high.x()) return FootSpec{};
  const Eigen::Vector2d margin = 0.1 * (high - low);
  low += margin;
  high -= margin;
  foot.cells = {Eigen::Vector2d(high.x(), high.y()), Eigen::Vector2d(high.x(), low.y()),
                Eigen::Vector2d(low.x(), high.y()), Eigen::Vector2d(low.x(), low.y())};
  return foot;
}

void check_masses(const RobotSpec& spec) {
  for (const RigidBody& body : spec.bodies) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(body.inertia, Eigen::EigenvaluesOnly);
    const Eigen::Vector3d moments = solver.eigenvalues();
    if (body.mass <= 0.0 || moments.x() <= 0.0) {
      fail("URDF link '" + body.name + "' moves but has no mass or no positive inertia; add <inertial>");
    }
    if (moments.x() + moments.y() < 0.999 * moments.z()) {
      fail("URDF link '" + body.name +
           "': principal moments of inertia break the triangle inequality; check <inertia>");
    }
  }
}

void apply_config(const hl_description::RobotConfig& config, RobotSpec& spec) {
  for (const auto& servo : config.servos) {
    const int index = spec.joint_index(servo.joint);
    if (index < 0) fail("robot.yaml: servo of joint '" + servo.joint + "', which the URDF does not have");
    ServoSpec& target = spec.joints[index].servo;
    target = ServoSpec::of(servo.rating);
    target.p_gain = servo.p;
    target.i_gain = servo.i;
    target.d_gain = servo.d;
    if (const auto error = target.validate()) fail("robot.yaml: " + servo.joint + ": " + *error);
  }
  const auto set_cells = [](FootSpec& foot, const std::optional<hl_description::FootSensorConfig>& cells) {
    if (cells && !foot.frame.empty()) foot.cells = cells->cells;
  };
  set_cells(spec.left_foot, config.foot_sensors[0]);
  set_cells(spec.right_foot, config.foot_sensors[1]);
  spec.camera.width = config.camera.width;
  spec.camera.height = config.camera.height;
  spec.camera.horizontal_fov = config.camera.horizontal_fov;
  spec.camera.rate = config.camera.rate;
  if (spec.frames.count(config.camera.frame)) spec.camera.frame = config.camera.frame;
  if (const auto pose = config.poses.find("walkready"); pose != config.poses.end()) spec.walk_ready = pose->second;
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path + ": cannot be read; check the path");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

double RobotSpec::total_mass() const {
  double mass = 0.0;
  for (const RigidBody& body : bodies) mass += body.mass;
  return mass;
}

int RobotSpec::joint_index(const std::string& joint) const {
  const auto it = std::find_if(joints.begin(), joints.end(), [&](const JointSpec& j) { return j.name == joint; });
  return it == joints.end() ? -1 : static_cast<int>(it - joints.begin());
}

std::vector<double> RobotSpec::walk_ready_positions() const {
  std::vector<double> positions;
  for (const JointSpec& joint : joints) {
    const auto it = walk_ready.find(joint.name);
    const double zero = std::clamp(0.0, joint.lower, joint.upper);
    positions.push_back(it == walk_ready.end() ? zero : std::clamp(it->second, joint.lower, joint.upper));
  }
  return positions;
}

RobotSpec read_robot(const std::string& urdf, const std::string& yaml, const std::string& folder) {
  tinyxml2::XMLDocument document;
  if (document.Parse(urdf.c_str()) != tinyxml2::XML_SUCCESS) {
    fail("URDF line " + std::to_string(document.ErrorLineNum()) + ": " + document.ErrorName());
  }
  const auto model = urdf::parseURDF(urdf);
  if (!model || !model->getRoot()) fail("URDF: not a valid robot description (see the parser's message above)");

  RobotSpec spec;
  spec.name = model->getName();
  TreeReader(spec, folder).read(*model->getRoot());
  if (spec.joints.empty()) fail("URDF '" + spec.name + "' has no revolute joint to simulate");
  check_masses(spec);
  spec.imu_frame = first_frame(spec, {"imu_frame", "imu_link"});
  spec.camera.frame = first_frame(spec, {"camera_optical_frame"});
  spec.left_foot = find_foot(spec, first_frame(spec, {"l_sole", "l_foot"}));
  spec.right_foot = find_foot(spec, first_frame(spec, {"r_sole", "r_foot"}));
  if (!yaml.empty()) apply_config(hl_description::RobotConfig::from_text(yaml, "robot.yaml"), spec);
  return spec;
}

RobotSpec read_robot_files(const std::string& urdf_path, const std::string& yaml_path) {
  try {
    const std::string folder = std::filesystem::path(urdf_path).parent_path().string();
    RobotSpec spec = read_robot(slurp(urdf_path), yaml_path.empty() ? "" : slurp(yaml_path), folder);
    for (const std::string& warning : spec.warnings) std::cerr << urdf_path << ": " << warning << "\n";
    return spec;
  } catch (const std::runtime_error& error) {
    fail(urdf_path + (yaml_path.empty() ? "" : " + " + yaml_path) + ": " + error.what());
  }
}

}  // namespace hl_simulation
