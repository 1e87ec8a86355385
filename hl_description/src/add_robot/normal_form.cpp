// SPDX-License-Identifier: Apache-2.0
#include "normal_form.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hl_description {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr Side kSides[] = {Side::Left, Side::Right};
constexpr double kSnap = 2e-4;  // rad; axes nearer than this to a main direction are meant to be there

std::string of(Side side, const char* joint) {
  return joint_prefix(side) + std::string(joint);
}

/// One of our moving links: its name, the joint that moves it, the link it hangs on.
struct Place {
  std::string link, joint, parent;
};

std::vector<Place> moving_links() {
  std::vector<Place> places{{"neck", "HeadPan", "torso"}, {"head", "HeadTilt", "neck"}};
  for (const Side side : kSides) {
    const std::string s = link_prefix(side);
    places.push_back({s + "shoulder", of(side, "ShoulderPitch"), "torso"});
    places.push_back({s + "upper_arm", of(side, "ShoulderRoll"), s + "shoulder"});
    places.push_back({s + "lower_arm", of(side, "Elbow"), s + "upper_arm"});
    places.push_back({s + "hip_yaw_link", of(side, "HipYaw"), "base_link"});
    places.push_back({s + "hip_roll_link", of(side, "HipRoll"), s + "hip_yaw_link"});
    places.push_back({s + "thigh", of(side, "HipPitch"), s + "hip_roll_link"});
    places.push_back({s + "shank", of(side, "Knee"), s + "thigh"});
    places.push_back({s + "ankle", of(side, "AnklePitch"), s + "shank"});
    places.push_back({s + "foot", of(side, "AnkleRoll"), s + "ankle"});
  }
  return places;
}

Vector3d axis_in_base(const RobotModel& model, const std::string& joint) {
  const Posture zero = model.forward(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof())));
  const auto index = static_cast<int>(model.joint(joint));
  for (std::size_t i = 0; i < model.links().size(); ++i)
    if (model.links()[i].joint == index) return zero.links[i].linear() * model.links()[i].axis;
  return Vector3d::Zero();
}

/// Of a link: the shapes it collides with, else those that are seen.
struct Bounds {
  Vector3d low = Vector3d::Constant(1e9), high = Vector3d::Constant(-1e9);
  bool empty() const { return low.x() > high.x(); }
  void add(const DraftShape& shape) {
    if (shape.surface) {
      for (const Eigen::Vector3f& point : shape.surface->points) {
        const Vector3d place = shape.pose * shape.size.cwiseProduct(point.cast<double>());
        low = low.cwiseMin(place);
        high = high.cwiseMax(place);
      }
      return;
    }
    Vector3d half = 0.5 * shape.size;
    if (shape.type == DraftShape::Type::Cylinder) half << shape.size.x(), shape.size.x(), 0.5 * shape.size.y();
    if (shape.type == DraftShape::Type::Sphere) half.setConstant(shape.size.x());
    const Vector3d reach = shape.pose.linear().cwiseAbs() * half;
    low = low.cwiseMin(shape.pose.translation() - reach);
    high = high.cwiseMax(shape.pose.translation() + reach);
  }
  void add(const NormalLink& link) {
    for (const auto* shapes : {&link.collisions, &link.visuals}) {
      if (!empty()) return;
      for (const DraftShape& shape : *shapes)
        if (shape.drawable()) add(shape);
    }
  }
  DraftShape box() const {
    DraftShape box;
    box.size = (high - low).cwiseMax(1e-3);
    box.pose.translation() = 0.5 * (low + high);
    return box;
  }
};

class Normaliser {
 public:
  Normaliser(const Draft& draft, const BodyPlan& plan, const RobotModel& like, const NormalOptions& options,
             Findings& findings)
      : draft_(draft), plan_(plan), like_(like), options_(options), findings_(findings) {}

  NormalRobot make();

