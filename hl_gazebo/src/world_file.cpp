// SPDX-License-Identifier: Apache-2.0
#include "hl_gazebo/world_file.hpp"

#include <cmath>
#include <hl_description/formatted.hpp>
#include <sstream>
#include <stdexcept>

namespace hl_gazebo {
namespace {

using hl_description::formatted;
using hl_simulation::RigidBody;
using hl_simulation::RobotPlacement;
using hl_simulation::RobotSpec;
using hl_simulation::Shape;
using hl_simulation::WorldSpec;

constexpr double kBallFriction = 0.6;   // as in MuJoCo
constexpr double kLineHeight = 0.0005;  // m that paint stands above the turf, or they would flicker
constexpr int kCircleParts = 36;

std::string escaped(const std::string& plain) {
  std::string result;
  for (const char c : plain) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string pose(const Eigen::Isometry3d& p) {
  // Roll, pitch, yaw as SDF has them: turns about fixed x, y, z.
  const Eigen::Matrix3d& r = p.linear();
  const double pitch = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  const bool locked = std::hypot(r(0, 0), r(1, 0)) < 1e-9;
  const double roll = locked ? std::atan2(-r(1, 2), r(1, 1)) : std::atan2(r(2, 1), r(2, 2));
  const double yaw = locked ? 0.0 : std::atan2(r(1, 0), r(0, 0));
  return formatted("<pose>%.9g %.9g %.9g %.9g %.9g %.9g</pose>", p.translation().x(), p.translation().y(),
                   p.translation().z(), roll, pitch, yaw);
}

std::string pose(double x, double y, double z, double roll = 0.0, double pitch = 0.0, double yaw = 0.0) {
  return formatted("<pose>%.9g %.9g %.9g %.9g %.9g %.9g</pose>", x, y, z, roll, pitch, yaw);
}

std::string box(double x, double y, double z) {
  return formatted("<geometry><box><size>%.9g %.9g %.9g</size></box></geometry>", x, y, z);
}
std::string cylinder(double radius, double length) {
  return formatted("<geometry><cylinder><radius>%.9g</radius><length>%.9g</length></cylinder></geometry>", radius,
                   length);
}
std::string sphere(double radius) {
  return formatted("<geometry><sphere><radius>%.9g</radius></sphere></geometry>", radius);
}

std::string geometry(const Shape& shape) {
  switch (shape.type) {
    case Shape::Type::Box:
      return box(shape.size.x(), shape.size.y(), shape.size.z());
    case Shape::Type::Cylinder:
      return cylinder(shape.size.x(), shape.size.y());
    case Shape::Type::Sphere:
      return sphere(shape.size.x());
    case Shape::Type::Mesh:
      break;
  }
  return "";
}

std::string colour(double r, double g, double b, double a = 1.0) {
  return formatted(
      "<material><ambient>%.3g %.3g %.3g %.3g</ambient><diffuse>%.3g %.3g %.3g %.3g</diffuse></material>"
      "<transparency>%.3g</transparency>",
      r, g, b, a, r, g, b, a, 1.0 - a);
}

/// Gazebo takes the lower friction of two that touch. Springs instead of rigid contacts: 0.1 mm under a foot's load.
std::string surface(double friction) {
  return formatted(
      "<surface><friction><ode><mu>%g</mu><mu2>%g</mu2></ode></friction>"
      "<contact><ode><kp>1e5</kp><kd>300</kd><max_vel>0.5</max_vel><min_depth>0.0001</min_depth></ode></contact>"
      "</surface>",
      friction, friction);
}

class RobotWriter {
 public:
  RobotWriter(std::ostringstream& out, const WorldSpec& world, const RobotPlacement& robot,
              const WorldFileOptions& options)
      : out_(out), world_(world), robot_(robot), spec_(*robot.spec), options_(options) {}

  void write() {
    out_ << "<model name=\"" << escaped(robot_.name) << "\">" << pose(robot_.x, robot_.y, 0.5, 0, 0, robot_.yaw)
         << "<self_collide>false</self_collide><allow_auto_disable>false</allow_auto_disable>\n";
    std::vector<Eigen::Isometry3d> at(spec_.bodies.size());
    for (std::size_t n = 0; n < spec_.bodies.size(); ++n) {
      const RigidBody& body = spec_.bodies[n];
      at[n] = body.parent < 0 ? Eigen::Isometry3d::Identity() : at[static_cast<std::size_t>(body.parent)] * body.origin;
      write_body(body, at[n]);
    }
    for (const RigidBody& body : spec_.bodies) {
      if (body.joint >= 0) write_joint(body);
    }
    write_plugin();
    out_ << "</model>\n";
  }

 private:
  void write_body(const RigidBody& body, const Eigen::Isometry3d& at) {
    const Eigen::Matrix3d& i = body.inertia;
    out_ << "<link name=\"" << escaped(body.name) << "\">" << pose(at) << "<inertial>"
         << pose(body.centre.x(), body.centre.y(), body.centre.z())
         << formatted(
                "<mass>%.9g</mass><inertia><ixx>%.9g</ixx><iyy>%.9g</iyy><izz>%.9g</izz><ixy>%.9g</ixy><ixz>%.9g</ixz>"
                "<iyz>%.9g</iyz></inertia></inertial>\n",
                body.mass, i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2));
    for (std::size_t n = 0; n < body.shapes.size(); ++n) {
      const Shape& shape = body.shapes[n];
      const std::string form = geometry(shape);
      if (form.empty()) continue;  // a mesh: its link's collision shape is there as well
      const char* kind = shape.collides ? "collision" : "visual";
      out_ << "<" << kind << formatted(" name=\"%s_%zu\">", kind, n) << pose(shape.pose) << form;
      if (shape.collides) {
        out_ << surface(world_.turf.friction) << "<max_contacts>8</max_contacts>";
      } else if (shape.material.find("team") != std::string::npos) {
        out_ << colour(robot_.colour[0], robot_.colour[1], robot_.colour[2]);
      } else {
        out_ << colour(shape.rgba[0], shape.rgba[1], shape.rgba[2], shape.rgba[3]);
      }
      out_ << "</" << kind << ">\n";
    }
    out_ << "</link>\n";
  }

  /// Without limits, damping and friction: the plug-in's servos have them.
  void write_joint(const RigidBody& body) {
    const auto& joint = spec_.joints[static_cast<std::size_t>(body.joint)];
    out_ << "<joint name=\"" << escaped(joint.name) << "\" type=\"revolute\"><parent>"
         << escaped(spec_.bodies[static_cast<std::size_t>(body.parent)].name) << "</parent><child>"
         << escaped(body.name) << "</child><axis>"
         << formatted("<xyz>%.9g %.9g %.9g</xyz>", joint.axis.x(), joint.axis.y(), joint.axis.z())
         << "<limit><lower>-1e16</lower><upper>1e16</upper></limit></axis></joint>\n";
  }

  void write_plugin() {
    const auto path = [&](std::string (*of)(const std::string&, const std::string&), const std::string& name) {
      return escaped(of(options_.folder, name));
    };
    out_ << "<plugin name=\"hl_gazebo\" filename=\"libhl_gazebo_plugin.so\">"
         << "<urdf>" << path(urdf_path, spec_.name) << "</urdf><robot_config>" << path(config_path, spec_.name)
         << "</robot_config><bus>" << path(bus_path, robot_.name) << "</bus><link_socket>"
         << path(link_path, robot_.name) << "</link_socket>"
         << formatted(
                "<seed>%llu</seed><speed>%.9g</speed><grace>%.9g</grace><patience>%.9g</patience><hold>%.9g</hold>",
                static_cast<unsigned long long>(world_.seed), options_.speed, options_.grace, options_.patience,
                options_.hold)
         << formatted("<start>%.9g %.9g %.9g</start>", robot_.x, robot_.y, robot_.yaw) << "</plugin>\n";
  }

  std::ostringstream& out_;
  const WorldSpec& world_;
  const RobotPlacement& robot_;
  const RobotSpec& spec_;
  const WorldFileOptions& options_;
};

/// Turf with everything that is painted on it.
class FieldWriter {
 public:
  FieldWriter(std::ostringstream& out, const WorldSpec& world) : out_(out), world_(world), field_(world.field) {}

