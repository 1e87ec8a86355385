// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/mjcf.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/formatted.hpp>
#include <sstream>

#include "jersey.hpp"
#include "surroundings.hpp"

namespace hl_simulation {
namespace {

using hl_description::formatted;

constexpr unsigned kWorldBit = 1u;
constexpr unsigned kAllBits = 0x7fffffffu;
// Rows of the constraint solver's memory; a fallen robot with all joints at their friction needs about 110.
constexpr int kConstraintsPerRobot = 150;
// Planes are drawn in squares of this edge (m), since light is computed at their corners; without a graphics card the
// number of corners decides how long a picture takes.
constexpr double kTurfFacet = 0.5;
constexpr double kHallFacet = 4.0;

std::string escaped(const std::string& name) {
  std::string result;
  for (const char c : name) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string vec(const Eigen::Vector3d& v) {
  return formatted("%.9g %.9g %.9g", v.x(), v.y(), v.z());
}
std::string rgba(const Eigen::Vector4d& c) {
  return formatted("%.4g %.4g %.4g %.4g", c[0], c[1], c[2], c[3]);
}

std::string pose(const Eigen::Isometry3d& p) {
  const Eigen::Quaterniond q(p.linear());
  return "pos=\"" + vec(p.translation()) + "\" " +
         formatted("quat=\"%.9g %.9g %.9g %.9g\"", q.w(), q.x(), q.y(), q.z());
}

/// Writes one robot; the parts go to the sections of the document they belong to.
struct Sections {
  std::ostringstream bodies, pairs, actuators, sensors;
  std::vector<std::pair<const hl_description::Mesh*, Eigen::Vector3d>> meshes;  // with their scales
};

/// Number of the mesh in its section.
std::size_t mesh_number(Sections& sections, const Shape& shape) {
  const std::pair<const hl_description::Mesh*, Eigen::Vector3d> wanted{shape.mesh.get(), shape.size};
  const auto known = std::find(sections.meshes.begin(), sections.meshes.end(), wanted);
  if (known != sections.meshes.end()) return static_cast<std::size_t>(known - sections.meshes.begin());
  sections.meshes.push_back(wanted);
  return sections.meshes.size() - 1;
}

/// Each triangle has corners of its own: its edges stay sharp, and MuJoCo, which refuses a surface that is not closed
/// or turned inside out, has nothing to complain about.
void write_mesh(std::ostringstream& out, std::size_t number, const hl_description::Mesh& mesh,
                const Eigen::Vector3d& scale) {
  std::ostringstream faces;
  out << formatted("<mesh name=\"mesh_%zu\" vertex=\"", number);
  const bool mirrored = scale.prod() < 0.0;
  std::size_t corner = 0;
  for (auto triangle : mesh.triangles) {
    if (mirrored) std::swap(triangle[1], triangle[2]);
    for (const std::uint32_t point : triangle) {
      out << vec(scale.cwiseProduct(mesh.points[point].cast<double>())) << " ";
      faces << corner++ << " ";
    }
  }
  out << "\" face=\"" << faces.str() << "\"/>\n";
}

class RobotWriter {
 public:
  RobotWriter(const RobotPlacement& placement, int index, double friction, Detail detail, Sections& out)
      : placement_(placement),
        spec_(*placement.spec),
        prefix_(escaped(placement.name) + "/"),
        own_bit_(2u << index),
        friction_(friction),
        detail_(detail),
        out_(out) {}

  void write() {
    write_body(0);
    if (detail_ == Detail::Pictures) return;
    for (const JointSpec& joint : spec_.joints) {
      const std::string name = prefix_ + escaped(joint.name);
      out_.actuators << "<motor name=\"" << name << "\" joint=\"" << name << "\"/>\n";
    }
    if (!spec_.imu_frame.empty()) {
      for (const char* kind : {"gyro", "accelerometer"}) {
        out_.sensors << "<" << kind << " name=\"" << prefix_ << kind << "\" site=\"" << prefix_ << "imu\"/>\n";
      }
    }
    for (const auto& [first, second] : spec_.self_collisions) write_pairs(first, second);
  }

 private:
  void write_body(int index) {
    const RigidBody& body = spec_.bodies[index];
    out_.bodies << "<body name=\"" << prefix_ << escaped(body.name) << "\" " << pose(body.origin) << ">\n";
    if (body.joint < 0) {
      out_.bodies << "<freejoint name=\"" << prefix_ << "root\"/>\n";
    } else {
      const JointSpec& joint = spec_.joints[body.joint];
      out_.bodies
          << "<joint name=\"" << prefix_ << escaped(joint.name) << "\" axis=\"" << vec(joint.axis) << "\" "
          << formatted(
                 "limited=\"true\" range=\"%.9g %.9g\" damping=\"%.9g\" frictionloss=\"%.9g\" armature=\"%.9g\"/>\n",
                 joint.lower, joint.upper, joint.servo.stall_torque / joint.servo.no_load_speed, joint.servo.friction,
                 joint.servo.armature);
    }
    const Eigen::Matrix3d& i = body.inertia;
    out_.bodies << "<inertial pos=\"" << vec(body.centre)
                << formatted("\" mass=\"%.9g\" fullinertia=\"%.9g %.9g %.9g %.9g %.9g %.9g\"/>\n", body.mass, i(0, 0),
                             i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2));
    write_shapes(index);
    write_frames(index);
    for (std::size_t child = 0; child < spec_.bodies.size(); ++child) {
      if (spec_.bodies[child].parent == index) write_body(static_cast<int>(child));
    }
    out_.bodies << "</body>\n";
  }

  void write_shapes(int index) {
    const RigidBody& body = spec_.bodies[index];
    for (std::size_t n = 0; n < body.shapes.size(); ++n) {
      const Shape& shape = body.shapes[n];
      if (shape.collides != (detail_ == Detail::Physics)) continue;
      std::string geometry;
      switch (shape.type) {
        case Shape::Type::Box:
          geometry = "type=\"box\" size=\"" + vec(0.5 * shape.size) + "\"";
          break;
        case Shape::Type::Cylinder:
          geometry = formatted("type=\"cylinder\" size=\"%.9g %.9g\"", shape.size.x(), 0.5 * shape.size.y());
          break;
        case Shape::Type::Sphere:
          geometry = formatted("type=\"sphere\" size=\"%.9g\"", shape.size.x());
          break;
        case Shape::Type::Mesh:
          geometry = formatted("type=\"mesh\" mesh=\"mesh_%zu\"", mesh_number(out_, shape));
          break;
      }
      out_.bodies << "<geom name=\"" << prefix_ << geom_name(index, n) << "\" " << geometry << " " << pose(shape.pose);
      if (shape.collides) {
        out_.bodies << formatted(
            " contype=\"%u\" conaffinity=\"%u\" friction=\"%.4g 0.005 0.0001\" group=\"3\" rgba=\"0 1 0 0.3\"/>\n",
            own_bit_, kAllBits & ~own_bit_, friction_);
      } else {
        const bool marker = shape.material.find("team") != std::string::npos;
        out_.bodies << " contype=\"0\" conaffinity=\"0\" group=\"1\" mass=\"0\" rgba=\""
                    << rgba(marker ? placement_.colour : shape.rgba) << "\"/>\n";
        if (marker && placement_.number > 0) write_number(body, shape);
      }
    }
  }

  /// Sheets before the middle of a body's team markers are its chest, those behind it its back.
  void write_number(const RigidBody& body, const Shape& sheet) {
    double sum = 0.0;
    int count = 0;
    for (const Shape& shape : body.shapes) {
      if (shape.collides || shape.material.find("team") == std::string::npos) continue;
      sum += shape.pose.translation().x();
      ++count;
    }
    const double outward = sheet.pose.translation().x() >= sum / std::max(1, count) ? 1.0 : -1.0;
    for (const PaintedStroke& stroke : number_on(sheet, placement_.number % 10, outward)) {
      out_.bodies << "<geom type=\"box\" size=\"" << vec(0.5 * stroke.size) << "\" pos=\"" << vec(stroke.centre)
                  << "\" contype=\"0\" conaffinity=\"0\" group=\"1\" mass=\"0\" rgba=\".95 .95 .95 1\"/>\n";
    }
  }

  void write_frames(int index) {
    const auto on_this_body = [&](const std::string& name) {
      return !name.empty() && spec_.frames.at(name).body == index;
    };
    if (on_this_body(spec_.imu_frame)) {
      out_.bodies << "<site name=\"" << prefix_ << "imu\" " << pose(spec_.frames.at(spec_.imu_frame).pose)
                  << " size=\"0.003\" group=\"4\"/>\n";
    }
    if (on_this_body(spec_.camera.frame)) {
      // MuJoCo's camera looks along -z with y up; an optical frame looks along z with y down.
      const Eigen::Isometry3d view =
          spec_.frames.at(spec_.camera.frame).pose * Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitX());
      const CameraSpec& camera = spec_.camera;
      const double fovy = 2.0 * std::atan(std::tan(0.5 * camera.horizontal_fov) * camera.height / camera.width);
      out_.bodies << "<camera name=\"" << prefix_ << "camera\" " << pose(view)
                  << formatted(" fovy=\"%.9g\"/>\n", fovy * 180.0 / M_PI);
    }
  }