 private:
  void find_axes_of_body();
  void find_zero_pose();
  void zero_leg(Side side);
  void zero_arm(Side side);
  void align(const std::string& joint, const Vector3d& from, const Vector3d& to);
  void add_links();
  void place_leg(Side side);
  void gather(NormalLink& link, const std::vector<int>& draft_links);
  void mend_body(NormalLink& link);
  void shape(NormalLink& link);
  void see(NormalLink& link);
  void add_frame(const std::string& name, const std::string& parent, const Vector3d& place, bool optical = false);
  void add_feet();
  JointLimits limits_of(const std::string& joint, const ServoMount& mount);
  bool legs_are_weak() const;

  const DraftJoint& joint(const std::string& name) const {
    return draft_.joints[static_cast<std::size_t>(plan_.joint(name))];
  }
  const Isometry3d& frame_of(const std::string& name) const {
    return places_[static_cast<std::size_t>(joint(name).child)];
  }
  Vector3d point(const std::string& name) const { return frame_of(name).translation(); }
  Vector3d axis(const std::string& name) const { return frame_of(name).linear() * joint(name).axis; }
  void update() {
    places_ = draft_.places(angles_);
    for (auto& place : places_) place = base_from_root_ * place;
  }

  const Draft& draft_;
  const BodyPlan& plan_;
  const RobotModel& like_;
  const NormalOptions& options_;
  Findings& findings_;
  Isometry3d base_from_root_ = Isometry3d::Identity();
  std::vector<double> angles_;      // theirs, of our zero pose; rad
  std::vector<Isometry3d> places_;  // of the draft's links in base_link, with these angles
  std::map<std::string, Vector3d> points_;
  std::vector<std::string> without_limits_, odd_servos_, weak_servos_;
  bool weak_legs_ = false;
  double body_weight_ = 0.0;                         // kg
  double leg_length_ = 0.0, like_leg_length_ = 0.0;  // m, from hip to ankle
  NormalRobot robot_;
};

void Normaliser::find_axes_of_body() {
  update();
  Vector3d left = point("LHipYaw") - point("RHipYaw");
  left.z() = 0.0;
  if (left.norm() < 0.01) {
    findings_.error(joint("LHipYaw").line, "the legs stand in each other: left and right hip are at the same place",
                    "check which joints are taken for the hips (--joint LHipYaw=...)");
    return;
  }
  left.normalize();
  if (left.y() < 0.99) findings_.repaired(0, "the robot does not look along x (REP-103): it is turned so that it does");
  base_from_root_.linear().row(0) = left.cross(Vector3d::UnitZ());
  base_from_root_.linear().row(1) = left;
  base_from_root_.linear().row(2) = Vector3d::UnitZ();
  update();
}

/// Turns a joint so that `from` comes as near to `to` as it can.
void Normaliser::align(const std::string& name, const Vector3d& from, const Vector3d& to) {
  const Vector3d a = axis(name);
  const Vector3d v = from - a * a.dot(from), t = to - a * a.dot(to);
  if (v.norm() < 0.1 * from.norm() || t.norm() < 0.1 * to.norm()) return;  // along the axis: turning does not help
  double& angle = angles_[static_cast<std::size_t>(plan_.joint(name))];
  angle = std::remainder(angle + std::atan2(a.dot(v.cross(t)), v.dot(t)), 2.0 * M_PI);
  update();
}

void Normaliser::zero_leg(Side side) {
  const auto along = [](const Vector3d& v, const Vector3d& direction) -> Vector3d {
    return v.dot(direction) < 0.0 ? -direction : direction;
  };
  const int sole = plan_.soles[static_cast<std::size_t>(side)];
  const int foot = joint(of(side, "AnkleRoll")).child;
  // Which way is up in the foot, before anything is turned: as its sole says, else as the file stands.
  const auto tilted = [&](int link) -> const Isometry3d& { return places_[static_cast<std::size_t>(link)]; };
  Vector3d up = tilted(foot).linear().transpose() * Vector3d::UnitZ();
  if (sole >= 0) {
    const Vector3d normal = tilted(sole).linear().col(2);
    up = tilted(foot).linear().transpose() * (normal.z() < 0.0 ? Vector3d(-normal) : normal);
  }
  align(of(side, "HipYaw"), axis(of(side, "HipRoll")), along(axis(of(side, "HipRoll")), Vector3d::UnitX()));
  align(of(side, "HipRoll"), axis(of(side, "HipPitch")), along(axis(of(side, "HipPitch")), Vector3d::UnitY()));
  align(of(side, "HipPitch"), point(of(side, "Knee")) - point(of(side, "HipPitch")), -Vector3d::UnitZ());
  align(of(side, "Knee"), point(of(side, "AnklePitch")) - point(of(side, "Knee")), -Vector3d::UnitZ());
  align(of(side, "AnklePitch"), axis(of(side, "AnkleRoll")), along(axis(of(side, "AnkleRoll")), Vector3d::UnitX()));
  align(of(side, "AnkleRoll"), tilted(foot).linear() * up, Vector3d::UnitZ());
  const double tilt = std::acos(std::clamp((tilted(foot).linear() * up).z(), -1.0, 1.0));
  if (tilt > 0.02)
    findings_.guess(joint(of(side, "AnkleRoll")).line,
                    "the " + std::string(side == Side::Left ? "left" : "right") + " sole is " +
                        std::to_string(std::lround(tilt * 180.0 / M_PI)) +
                        " degrees off the ankle roll axis; it is taken as parallel",
                    "check the sole frame");
}

