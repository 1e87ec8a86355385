// SPDX-License-Identifier: Apache-2.0
#include "robot_folder.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "adapted_motions.hpp"
#include "first_walk.hpp"
#include "hl_description/self_collision.hpp"
#include "yaml_text.hpp"

namespace hl_description {
namespace {

// Of a mesh; without a graphics card a camera's picture takes as long as there are corners.
constexpr std::size_t kMostTriangles = 1500;

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
          capsules_text(robot, model, standing) + "\nposes:\n  walkready: " + pose_text(model, standing) +
          "\n  zero: " + pose_text(model, model.clamp(Eigen::VectorXd::Zero(standing.size()))) + "\n";
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

}  // namespace

std::map<std::string, std::string> robot_folder(const NormalRobot& robot, const LikeFiles& like, Findings& findings) {
  std::map<std::string, std::string> files;
  const std::string urdf = robot.urdf();
  const RobotModel model = RobotModel::from_urdf(urdf);
  const RobotModel like_model = RobotModel::from_file(like.description + "/urdf/" + like.robot + ".urdf");
  const RobotConfig like_config = RobotConfig::from_file(like.description + "/config/" + like.robot + "/robot.yaml");
  const Scaling scaling{robot.name, like.robot, measure(model), measure(like_model)};
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
    if (!like.walking.empty()) {
      const std::string path = like.walking + "/config/" + like.robot + ".yaml";
      files["hl_walking/config/" + robot.name + ".yaml"] = walking_yaml(scaling, path);
      files["hl_walking/tuning/" + robot.name + ".yaml"] = walking_tune_yaml(scaling, path);
    }
    if (!like.hcm.empty())
      files["hl_hcm/config/" + robot.name + ".yaml"] = hcm_yaml(scaling, like.hcm + "/config/" + like.robot + ".yaml");
    if (!like.animations.empty()) {
      std::size_t changed = 0;
      const Adaptation adaptation{model, standing, like_standing,
                                  std::max(1.0, std::sqrt(scaling.now.leg / scaling.then.leg))};
      for (const auto& entry : std::filesystem::directory_iterator(like.animations + "/animations/" + like.robot)) {
        if (entry.path().extension() != ".yaml") continue;
        const std::string name = entry.path().stem().string();
        const std::string motion = adaptation.motion_yaml(entry.path().string(), changed);
        files["hl_animation/animations/" + robot.name + "/" + name + ".yaml"] = motion;
        if (name.rfind("get_up", 0) == 0)
          files["hl_animation/tuning/" + robot.name + "/" + name + "_tune.yaml"] =
              motion_tune_yaml(model, robot.name, motion);
      }
      if (changed > 0)
        findings.repaired(0, "motions of the " + like.robot + ": " + std::to_string(changed) +
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