  std::string geom_name(int body, std::size_t shape) const { return formatted("geom_%d_%zu", body, shape); }

  void write_pairs(const std::string& first, const std::string& second) {
    for_each_collision_geom(first, [&](const std::string& a) {
      for_each_collision_geom(second, [&](const std::string& b) {
        out_.pairs << "<pair geom1=\"" << prefix_ << a << "\" geom2=\"" << prefix_ << b << "\" condim=\"3\"/>\n";
      });
    });
  }

  template <class Visit>
  void for_each_collision_geom(const std::string& link, const Visit& visit) const {
    const int body = spec_.frames.at(link).body;
    const auto& shapes = spec_.bodies[body].shapes;
    for (std::size_t n = 0; n < shapes.size(); ++n) {
      if (shapes[n].collides && shapes[n].link == link) visit(geom_name(body, n));
    }
  }

  const RobotPlacement& placement_;
  const RobotSpec& spec_;
  std::string prefix_;
  unsigned own_bit_;
  double friction_;
  Detail detail_;
  Sections& out_;
};

/// Posts, bar and net; in pictures also the frame behind and the cords of the net.
void write_goal(std::ostringstream& out, const hl_description::Field& field, double side, Detail detail) {
  const std::string bits = formatted("contype=\"%u\" conaffinity=\"%u\"", kWorldBit, kAllBits);
  const double r = 0.5 * field.post_diameter;
  const double back = side * field.goal_depth, y = 0.5 * field.goal_width + r, top = field.goal_height + r;
  const auto bar = [&](double x1, double y1, double z1, double x2, double y2, double z2, double radius) {
    out << formatted("<geom type=\"capsule\" fromto=\"%g %g %g %g %g %g\" size=\"%g\" material=\"goal\" ", x1, y1, z1,
                     x2, y2, z2, radius)
        << bits << "/>\n";
  };
  // The physics has thick, soft panels behind the net, so that no shot passes through them between two steps.
  const double thick = detail == Detail::Physics ? 0.08 : 0.002;
  const auto panel = [&](double px, double py, double sx, double sy) {
    out << formatted("<geom type=\"box\" pos=\"%g %g %g\" size=\"%g %g %g\" material=\"net\" group=\"4\" ", px, py,
                     0.5 * top, sx, sy, 0.5 * top)
        << "priority=\"2\" solref=\"0.03 1.5\" " << bits << "/>\n";
  };
  const auto cord = [&](double x1, double y1, double z1, double x2, double y2, double z2) {
    out << formatted(
        "<geom type=\"box\" fromto=\"%g %g %g %g %g %g\" size=\"0.003\" rgba=\"0.22 0.22 0.26 1\" group=\"2\"/>\n", x1,
        y1, z1, x2, y2, z2);
  };
  out << formatted("<body name=\"goal_%s\" pos=\"%g 0 0\">\n", side < 0 ? "own" : "other", side * 0.5 * field.length);
  for (const double hand : {-1.0, 1.0}) {
    bar(0, hand * y, 0, 0, hand * y, top, r);
    panel(0.5 * back, hand * (y + thick), 0.5 * field.goal_depth, thick);
  }
  bar(0, -y, top, 0, y, top, r);
  panel(back + side * thick, 0, thick, y);
  if (detail == Detail::Pictures) {
    const double tube = 0.015, mesh = 0.15;
    for (const double hand : {-1.0, 1.0}) {
      bar(0, hand * y, tube, back, hand * y, tube, tube);
      bar(0, hand * y, top, back, hand * y, top, tube);
      bar(back, hand * y, 0, back, hand * y, top, tube);
    }
    bar(back, -y, tube, back, y, tube, tube);
    bar(back, -y, top, back, y, top, tube);
    const auto spaced = [&](double length, const auto& at) {
      const int count = static_cast<int>(length / mesh);
      for (int n = 1; n <= count; ++n) at(length * n / (count + 1));
    };
    spaced(2.0 * y, [&](double s) { cord(back, s - y, 0, back, s - y, top); });
    spaced(top, [&](double z) {
      cord(back, -y, z, back, y, z);
      for (const double hand : {-1.0, 1.0}) cord(0, hand * y, z, back, hand * y, z);
    });
    spaced(field.goal_depth, [&](double s) {
      for (const double hand : {-1.0, 1.0}) cord(side * s, hand * y, 0, side * s, hand * y, top);
    });
  }
  out << "</body>\n";
}

void write_assets(std::ostringstream& out, const WorldSpec& world, const Surroundings& around) {
  const double x = world.field.length + 2.0 * world.field.border, y = world.field.width + 2.0 * world.field.border;
  constexpr double kPixelsPerMetre = 200.0;
  // Field and ball are painted after loading, see textures.hpp.
  out << "<texture type=\"skybox\" builtin=\"gradient\" rgb1=\".62 .68 .75\" rgb2=\".32 .33 .36\" width=\"64\" "
         "height=\"384\"/>\n"
      << formatted(
             "<texture name=\"field\" type=\"2d\" builtin=\"flat\" rgb1=\".1 .4 .12\" width=\"%d\" height=\"%d\"/>\n",
             static_cast<int>(x * kPixelsPerMetre), static_cast<int>(y * kPixelsPerMetre))
      << "<texture name=\"ball\" type=\"cube\" builtin=\"flat\" rgb1=\"1 1 1\" width=\"64\" height=\"64\"/>\n"
      << "<material name=\"field\" texture=\"field\" texrepeat=\"1 1\" texuniform=\"false\" specular=\"0\" "
         "shininess=\"0\"/>\n"
      << "<material name=\"ball\" texture=\"ball\" specular=\".3\" shininess=\".4\"/>\n"
      << formatted("<material name=\"hall\" rgba=\"%g %g %g 1\" specular=\"0\"/>\n", around.floor[0], around.floor[1],
                   around.floor[2])
      << formatted("<material name=\"wall\" rgba=\"%g %g %g 1\" specular=\"0\"/>\n", around.wall[0], around.wall[1],
                   around.wall[2]);
}

/// Floor around the turf, and walls that only the robots' cameras see (they are cheaper to draw than a sky).
void write_hall(std::ostringstream& out, const hl_description::Field& field) {
  const double x = 0.5 * field.length + field.border + 3.0, y = 0.5 * field.width + field.border + 3.0, high = 4.0;
  out << formatted("<geom name=\"hall\" type=\"plane\" pos=\"0 0 -0.02\" size=\"%g %g %g\" material=\"hall\"/>\n",
                   x + 8.0, y + 8.0, kHallFacet);
  const auto wall = [&](double px, double py, const char* axes, double half_length) {
    out << formatted(
        "<geom type=\"plane\" group=\"5\" pos=\"%g %g %g\" xyaxes=\"%s\" size=\"%g %g %g\" material=\"wall\"/>\n", px,
        py, high, axes, half_length, high, kHallFacet);
  };
  wall(x, 0, "0 -1 0 0 0 1", y);
  wall(-x, 0, "0 1 0 0 0 1", y);
  wall(0, y, "1 0 0 0 0 1", x);
  wall(0, -y, "-1 0 0 0 0 1", x);
}

void write_ground(std::ostringstream& out, const WorldSpec& world, Detail detail) {
  const hl_description::Field& field = world.field;
  const bool pictures = detail == Detail::Pictures;
  out << formatted(
      "<geom name=\"floor\" type=\"plane\" size=\"%g %g %g\" %s contype=\"%u\" conaffinity=\"%u\" "
      "friction=\"%g 0.005 0.0001\" priority=\"1\"/>\n",
      0.5 * field.length + field.border, 0.5 * field.width + field.border, kTurfFacet,
      pictures ? "material=\"field\"" : "", kWorldBit, kAllBits, world.turf.friction);
  if (pictures) write_hall(out, field);
  if (world.with_goals) {
    for (const double side : {-1.0, 1.0}) write_goal(out, field, side, detail);
  }
  if (world.with_ball) {
    const double radius = field.ball_radius, mass = field.ball_mass;
    const double inertia = 2.0 / 3.0 * mass * radius * radius;  // hollow
    // Contact damping that leaves about the wanted speed after a bounce off something hard.
    const double stiffness = 8000.0, loss = -std::log(std::max(0.05, world.ball_restitution)) / M_PI;
    out << formatted(
        "<body name=\"ball\" pos=\"0.5 0 %g\"><freejoint name=\"ball\"/>"
        "<inertial pos=\"0 0 0\" mass=\"%g\" diaginertia=\"%g %g %g\"/>"
        "<geom name=\"ball\" type=\"sphere\" size=\"%g\" %s condim=\"3\" friction=\"0.6 0.005 0.0001\" "
        "solref=\"-%g -%g\" contype=\"%u\" conaffinity=\"%u\"/></body>\n",
        radius, mass, inertia, inertia, inertia, radius, pictures ? "material=\"ball\"" : "", stiffness,
        2.0 * loss * std::sqrt(stiffness), kWorldBit, kAllBits);
  }
}

}  // namespace