void Normaliser::zero_arm(Side side) {
  const Vector3d outwards(0.0, sign(side) * std::sqrt(0.5), -std::sqrt(0.5));
  const auto upper = [&]() -> Vector3d { return point(of(side, "Elbow")) - point(of(side, "ShoulderRoll")); };
  const auto fore = [&]() -> Vector3d {
    Vector3d farthest = Vector3d::Zero();
    const Isometry3d frame = frame_of(of(side, "Elbow"));
    for (std::size_t i = 0; i < draft_.links.size(); ++i) {
      for (int at = static_cast<int>(i); at >= 0;) {
        if (at == joint(of(side, "Elbow")).child) {
          Vector3d reach = places_[i].translation() - frame.translation();
          if (draft_.links[i].body) reach = places_[i] * draft_.links[i].body->com - frame.translation();
          if (reach.norm() > farthest.norm()) farthest = reach;
          break;
        }
        const int up = draft_.links[static_cast<std::size_t>(at)].parent_joint;
        at = up < 0 ? -1 : draft_.joints[static_cast<std::size_t>(up)].parent;
      }
    }
    return farthest;
  };
  align(of(side, "ShoulderPitch"), upper(), -Vector3d::UnitZ());
  align(of(side, "ShoulderRoll"), upper(), outwards);
  const int elbow = plan_.joint(of(side, "Elbow"));
  const auto bend = [&] {
    const Vector3d a = axis(of(side, "Elbow"));
    angles_[static_cast<std::size_t>(elbow)] = 0.0;
    update();
    align(of(side, "Elbow"), fore(), std::abs(a.x()) < 0.9 ? Vector3d(Vector3d::UnitX()) : outwards);
  };
  // A turning joint between upper arm and elbow is held so that the elbow can bend the forearm forward.
  const int held = draft_.links[static_cast<std::size_t>(joint(of(side, "Elbow")).parent)].parent_joint;
  if (held >= 0 && held != plan_.joint(of(side, "ShoulderRoll")) &&
      draft_.joints[static_cast<std::size_t>(held)].turns) {
    double best = -1e9, best_angle = 0.0;
    for (const double angle : {0.0, 0.5 * M_PI, -0.5 * M_PI}) {
      angles_[static_cast<std::size_t>(held)] = angle;
      bend();
      const DraftJoint& theirs = draft_.joints[static_cast<std::size_t>(elbow)];
      const double bent = angles_[static_cast<std::size_t>(elbow)];
      const double beyond =
          theirs.lower && theirs.upper ? std::max({0.0, *theirs.lower - bent, bent - *theirs.upper}) : 0.0;
      const double ahead = 1.0 - std::abs(axis(of(side, "Elbow")).x()) - beyond;
      if (ahead > best + 0.01) best = ahead, best_angle = angle;
    }
    angles_[static_cast<std::size_t>(held)] = best_angle;
  }
  bend();
}

void Normaliser::find_zero_pose() {
  for (const Side side : kSides) {
    zero_leg(side);
    zero_arm(side);
  }
  base_from_root_.translation() = -0.5 * (point("LHipYaw") + point("RHipYaw"));
  update();
}

