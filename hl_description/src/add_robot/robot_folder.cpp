// SPDX-License-Identifier: Apache-2.0
#include "robot_folder.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "hl_description/formatted.hpp"
#include "hl_description/leg_kinematics.hpp"
#include "hl_description/self_collision.hpp"

namespace hl_description {
namespace {

constexpr double kDegree = M_PI / 180.0;
constexpr double kBend = 0.887;  // of the stretched leg between hip and ankle while standing: knees at 55 degrees
constexpr double kLean = 0.087;  // rad, of the trunk to the front while standing

// Of a mesh; without a graphics card a camera's picture takes as long as there are corners.
constexpr std::size_t kMostTriangles = 1500;

std::string number(double value, int digits = 4) {
  return hl_description::formatted("%.*f", digits, value);
}

std::string degrees(double rad) {
  return number(rad / kDegree, 1);
}

/// Sizes of a robot that parameters depend on.
struct Measures {
  double leg = 0.0;    // m, thigh and shank
  double hip_y = 0.0;  // m
  double foot_length = 0.0, foot_width = 0.0;
  double stand_height = 0.0;                     // m, base_link above the soles
  double pitch_torque = 0.0, roll_torque = 0.0;  // N m, of knee and ankle roll
  double mass = 0.0;
};

Measures measure(const RobotModel& model) {
  const LegKinematics leg(model, Side::Left);
  const auto& outline = model.foot_outline(Side::Left);
  Measures m;
  m.leg = leg.thigh() + leg.shank();
  m.hip_y = std::abs(leg.hip().y());
  m.foot_length = outline[0].x() - outline[2].x();
  m.foot_width = outline[0].y() - outline[1].y();
  m.stand_height = kBend * m.leg + leg.ankle_height() - leg.hip().z();
  m.pitch_torque = model.limits(model.joint("LKnee")).effort;
  m.roll_torque = model.limits(model.joint("LAnkleRoll")).effort;
  m.mass = model.mass();
  return m;
}

/// Knees bent, trunk leaning a little, soles flat, centre of mass over the middle of the feet.
Eigen::VectorXd stand(const RobotModel& model, const Eigen::VectorXd& arms) {
  const Measures m = measure(model);
  Eigen::VectorXd pose = model.clamp(arms);
  const Eigen::AngleAxisd level(-kLean, Eigen::Vector3d::UnitY());
  double ahead = 0.0;  // m, of the soles
  for (int step = 0; step < 30; ++step) {
    for (const Side side : {Side::Left, Side::Right}) {
      const LegKinematics leg(model, side);
      Eigen::Isometry3d sole = Eigen::Isometry3d::Identity();
      sole.linear() = level.toRotationMatrix();
      sole.translation() = level * Eigen::Vector3d(ahead, sign(side) * 1.04 * m.hip_y, -m.stand_height);
      const auto solution = leg.solve(sole);
      if (step == 29 && !solution.exact())
        throw ModelError(std::string("the ") + (side == Side::Left ? "left" : "right") +
                         " leg cannot stand with bent knees within its limits");
      leg.write(solution.angles, pose);
    }
    const Posture posture = model.forward(pose);
    const Eigen::Vector3d com = level.inverse() * model.center_of_mass(posture);
    const auto& outline = model.foot_outline(Side::Left);
    ahead += 0.7 * (com.x() - (ahead + 0.5 * (outline[0].x() + outline[2].x())));
  }
  return pose;
}

/// Within the limits also when it is read again from its text.
double inside(const JointLimits& limits, double angle) {
  const double digit = 0.06 * kDegree;
  return std::clamp(angle, limits.lower + digit, limits.upper - digit);
}

std::string pose_text(const RobotModel& model, const Eigen::VectorXd& pose) {
  std::string text = "{";
  for (std::size_t i = 0; i < model.dof(); ++i)
    text += (i ? ", " : "") + model.joint_names()[i] + ": " +
            degrees(inside(model.limits(i), pose[static_cast<Eigen::Index>(i)]));
  return text + "}";
}

std::string triple(const Eigen::Vector3d& v) {
  return "[" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + "]";
}

/// A capsule inside each limb's box, thin enough that the standing robot does not touch itself.
std::string capsules_text(const NormalRobot& robot, const RobotModel& model, const Eigen::VectorXd& standing) {
  std::vector<CapsuleConfig> capsules;
  for (const NormalLink& link : robot.links) {
    const auto ends_with = [&](const char* part) { return link.name.find(part) != std::string::npos; };
    if (!(link.name == "torso" || link.name == "head" || ends_with("_arm") || ends_with("thigh") ||
          ends_with("shank") || ends_with("foot")) ||
        link.collisions.empty())
      continue;
    const DraftShape& box = link.collisions.front();
    Eigen::Index along = 0;
    box.size.maxCoeff(&along);
    CapsuleConfig capsule;
    capsule.link = link.name;
    Eigen::Vector3d others = box.size;
    others[along] = 1e9;
    capsule.radius = std::max(0.008, 0.35 * others.minCoeff());
    Eigen::Vector3d half = Eigen::Vector3d::Zero();
    half[along] = std::max(0.0, 0.5 * box.size[along] - capsule.radius);
    capsule.from = box.pose * Eigen::Vector3d(-half);
    capsule.to = box.pose * half;
    capsules.push_back(capsule);
  }
  const Posture posture = model.forward(standing);
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (SelfCollision(model, capsules).nearest(posture).distance > 0.005) break;
    for (CapsuleConfig& capsule : capsules) capsule.radius = std::max(0.004, 0.85 * capsule.radius);
  }
  std::string text;
  for (const CapsuleConfig& capsule : capsules)
    text += "  " + capsule.link + ": {from: " + triple(capsule.from) + ", to: " + triple(capsule.to) +
            ", radius: " + number(capsule.radius) + "}\n";
  return text;
}

std::string servo_text(const NormalRobot& robot, const RobotModel& model, const RobotConfig& like,
                       const std::string& name) {
  const bool paired = name.rfind("Head", 0) != 0;
  const std::string left = paired ? "L" + name : name, right = paired ? "R" + name : name;
  const ServoMount &l = robot.servos.at(left), &r = robot.servos.at(right);
  const auto& limits = model.limits(model.joint(left));
  std::string text = "  " + name + ": {";
  const auto flag = [](const ServoMount& mount) { return std::string(mount.sign < 0.0 ? "true" : "false"); };
  if (paired)
    text += "ids: [" + std::to_string(like.servo(left).id) + ", " + std::to_string(like.servo(right).id) +
            "], offsets: [" + degrees(l.offset) + ", " + degrees(r.offset) + "], reversed: [" + flag(l) + ", " +
            flag(r) + "]";
  else
    text += "id: " + std::to_string(like.servo(left).id) + ", offset: " + degrees(l.offset) + ", reversed: " + flag(l);
  return text + ", model: generic, torque: " + number(limits.effort, 2) + ", speed: " + number(limits.velocity, 2) +
         "}\n";
}

std::string robot_yaml(const NormalRobot& robot, const RobotModel& model, const Eigen::VectorXd& standing,
                       const RobotConfig& like) {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n# " + robot.name +
      ": what its URDF cannot say, begun by `add_robot`. Angles in degrees, lengths in metres.\nrobot: " + robot.name +
      "\n\nservos:  # ids are those of " + like.robot +
      ": write your own. The servo's angle is the joint's, reversed or not, plus the offset\n";
  for (const char* name : kHeadJoints) text += servo_text(robot, model, like, name);
  for (const char* name : kArmJoints) text += servo_text(robot, model, like, name);
  for (const char* name : kLegJoints) text += servo_text(robot, model, like, name);
  text += "\ncamera: {frame: camera_optical_frame, width: 640, height: 480, horizontal_fov: " +
          degrees(like.camera.horizontal_fov) + ", rate: " + number(like.camera.rate, 0) + "}\n\nself_collision:\n" +
          capsules_text(robot, model, standing) + "\nposes:\n  walkready: " + pose_text(model, standing) + "\n";
  for (const auto& [name, joints] : like.poses) {
    if (name.rfind("fall_", 0) != 0) continue;
    text += "  " + name + ": {";
    bool first = true;
    for (const auto& [joint, angle] : joints) {
      text += (first ? "" : ", ") + joint + ": " + degrees(inside(model.limits(model.joint(joint)), angle));
      first = false;
    }
    text += "}\n";
  }
  return text;
}

/// By what a parameter of the walk grows with the robot; 1: not at all.
double factor(const std::string& name, const Measures& now, const Measures& then) {
  const double size = now.leg / then.leg, time = std::sqrt(size);
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
  };
  if (is({"step_duration", "start_duration"})) return time;
  if (is({"foot_lift", "landing_depth", "max_step_forward", "max_step_backward", "max_step_sideways",
          "capture_dead_zone", "capture_limit_x", "capture_limit_y"}))
    return size;
  // A kick has limits of its own; a larger robot begins with that of the other.
  if (is({"kick.back", "kick.front", "kick.lift", "kick.strike_height", "kick.sag", "kick.drive", "kick.near",
          "kick.far", "kick.inside", "kick.outside"}))
    return std::min(size, 1.0);
  if (name == "com_x") return now.foot_length / then.foot_length;
  if (name == "zmp_y") return now.foot_width / then.foot_width;
  if (name == "kick.com_x") return std::min(1.0, now.foot_length / then.foot_length);
  if (name == "kick.com_y") return std::min(1.0, now.foot_width / then.foot_width);
  if (name == "zmp_margin")
    return std::min({1.0, now.foot_length / then.foot_length, now.foot_width / then.foot_width});
  // A robot that nobody has tuned begins with two thirds of what its size would allow.
  if (is({"max_forward", "max_backward", "max_sideways", "acceleration"})) return 0.65 * time;
  if (name == "max_turn") return 0.65;
  if (name == "stiffness_pitch") return now.pitch_torque / then.pitch_torque;
  if (name == "stiffness_roll") return now.roll_torque / then.roll_torque;
  return 1.0;
}