  void write() {
    const double x = field_.length + 2.0 * field_.border, y = field_.width + 2.0 * field_.border;
    out_ << "<model name=\"field\"><static>true</static><link name=\"turf\"><collision name=\"ground\"><geometry>"
         << formatted("<plane><normal>0 0 1</normal><size>%g %g</size></plane></geometry>", x, y)
         << surface(world_.turf.friction) << "<max_contacts>8</max_contacts></collision>\n<visual name=\"turf\">"
         << formatted("<geometry><plane><normal>0 0 1</normal><size>%g %g</size></plane></geometry>", x, y)
         << colour(0.1, 0.4, 0.12) << "</visual>\n";
    for (const auto& line : field_.lines()) strip(line.from, line.to);
    const double r = field_.circle_radius();
    for (int n = 0; n < kCircleParts && r > 0.0; ++n) {
      const double a = 2.0 * M_PI * n / kCircleParts, b = 2.0 * M_PI * (n + 1) / kCircleParts;
      strip({r * std::cos(a), r * std::sin(a)}, {r * std::cos(b), r * std::sin(b)});
    }
    const double mark = 0.5 * field_.length - field_.penalty_mark,
                 half = 0.5 * (field_.mark_length - field_.line_width);
    for (const double at : {-mark, 0.0, mark}) {
      strip({at - half, 0.0}, {at + half, 0.0});
      strip({at, -half}, {at, half});
    }
    out_ << "</link></model>\n";
  }