JointLimits Normaliser::limits_of(const std::string& name, const ServoMount& mount) {
  const DraftJoint& theirs = joint(name);
  const JointLimits& known = like_.limits(like_.joint(name));
  JointLimits limits{-M_PI, M_PI, known.velocity, 0.0};
  if (theirs.lower && theirs.upper) {
    const double a = mount.sign * (*theirs.lower - mount.offset), b = mount.sign * (*theirs.upper - mount.offset);
    // Offsets are known up to whole turns: the range that is nearest to zero is meant.
    const double turns = 2.0 * M_PI * std::round(0.25 * (a + b) / M_PI);
    limits.lower = std::min(a, b) - turns;
    limits.upper = std::max(a, b) - turns;
    if (limits.upper - limits.lower > 2.0 * M_PI) limits.lower = -M_PI, limits.upper = M_PI;
  } else {
    limits.lower = known.lower;
    limits.upper = known.upper;
    without_limits_.push_back(theirs.name);
  }
  // A whole turn is no limit: the legs would be searched in poses no robot takes.
  if (limits.upper - limits.lower > 1.5 * M_PI && name.find("Shoulder") == std::string::npos) {
    limits.lower = std::max(limits.lower, known.lower);
    limits.upper = std::min(limits.upper, known.upper);
  }
  // A servo that is much weaker or stronger than this body needs is a number somebody had to write.
  const double size = body_weight_ * leg_length_ / (like_.mass() * like_leg_length_);
  const auto plausible = [](double value, double usual) { return value > 0.25 * usual && value < 6.0 * usual; };
  limits.effort = known.effort * std::max(0.3, size);
  if (!theirs.effort || !theirs.velocity || !plausible(*theirs.effort, limits.effort) ||
      !plausible(*theirs.velocity, known.velocity)) {
    odd_servos_.push_back(theirs.name);
    return limits;
  }
  limits.velocity = *theirs.velocity;
  if (weak_legs_)
    weak_servos_.push_back(theirs.name);
  else
    limits.effort = *theirs.effort;
  return limits;
}

/// Whether the torques that the file names for hip roll and knee could hardly hold the robot on one leg with bent knee:
/// then they are those that the motors bear for ever, not those at the stall.
bool Normaliser::legs_are_weak() const {
  constexpr double kReserve = 1.6;    // torque at the stall over that of the stand
  constexpr double kBentKnee = 0.46;  // of the thigh, the knee ahead of the hip
  const double weight = body_weight_ * 9.81;
  const double hip = weight * std::abs(point("LHipYaw").y());
  const double knee = weight * kBentKnee * (point("LHipPitch") - point("LKnee")).norm();
  const auto weak = [&](const char* name, double torque) {
    return joint(name).effort && *joint(name).effort < kReserve * torque;
  };
  return weak("LHipRoll", hip) || weak("LKnee", knee);
}

/// Frames of a leg lie on their axes where these meet, so that its kinematics is as simple as the leg allows.
void Normaliser::place_leg(Side side) {
  const auto on_axis = [&](const char* name, const Vector3d& wanted) -> Vector3d {
    const Vector3d a = axis(of(side, name)), p = point(of(side, name));
    return p + a * a.dot(wanted - p);
  };
  const Vector3d roll = point(of(side, "HipRoll")), pitch = point(of(side, "HipPitch"));
  const Vector3d hip(pitch.x(), roll.y(), 0.5 * (roll.z() + pitch.z()));
  const Vector3d ankle_pitch = point(of(side, "AnklePitch")), ankle_roll = point(of(side, "AnkleRoll"));
  const Vector3d ankle(ankle_pitch.x(), ankle_roll.y(), 0.5 * (ankle_pitch.z() + ankle_roll.z()));
  const Vector3d knee(hip.x(), hip.y(), point(of(side, "Knee")).z());
  points_[of(side, "HipYaw")] = point(of(side, "HipYaw"));
  points_[of(side, "HipRoll")] = on_axis("HipRoll", hip);
  points_[of(side, "HipPitch")] = on_axis("HipPitch", hip);
  points_[of(side, "Knee")] = on_axis("Knee", knee);
  points_[of(side, "AnklePitch")] = on_axis("AnklePitch", ankle);
  points_[of(side, "AnkleRoll")] = on_axis("AnkleRoll", ankle);
}