std::string walking_yaml(const std::string& robot, const std::string& path, const Measures& now, const Measures& then,
                         const std::string& like) {
  const YAML::Node parameters = YAML::LoadFile(path).begin()->second["ros__parameters"];
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n# Walk of the " + robot + ", scaled from that of the " + like +
      " by `add_robot`; `ros2 run hl_match tune walking` makes it better. Meaning: `ros2 param describe`.\n"
      "/**/walking:\n  ros__parameters:\n";
  const double narrowest = now.foot_width + 0.012;
  const auto value_of = [&](const std::string& name, double value) {
    if (name == "trunk_height") return now.stand_height;
    if (name == "min_foot_distance") return std::max(narrowest, value * now.leg / then.leg);
    if (name == "foot_distance") return std::max(narrowest + 0.02, 2.09 * now.hip_y);
    return value * factor(name, now, then);
  };
  for (const auto& entry : parameters) {
    const auto name = entry.first.as<std::string>();
    if (!entry.second.IsMap()) {
      text += "    " + name + ": " + number(value_of(name, entry.second.as<double>()), 5) + "\n";
      continue;
    }
    text += "    " + name + ":\n";
    for (const auto& inner : entry.second) {
      const auto own = inner.first.as<std::string>();
      text += "      " + own + ": " + number(value_of(name + "." + own, inner.second.as<double>()), 5) + "\n";
    }
  }
  return text;
}