 private:
  void strip(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
    const Eigen::Vector2d middle = 0.5 * (from + to), way = to - from;
    out_ << "<visual name=\"line_" << lines_++ << "\">"
         << pose(middle.x(), middle.y(), 0.0, 0.0, 0.0, std::atan2(way.y(), way.x()))
         << box(way.norm() + field_.line_width, field_.line_width, 2.0 * kLineHeight) << colour(1, 1, 1)
         << "</visual>\n";
  }

  std::ostringstream& out_;
  const WorldSpec& world_;
  const hl_description::Field& field_;
  int lines_ = 0;
};

/// Posts, bar, and a net of thick panels, so that no shot passes through between two steps.
void write_goal(std::ostringstream& out, const WorldSpec& world, double side) {
  const hl_description::Field& field = world.field;
  const double r = 0.5 * field.post_diameter, y = 0.5 * field.goal_width + r, top = field.goal_height + r;
  const double depth = field.goal_depth, thick = 0.08;
  out << "<model name=\"goal_" << (side < 0 ? "own" : "other") << "\"><static>true</static>"
      << pose(side * 0.5 * field.length, 0, 0) << "<link name=\"goal\">\n";
  const auto part = [&](const std::string& name, const std::string& where, const std::string& form,
                        const std::string& look) {
    out << "<collision name=\"" << name << "\">" << where << form << surface(world.turf.friction)
        << "</collision><visual name=\"" << name << "\">" << where << form << look << "</visual>\n";
  };
  const std::string white = colour(1, 1, 1), net = colour(0.3, 0.3, 0.35, 0.16);
  part("left_post", pose(0, y, 0.5 * top), cylinder(r, top), white);
  part("right_post", pose(0, -y, 0.5 * top), cylinder(r, top), white);
  part("bar", pose(0, 0, top, M_PI_2), cylinder(r, 2.0 * y), white);
  part("left_net", pose(side * 0.5 * depth, y + thick, 0.5 * top), box(depth, 2.0 * thick, top), net);
  part("right_net", pose(side * 0.5 * depth, -y - thick, 0.5 * top), box(depth, 2.0 * thick, top), net);
  part("back_net", pose(side * (depth + thick), 0, 0.5 * top), box(2.0 * thick, 2.0 * y, top), net);
  out << "</link></model>\n";
}

void write_ball(std::ostringstream& out, const WorldSpec& world) {
  const double radius = world.field.ball_radius, mass = world.field.ball_mass;
  const double inertia = 2.0 / 3.0 * mass * radius * radius;  // hollow
  out << "<model name=\"ball\"><allow_auto_disable>false</allow_auto_disable>" << pose(0.5, 0, radius)
      << formatted(
             "<link name=\"ball\"><inertial><mass>%g</mass><inertia><ixx>%.9g</ixx><iyy>%.9g</iyy><izz>%.9g</izz>"
             "<ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial><collision name=\"ball\">",
             mass, inertia, inertia, inertia)
      << sphere(radius)
      << formatted(
             "<surface><friction><ode><mu>%g</mu><mu2>%g</mu2></ode></friction><bounce>"
             "<restitution_coefficient>%g</restitution_coefficient><threshold>0.2</threshold></bounce>"
             "<contact><ode><kp>1e5</kp><kd>50</kd><max_vel>5</max_vel></ode></contact></surface></collision>",
             kBallFriction, kBallFriction, world.ball_restitution)
      << "<visual name=\"ball\">" << sphere(radius) << colour(0.95, 0.95, 0.95) << "</visual></link></model>\n";
}

std::string file_of(const std::string& folder, const std::string& name, const char* ending) {
  return folder + "/" + name + ending;
}

}  // namespace

std::string urdf_path(const std::string& folder, const std::string& robot) {
  return file_of(folder, robot, ".urdf");
}
std::string config_path(const std::string& folder, const std::string& robot) {
  return file_of(folder, robot, ".yaml");
}
std::string bus_path(const std::string& folder, const std::string& robot) {
  return file_of(folder, robot, ".bus");
}
std::string link_path(const std::string& folder, const std::string& robot) {
  return file_of(folder, robot, ".link");
}

std::string to_sdf(const WorldSpec& world, const WorldFileOptions& options) {
  if (const auto error = world.validate()) throw std::runtime_error(*error);
  std::ostringstream out;
  out << "<?xml version=\"1.0\"?>\n<sdf version=\"1.6\"><world name=\"soccer\">\n"
      << formatted(
             "<physics type=\"ode\"><max_step_size>%.9g</max_step_size><real_time_factor>1</real_time_factor>"
             "<real_time_update_rate>0</real_time_update_rate>",  // the bus keeps the time
             world.timestep)
      << formatted(
             "<max_contacts>20</max_contacts><ode><solver><type>%s</type><iters>%d</iters><sor>1.3</sor></solver>"
             "<constraints><cfm>0</cfm><erp>0.2</erp><contact_max_correcting_vel>0.5</contact_max_correcting_vel>"
             "<contact_surface_layer>0.0001</contact_surface_layer></constraints></ode></physics>\n",
             options.iterations > 0 ? "quick" : "world", options.iterations > 0 ? options.iterations : 50)
      << "<gravity>0 0 -9.81</gravity>\n<scene><ambient>0.5 0.5 0.5 1</ambient><background>0.6 0.7 0.8 1</background>"
      << "<shadows>true</shadows></scene>\n<light type=\"directional\" name=\"sun\"><cast_shadows>true</cast_shadows>"
      << pose(0, 0, 10)
      << "<diffuse>0.8 0.8 0.8 1</diffuse><specular>0.2 0.2 0.2 1</specular><direction>0.25 0.2 "
         "-1</direction></light>\n";
  FieldWriter(out, world).write();
  if (world.with_goals) {
    for (const double side : {-1.0, 1.0}) write_goal(out, world, side);
  }
  if (world.with_ball) write_ball(out, world);
  for (const RobotPlacement& robot : world.robots) RobotWriter(out, world, robot, options).write();
  out << "</world></sdf>\n";
  return out.str();
}

}  // namespace hl_gazebo