void Normaliser::gather(NormalLink& link, const std::vector<int>& draft_links) {
  Isometry3d from_base = Isometry3d::Identity();
  from_base.translation() = -link.place;
  for (const int index : draft_links) {
    const DraftLink& theirs = draft_.links[static_cast<std::size_t>(index)];
    const Isometry3d pose = from_base * places_[static_cast<std::size_t>(index)];
    if (theirs.body) link.body.add(*theirs.body, pose);
    const auto take = [&](const std::vector<DraftShape>& shapes, std::vector<DraftShape>& taken) {
      for (DraftShape shape : shapes) {
        shape.pose = pose * shape.pose;
        taken.push_back(shape);
      }
    };
    take(theirs.visuals, link.visuals);
    take(theirs.collisions, link.collisions);
  }
}

void Normaliser::mend_body(NormalLink& link) {
  if (link.body.possible()) return;
  const bool light = link.body.mass < 1e-3;
  findings_.repaired(0,
                     link.name + (light ? " has no mass: 20 g are assumed"
                                        : " has moments of inertia that no body has: those of a 5 cm box are taken"));
  const Vector3d com = light ? Vector3d(Vector3d::Zero()) : link.body.com;
  link.body = Solid::of_box(light ? 0.02 : link.body.mass, Vector3d::Constant(0.05));
  link.body.com = com;
}

/// One box that collides, of the shapes the robot collides with, else of those that are seen, else of its moments.
void Normaliser::shape(NormalLink& link) {
  Bounds bounds;
  bounds.add(link);
  DraftShape box;
  if (bounds.empty()) {
    box.size = link.body.box();
    box.pose.translation() = link.body.com;
  } else {
    box = bounds.box();
  }
  box.size *= 0.9;  // corners of a box are further out than those of what is in it
  see(link);
  if (link.visuals.empty()) link.visuals = {box};
  link.collisions = {box};
}

/// Where something to be seen is missing, the shapes that collide are seen.
void Normaliser::see(NormalLink& link) {
  const auto missing = std::remove_if(link.visuals.begin(), link.visuals.end(),
                                      [](const DraftShape& shape) { return !shape.drawable(); });
  if (missing == link.visuals.end() && !link.visuals.empty()) return;
  link.visuals.erase(missing, link.visuals.end());
  for (const DraftShape& shape : link.collisions)
    if (shape.drawable()) link.visuals.push_back(shape);
}

void Normaliser::add_frame(const std::string& name, const std::string& parent, const Vector3d& place, bool optical) {
  NormalLink link;
  link.name = name;
  link.parent = parent;
  link.place = place;
  link.optical = optical;
  robot_.links.push_back(link);
}