std::string hcm_yaml(const std::string& robot, const std::string& path, double size) {
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n# HCM of the " + robot + ", begun by `add_robot`.\n";
  YAML::Node file = YAML::LoadFile(path);
  YAML::Node parameters = file.begin()->second["ros__parameters"];
  if (parameters["fall.height"]) parameters["fall.height"] = number(parameters["fall.height"].as<double>() * size, 3);
  YAML::Emitter out;
  out << file;
  return text + out.c_str() + "\n";
}

/// Angles within this robot's limits; where the other robot stands, this one stands.
std::string animation_yaml(const std::string& path, const RobotModel& model, const Eigen::VectorXd& standing,
                           const std::map<std::string, double>& like_standing, std::size_t& cut) {
  YAML::Node file = YAML::LoadFile(path);
  for (auto keyframe : file["keyframes"]) {
    for (auto entry : keyframe["joints"]) {
      const auto name = entry.first.as<std::string>();
      const bool whole = model.joint_index(name).has_value();
      const std::string left = whole ? name : "L" + name, right = whole ? name : "R" + name;
      if (!model.joint_index(left) || !entry.second.IsScalar()) continue;
      const double angle = entry.second.as<double>() * kDegree;
      const auto known = like_standing.find(left);
      double own = angle;
      if (known != like_standing.end() && std::abs(known->second - angle) < 0.1 * kDegree && std::abs(angle) > 0.1)
        own = standing[static_cast<Eigen::Index>(model.joint(left))];
      own = inside(model.limits(model.joint(left)), own);
      if (!whole) own = -inside(model.limits(model.joint(right)), -own);
      if (std::abs(own - angle) > 0.2 * kDegree) ++cut;
      keyframe["joints"][name] = degrees(own);
    }
    keyframe.SetStyle(YAML::EmitterStyle::Flow);
  }
  YAML::Emitter out;
  out << file;
  return std::string("# SPDX-License-Identifier: Apache-2.0\n") + out.c_str() + "\n";
}

}  // namespace