std::string to_mjcf(const WorldSpec& world, Detail detail) {
  Sections parts;
  for (std::size_t n = 0; n < world.robots.size(); ++n) {
    RobotWriter(world.robots[n], static_cast<int>(n), world.turf.friction, detail, parts).write();
  }
  const int robots = static_cast<int>(world.robots.size());
  std::ostringstream out;
  out << "<mujoco model=\"soccer\">\n<compiler angle=\"radian\" autolimits=\"false\" inertiafromgeom=\"false\"/>\n"
      << formatted("<size njmax=\"%d\" nconmax=\"%d\"/>\n", kConstraintsPerRobot * robots + 60, 60 * robots + 20)
      << formatted("<option timestep=\"%.9g\" iterations=\"30\" solver=\"Newton\" cone=\"pyramidal\"/>\n",
                   world.timestep)
      << "<visual><global offwidth=\"1280\" offheight=\"960\"/><quality shadowsize=\"2048\" offsamples=\"0\"/>"
      << "<map znear=\"0.005\" zfar=\"25\" shadowclip=\"4\"/></visual>\n"
      << "<statistic extent=\"1\" center=\"0 0 0\"/>\n";
  out << "<asset>\n<material name=\"goal\" rgba=\"1 1 1 1\" specular=\".2\" shininess=\".3\"/>\n"
      << "<material name=\"net\" rgba=\".3 .3 .35 .16\" specular=\"0\"/>\n";
  const Surroundings around =
      detail == Detail::Pictures ? surroundings(world.field, world.surroundings, world.moved) : Surroundings();
  if (detail == Detail::Pictures) write_assets(out, world, around);
  for (std::size_t n = 0; n < parts.meshes.size(); ++n)
    write_mesh(out, n, *parts.meshes[n].first, parts.meshes[n].second);
  out << "</asset>\n<worldbody>\n"
      << "<light name=\"main\" pos=\"0 0 6\" dir=\"0.25 0.2 -1\" directional=\"true\" castshadow=\"true\"/>\n"
      << "<light name=\"spot_left\" pos=\"-3 2 5\" dir=\"0.3 -0.2 -1\" cutoff=\"55\" exponent=\"6\" "
         "castshadow=\"false\" active=\"false\"/>\n"
      << "<light name=\"spot_right\" pos=\"3 -2 5\" dir=\"-0.3 0.2 -1\" cutoff=\"55\" exponent=\"6\" "
         "castshadow=\"false\" active=\"false\"/>\n";
  write_ground(out, world, detail);
  out << parts.bodies.str() << around.geoms << "</worldbody>\n<contact>\n"
      << parts.pairs.str() << "</contact>\n<actuator>\n"
      << parts.actuators.str() << "</actuator>\n<sensor>\n"
      << parts.sensors.str() << "</sensor>\n</mujoco>\n";
  return out.str();
}

}  // namespace hl_simulation