void Normaliser::add_feet() {
  for (const Side side : kSides) {
    const std::string name = std::string(link_prefix(side)) + "foot";
    const double leg = points_[of(side, "HipPitch")].z() - points_[of(side, "AnklePitch")].z();
    auto foot = std::find_if(robot_.links.begin(), robot_.links.end(), [&](const auto& l) { return l.name == name; });
    Bounds bounds;
    bounds.add(*foot);
    const int sole = plan_.soles[static_cast<std::size_t>(side)];
    // What is left where a mesh is missing may be no more than the foot's sensors: its moments tell its size, too.
    const auto unseen = [](const std::vector<DraftShape>& shapes) {
      return std::any_of(shapes.begin(), shapes.end(), [](const DraftShape& shape) { return !shape.drawable(); });
    };
    const bool measured = !bounds.empty() && !unseen(foot->collisions);
    if (!measured) {
      DraftShape box;
      box.size = foot->body.box();
      box.pose.translation() = foot->body.com;
      bounds.add(box);
    }
    double floor = bounds.low.z();
    if (sole >= 0) floor = places_[static_cast<std::size_t>(sole)].translation().z() - foot->place.z();
    if (options_.foot_depth) floor = -*options_.foot_depth;
    Vector3d centre = 0.5 * (bounds.low + bounds.high), size = bounds.high - bounds.low;
    const bool odd = size.x() < 0.25 * leg || size.x() > 1.2 * leg || size.y() < 0.12 * leg || size.y() > 0.8 * leg ||
                     floor > -0.04 * leg || floor < -0.5 * leg;
    if (odd) {  // no foot: one as other robots have it, under the ankle
      size << 0.55 * leg, 0.30 * leg, 0.01;
      centre << 0.05 * leg, 0.0, 0.0;
      if (floor > -0.04 * leg || floor < -0.5 * leg) floor = -0.14 * leg;
    }
    if (options_.foot_length) size.x() = *options_.foot_length;
    if (options_.foot_width) size.y() = *options_.foot_width;
    if ((!measured || odd) && !(options_.foot_length && options_.foot_width && options_.foot_depth)) {
      const auto mm = [](double m) { return std::to_string(std::lround(1000.0 * m)) + " mm"; };
      findings_.guess(joint(of(side, "AnkleRoll")).line,
                      "no shape tells the " + std::string(side == Side::Left ? "left" : "right") + " sole: " +
                          mm(size.x()) + " long, " + mm(size.y()) + " broad, " + mm(-floor) + " below the ankle",
                      "--foot LENGTH WIDTH DEPTH in m");
    }
    // The sole lies below the ankle; its plate is where the foot is.
    DraftShape plate;
    plate.size << size.x(), size.y(), 0.01;
    plate.pose.translation() << centre.x(), centre.y(), floor + 0.005;
    plate.rgba << 0.25, 0.25, 0.28, 1.0;
    see(*foot);
    foot->collisions = {plate};
    if (!measured || odd || foot->visuals.empty()) foot->visuals.push_back(plate);
    const Vector3d ankle = foot->place;
    const std::string prefix = link_prefix(side);
    add_frame(prefix + "sole", name, ankle + Vector3d(0, 0, floor));
    add_frame(prefix + "toe", name, ankle + Vector3d(centre.x() + 0.5 * size.x(), 0, floor));
  }
}

void Normaliser::add_links() {
  for (const Side side : kSides) place_leg(side);
  for (const DraftLink& link : draft_.links) body_weight_ += link.body ? link.body->mass : 0.0;
  leg_length_ = (points_["LHipPitch"] - points_["LAnklePitch"]).norm();
  const Posture zero = like_.forward(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(like_.dof())));
  like_leg_length_ =
      (zero.links[like_.link("l_thigh")].translation() - zero.links[like_.link("l_ankle")].translation()).norm();
  weak_legs_ = legs_are_weak();
  NormalLink base;
  base.name = "base_link";
  robot_.links.push_back(base);
  NormalLink torso;
  torso.name = "torso";
  torso.parent = "base_link";
  torso.place = 0.5 * (point("LShoulderPitch") + point("RShoulderPitch"));
  robot_.links.push_back(torso);
  for (const Place& place : moving_links()) {
    NormalLink link;
    link.name = place.link;
    link.parent = place.parent;
    link.joint = place.joint;
    const auto moved = points_.find(place.joint);
    link.place = moved != points_.end() ? moved->second : point(place.joint);
    Vector3d direction = axis(place.joint);
    for (int i = 0; i < 3; ++i)
      if (std::abs(direction[i]) < kSnap) direction[i] = 0.0;
    direction.normalize();
    ServoMount mount;
    mount.sign = direction.dot(axis_in_base(like_, place.joint)) < 0.0 ? -1.0 : 1.0;
    mount.offset = angles_[static_cast<std::size_t>(plan_.joint(place.joint))];
    link.axis = mount.sign * direction;
    link.limits = limits_of(place.joint, mount);
    robot_.servos[place.joint] = mount;
    robot_.links.push_back(link);
  }
  if (!without_limits_.empty())
    findings_.repaired(0, "no limits: " + some_of(without_limits_) + "; those of " + like_.name() + " are taken");
  if (!odd_servos_.empty())
    findings_.guess(0,
                    "torque and speed of " + some_of(odd_servos_) +
                        " are missing or not those of a servo of this robot: " + "those of " + like_.name() +
                        ", scaled by weight and size, are taken",
                    "write model, or torque and speed, into robot.yaml and <limit>");
  if (!weak_servos_.empty())
    findings_.guess(0,
                    "with the torques of the file the robot could hardly stand on one leg, so they are taken for those "
                    "of continuous load; at the stall, for " +
                        some_of(weak_servos_) + ", those of " + like_.name() + ", scaled by weight and size, are taken",
                    "write model, or torque and speed, into robot.yaml and <limit>");
  // Every link of theirs moves with the nearest joint of ours above it.
  std::map<std::string, std::vector<int>> members;
  for (const int index : draft_.order) {
    std::string owner = "torso";
    for (int at = index; at >= 0;) {
      const int up = draft_.links[static_cast<std::size_t>(at)].parent_joint;
      if (up < 0) break;
      const auto ours =
          std::find_if(plan_.joints.begin(), plan_.joints.end(), [&](const auto& e) { return e.second == up; });
      if (ours != plan_.joints.end()) {
        for (const NormalLink& link : robot_.links)
          if (link.joint == ours->first) owner = link.name;
        break;
      }
      at = draft_.joints[static_cast<std::size_t>(up)].parent;
    }
    members[owner].push_back(index);
  }
  for (NormalLink& link : robot_.links) {
    if (link.name == "base_link") continue;
    gather(link, members[link.name]);
    mend_body(link);
  }
  add_feet();
  for (NormalLink& link : robot_.links)
    if (link.body.mass > 0.0 && link.name.find("foot") == std::string::npos) shape(link);
}