std::map<std::string, std::string> robot_folder(const NormalRobot& robot, const LikeFiles& like, Findings& findings) {
  std::map<std::string, std::string> files;
  const std::string urdf = robot.urdf();
  const RobotModel model = RobotModel::from_urdf(urdf);
  const RobotModel like_model = RobotModel::from_file(like.description + "/urdf/" + like.robot + ".urdf");
  const RobotConfig like_config = RobotConfig::from_file(like.description + "/config/" + like.robot + "/robot.yaml");
  const Measures now = measure(model), then = measure(like_model);
  Eigen::VectorXd arms = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof()));
  const auto& like_standing = like_config.poses.at("walkready");
  for (const auto& [joint, angle] : like_standing) arms[static_cast<Eigen::Index>(model.joint(joint))] = angle;
  const Eigen::VectorXd standing = stand(model, arms);

  files["hl_description/urdf/" + robot.name + ".urdf"] = urdf;
  for (const NormalLink& link : robot.links)
    for (const DraftShape& shape : link.visuals) {
      if (!shape.surface) continue;
      std::string& file = files["hl_description/meshes/" + robot.name + "/" + shape.mesh];
      if (file.empty()) file = stl_of(reduced(*shape.surface, kMostTriangles));
    }
  files["hl_description/config/" + robot.name + "/robot.yaml"] = robot_yaml(robot, model, standing, like_config);
  try {
    if (!like.walking.empty())
      files["hl_walking/config/" + robot.name + ".yaml"] =
          walking_yaml(robot.name, like.walking + "/config/" + like.robot + ".yaml", now, then, like.robot);
    if (!like.hcm.empty())
      files["hl_hcm/config/" + robot.name + ".yaml"] =
          hcm_yaml(robot.name, like.hcm + "/config/" + like.robot + ".yaml", now.stand_height / then.stand_height);
    if (!like.animations.empty()) {
      std::size_t cut = 0;
      const std::string folder = like.animations + "/animations/" + like.robot;
      for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".yaml")
          files["hl_animation/animations/" + robot.name + "/" + entry.path().filename().string()] =
              animation_yaml(entry.path().string(), model, standing, like_standing, cut);
      if (cut > 0)
        findings.repaired(0, "motions of the " + like.robot + ": " + std::to_string(cut) +
                                 " angles are cut to the limits of this robot, or are those of its own stand");
    }
  } catch (const YAML::Exception& error) {
    throw ModelError("a file of the " + like.robot + " cannot be read: " + error.what());
  }
  RobotConfig::from_text(files["hl_description/config/" + robot.name + "/robot.yaml"], robot.name + "/robot.yaml")
      .check(model);
  return files;
}

}  // namespace hl_description
