// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <sstream>

#include "hl_gazebo/link.hpp"

namespace hl_gazebo {
namespace {

constexpr double kLargest = 1e6;  // of any number in a request; more is a mistake

std::ostream& operator<<(std::ostream& out, const Eigen::Vector3d& v) {
  return out << v.x() << ' ' << v.y() << ' ' << v.z();
}

bool read(std::istream& in, double& value) {
  return static_cast<bool>(in >> value) && std::isfinite(value) && std::abs(value) < kLargest;
}
bool read(std::istream& in, Eigen::Vector3d& v) {
  return read(in, v.x()) && read(in, v.y()) && read(in, v.z());
}

struct Writer {
  std::ostringstream& out;
  void operator()(const PlaceRobot& p) const {
    out << "place " << p.x << ' ' << p.y << ' ' << p.yaw << ' ' << p.roll << ' ' << p.pitch << ' ' << p.clearance << ' '
        << p.hold;
    for (const double joint : p.joints) out << ' ' << joint;
  }
  void operator()(const PlaceBall& p) const { out << "ball " << p.position << ' ' << p.velocity; }
  void operator()(const PushRobot& p) const { out << "push " << p.force << ' ' << p.duration << ' ' << p.link; }
  void operator()(const BreakBus& p) const { out << "fault " << p.fault; }
  void operator()(const PressButton& p) const { out << "press " << p.button << ' ' << p.duration; }
  void operator()(const SetSpeed& p) const { out << "speed " << p.speed; }
};

}  // namespace

bool WorldState::upright() const {
  return base.linear()(2, 2) > std::cos(0.25 * M_PI) && !others;
}

std::string to_line(const WorldState& s) {
  std::ostringstream out;
  out.precision(9);
  const Eigen::Quaterniond q(s.base.linear());
  out << "state " << s.time << ' ' << s.step << ' ' << s.held << ' ' << Eigen::Vector3d(s.base.translation()) << ' '
      << q.w() << ' ' << Eigen::Vector3d(q.vec()) << ' ' << s.linear_velocity << ' ' << s.angular_velocity << ' '
      << s.left_foot << ' ' << s.right_foot << ' ' << s.others << ' ' << s.ball << ' ' << s.ball_velocity << ' '
      << s.ball_touched << ' ' << s.cpu;
  for (const auto& link : s.ground_contacts) out << ' ' << link;
  return out.str();
}

std::optional<WorldState> read_state(const std::string& line) {
  std::istringstream in(line);
  std::string word;
  WorldState s;
  Eigen::Vector3d at, axis;
  double w = 1.0;
  if (!(in >> word) || word != "state" || !read(in, s.time) || !(in >> s.step >> s.held) || !read(in, at) ||
      !read(in, w) || !read(in, axis) || !read(in, s.linear_velocity) || !read(in, s.angular_velocity) ||
      !(in >> s.left_foot >> s.right_foot >> s.others) || !read(in, s.ball) || !read(in, s.ball_velocity) ||
      !(in >> s.ball_touched) || !read(in, s.cpu))
    return std::nullopt;
  const Eigen::Quaterniond q(w, axis.x(), axis.y(), axis.z());
  if (!(q.norm() > 0.5 && q.norm() < 2.0)) return std::nullopt;
  s.base.linear() = q.normalized().toRotationMatrix();
  s.base.translation() = at;
  while (in >> word) s.ground_contacts.push_back(word);
  return s;
}

std::string to_line(const Request& request) {
  std::ostringstream out;
  out.precision(9);
  std::visit(Writer{out}, request);
  return out.str();
}

std::variant<Request, std::string> read_request(const std::string& line) {
  std::istringstream in(line);
  std::string word;
  in >> word;
  if (word == "place") {
    PlaceRobot p;
    if (read(in, p.x) && read(in, p.y) && read(in, p.yaw) && read(in, p.roll) && read(in, p.pitch) &&
        read(in, p.clearance) && in >> p.hold) {
      for (double joint = 0.0; read(in, joint);) p.joints.push_back(joint);
      if (in.eof()) return p;
    }
  } else if (word == "ball") {
    PlaceBall p;
    if (read(in, p.position) && read(in, p.velocity)) return p;
  } else if (word == "push") {
    PushRobot p;
    if (read(in, p.force) && read(in, p.duration) && p.duration > 0.0) {
      in >> p.link;
      return p;
    }
  } else if (word == "fault") {
    BreakBus p;
    std::getline(in >> std::ws, p.fault);
    return p;
  } else if (word == "press") {
    PressButton p;
    if (in >> p.button && (p.button == "mode" || p.button == "start") && read(in, p.duration)) return p;
  } else if (word == "speed") {
    SetSpeed p;
    if (read(in, p.speed) && p.speed >= 0.0 && p.speed <= 1000.0) return p;
  } else {
    return "'" + word +
           "' is none of: place X Y YAW ROLL PITCH CLEARANCE HOLD [JOINTS], ball X Y Z VX VY VZ, push FX FY FZ SECONDS "
           "[LINK], "
           "fault WORDS, press mode|start SECONDS, speed FACTOR";
  }
  return "'" + line + "': numbers are missing or beyond their range";
}

}  // namespace hl_gazebo