NormalRobot Normaliser::make() {
  angles_.assign(draft_.joints.size(), 0.0);
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const DraftJoint& theirs = draft_.joints[i];
    if (theirs.lower && theirs.upper && (*theirs.lower > 0.0 || *theirs.upper < 0.0))
      angles_[i] = 0.5 * (*theirs.lower + *theirs.upper);
  }
  robot_.name = options_.name;
  const std::size_t before = findings_.errors();
  find_axes_of_body();
  if (findings_.errors() > before) return robot_;
  find_zero_pose();
  add_links();

  const auto place_of = [&](int link) -> Vector3d { return places_[static_cast<std::size_t>(link)].translation(); };
  const NormalLink torso = robot_.link("torso"), head = robot_.link("head");
  const Vector3d imu = plan_.imu >= 0 ? place_of(plan_.imu) : Vector3d(torso.place + torso.body.com);
  if (plan_.imu < 0)
    findings_.guess(0, "no link is called imu: imu_frame is put into the middle of the trunk",
                    "--frame imu_frame=LINK, a link there");
  add_frame("imu_frame", "torso", imu);
  const Vector3d camera = plan_.camera >= 0 ? place_of(plan_.camera) : Vector3d(head.place + head.body.com);
  if (plan_.camera < 0)
    findings_.guess(0, "no link of the head is called camera: camera_frame is put into the middle of the head",
                    "--frame camera_frame=LINK, a link there");
  add_frame("camera_frame", "head", camera);
  add_frame("camera_optical_frame", "camera_frame", camera, true);
  for (const Side side : kSides) {
    const NormalLink arm = robot_.link(std::string(link_prefix(side)) + "lower_arm");
    add_frame(std::string(link_prefix(side)) + "hand", arm.name, arm.place + 1.6 * arm.body.com);
  }
  for (const NormalLink& link : robot_.links)
    if (!link.place.allFinite() || !link.axis.allFinite() || link.place.norm() > 10.0)
      findings_.error(0, link.name + " would be more than 10 m away", "check the origins of the joints above it");
  return robot_;
}

}  // namespace

const NormalLink& NormalRobot::link(const std::string& wanted) const {
  for (const NormalLink& link : links)
    if (link.name == wanted) return link;
  throw std::out_of_range("no link " + wanted);
}

double NormalRobot::mass() const {
  double mass = 0.0;
  for (const NormalLink& link : links) mass += link.body.mass;
  return mass;
}

NormalRobot normal_form(const Draft& draft, const BodyPlan& plan, const RobotModel& like, const NormalOptions& options,
                        Findings& findings) {
  return Normaliser(draft, plan, like, options, findings).make();
}

}  // namespace hl_description
