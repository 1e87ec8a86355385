// SPDX-License-Identifier: Apache-2.0
#include "hl_description/robot_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hl_description/yaml_reader.hpp"

namespace hl_description {
namespace {

constexpr double kDegree = M_PI / 180.0;
constexpr Side kSides[] = {Side::Left, Side::Right};

/// "HipYaw" of both legs is written once: LHipYaw and RHipYaw. Joints that exist once are written with their full name.
bool paired(const std::string& joint) {
  return joint.rfind("Head", 0) != 0 && joint.rfind('L', 0) != 0 && joint.rfind('R', 0) != 0;
}

std::string limb(const std::string& joint, Side side) {
  const bool left = side == Side::Left;
  if (joint.rfind("Head", 0) == 0) return "head";
  const bool arm = joint.rfind("Shoulder", 0) == 0 || joint.rfind("Elbow", 0) == 0;
  return std::string(left ? "left_" : "right_") + (arm ? "arm" : "leg");
}

ServoConfig servo_from(const YamlReader& yaml, const std::string& joint) {
  ServoConfig servo;
  servo.joint = joint;
  servo.model = yaml["model"].text();
  if (servo.model == "generic") {
    servo.rating = generic_servo(yaml["torque"].number_in(0.01, 200), yaml["speed"].number_in(0.1, 100));
  } else if (const ServoModel* known = find_servo_model(servo.model)) {
    servo.rating = *known;
  } else {
    std::string names;
    for (const ServoModel& each : servo_models()) names += each.name + ", ";
    yaml["model"].refuse("unknown servo '" + servo.model + "'; one of: " + names +
                         "or generic with torque (N m) and speed (rad/s)");
  }
  servo.p = yaml.integer_in("p", 0, 254, servo.p);
  servo.i = yaml.integer_in("i", 0, 254, servo.i);
  servo.d = yaml.integer_in("d", 0, 254, servo.d);
  return servo;
}

/// What `ros2 run hl_hardware_cm730 identify` found, each with its uncertainty.
void read_measured(const YamlReader& yaml, ServoConfig& servo) {
  yaml.only({"friction", "stiffness", "lag", "backlash"});
  const auto value = [&](const char* name, double most) -> std::optional<double> {
    if (!yaml.has(name)) return std::nullopt;
    const auto items = yaml[name].items(2);
    items[1].number_in(0.0, most);
    return items[0].number_in(0.0, most);
  };
  if (const auto friction = value("friction", 10.0)) servo.rating.friction = *friction;
  for (const auto& [name, most] : {std::pair("stiffness", 10000.0), std::pair("lag", 1.0), std::pair("backlash", 1.0)})
    value(name, most);
}

void read_servos(const YamlReader& yaml, std::vector<ServoConfig>& servos) {
  for (const auto& [name, entry] : yaml.entries()) {
    entry.only({"id", "ids", "model", "torque", "speed", "p", "i", "d", "offset", "offsets", "reversed", "measured"});
    if (!paired(name)) {
      ServoConfig servo = servo_from(entry, name);
      servo.id = entry["id"].integer_in(0, 253);
      servo.offset = kDegree * entry.number("offset", 0.0);
      servo.reversed = entry.flag("reversed", false);
      if (entry.has("measured")) read_measured(entry["measured"], servo);
      servo.group = limb(name, Side::Left);
      servos.push_back(servo);
      continue;
    }
    const auto ids = entry["ids"].items(2);
    for (const Side side : kSides) {
      const auto index = static_cast<std::size_t>(side);
      ServoConfig servo = servo_from(entry, joint_prefix(side) + name);
      servo.id = ids[index].integer_in(0, 253);
      if (entry.has("offsets")) servo.offset = kDegree * entry["offsets"].items(2)[index].number_in(-360, 360);
      if (entry.has("reversed")) servo.reversed = entry["reversed"].items(2)[index].flag();
      if (entry.has("measured")) read_measured(entry["measured"].items(2)[index], servo);
      servo.group = limb(name, side);
      servos.push_back(servo);
    }
  }
  for (std::size_t a = 0; a < servos.size(); ++a)
    for (std::size_t b = a + 1; b < servos.size(); ++b)
      if (servos[a].id == servos[b].id)
        yaml.refuse("servos " + servos[a].joint + " and " + servos[b].joint + " have the same id " +
                    std::to_string(servos[a].id));
}

Eigen::Vector3d vector_from(const YamlReader& yaml) {
  const auto items = yaml.items(3);
  return {items[0].number_in(-1, 1), items[1].number_in(-1, 1), items[2].number_in(-1, 1)};
}

void read_foot_sensors(const YamlReader& yaml, std::array<std::optional<FootSensorConfig>, 2>& feet) {
  yaml.only({"ids", "front", "back", "outer", "inner"});
  const auto ids = yaml["ids"].items(2);
  const double front = yaml["front"].number_in(-0.5, 0.5), back = yaml["back"].number_in(-0.5, 0.5);
  const double outer = yaml["outer"].number_in(-0.5, 0.5), inner = yaml["inner"].number_in(-0.5, 0.5);
  for (const Side side : kSides) {
    FootSensorConfig foot;
    foot.id = ids[static_cast<std::size_t>(side)].integer_in(0, 253);
    const double left = side == Side::Left ? outer : -inner, right = side == Side::Left ? inner : -outer;
    foot.cells = {Eigen::Vector2d(front, left), Eigen::Vector2d(front, right), Eigen::Vector2d(back, left),
                  Eigen::Vector2d(back, right)};
    feet[static_cast<std::size_t>(side)] = foot;
  }
}

void read_camera(const YamlReader& yaml, CameraConfig& camera) {
  yaml.only({"frame", "width", "height", "horizontal_fov", "rate"});
  if (yaml.has("frame")) camera.frame = yaml["frame"].text();
  camera.width = yaml["width"].integer_in(16, 8192);
  camera.height = yaml["height"].integer_in(16, 8192);
  camera.horizontal_fov = kDegree * yaml["horizontal_fov"].number_in(10, 179);
  camera.rate = yaml["rate"].number_in(1, 1000);
}

void read_capsules(const YamlReader& yaml, std::vector<CapsuleConfig>& capsules) {
  for (const auto& [name, entry] : yaml.entries()) {
    entry.only({"from", "to", "radius"});
    CapsuleConfig capsule;
    capsule.link = name;
    capsule.from = vector_from(entry["from"]);
    capsule.to = vector_from(entry["to"]);
    capsule.radius = entry["radius"].number_in(0.001, 0.5);
    if (name[0] != '?') {
      capsules.push_back(capsule);
      continue;
    }
    for (const Side side : kSides) {  // "?_thigh" is l_thigh and, mirrored, r_thigh
      CapsuleConfig half = capsule;
      half.link = link_prefix(side) + name.substr(2);
      half.from.y() *= sign(side);
      half.to.y() *= sign(side);
      capsules.push_back(half);
    }
  }
}

std::map<std::string, double> pose_from(const YamlReader& yaml) {
  std::map<std::string, double> pose;
  for (const auto& [name, entry] : yaml.entries()) {
    const double angle = kDegree * entry.number_in(-360, 360);
    if (!paired(name)) {
      pose[name] = angle;
    } else {  // written for the left side; the servos of the right side turn the other way
      pose["L" + name] = angle;
      pose["R" + name] = -angle;
    }
  }
  return pose;
}

}  // namespace

RobotConfig RobotConfig::from_file(const std::string& path) {
  return from_text(YamlReader::read_file(path), path);
}

RobotConfig RobotConfig::from_text(const std::string& yaml, const std::string& file_name) {
  const YamlReader root = YamlReader::from_text(yaml, file_name);
  // camera_mounting is read by hl_vision, and written by its calibration.
  root.only(
      {"robot", "controller_id", "servos", "foot_sensors", "camera", "camera_mounting", "self_collision", "poses"});
  RobotConfig config;
  config.robot = root["robot"].text();
  config.controller_id = root.integer_in("controller_id", 0, 253, config.controller_id);
  read_servos(root["servos"], config.servos);
  if (root.has("foot_sensors")) read_foot_sensors(root["foot_sensors"], config.foot_sensors);
  if (root.has("camera")) read_camera(root["camera"], config.camera);
  if (root.has("self_collision")) read_capsules(root["self_collision"], config.capsules);
  for (const auto& [name, entry] : root["poses"].entries()) config.poses[name] = pose_from(entry);
  if (!config.poses.count("walkready")) root["poses"].refuse("pose 'walkready' is missing; every robot needs one");
  return config;
}

const ServoConfig& RobotConfig::servo(const std::string& joint) const {
  for (const auto& servo : servos)
    if (servo.joint == joint) return servo;
  throw ModelError("robot.yaml of '" + robot + "' has no servo for joint '" + joint + "'; add it under `servos`");
}

std::vector<std::string> RobotConfig::group(const std::string& name) const {
  std::vector<std::string> joints;
  for (const auto& servo : servos)
    if (name == "all" || servo.group == name || servo.joint == name) joints.push_back(servo.joint);
  return joints;
}

Eigen::VectorXd RobotConfig::pose(const RobotModel& model, const std::string& name) const {
  const auto found = poses.find(name);
  if (found == poses.end()) {
    std::string known;
    for (const auto& entry : poses) known += (known.empty() ? "" : ", ") + entry.first;
    throw ModelError("robot.yaml of '" + robot + "' has no pose '" + name + "'; it has: " + known);
  }
  Eigen::VectorXd positions = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof()));
  for (const auto& [joint, angle] : found->second) positions[static_cast<Eigen::Index>(model.joint(joint))] = angle;
  return positions;
}

void RobotConfig::check(const RobotModel& model) const {
  if (robot != model.name())
    throw ModelError("robot.yaml is for '" + robot + "', the URDF for '" + model.name() +
                     "'; use the files of one robot");
  for (const auto& joint : model.joint_names()) servo(joint);
  for (const auto& servo : servos) model.joint(servo.joint);
  for (const auto& capsule : capsules) model.link(capsule.link);
  model.link(camera.frame);
  for (const auto& entry : poses) {
    const Eigen::VectorXd positions = pose(model, entry.first);
    for (std::size_t i = 0; i < model.dof(); ++i) {
      if (model.limits(i).contains(positions[static_cast<Eigen::Index>(i)])) continue;
      throw ModelError("robot.yaml of '" + robot + "', pose '" + entry.first + "': " + model.joint_names()[i] + " = " +
                       std::to_string(positions[static_cast<Eigen::Index>(i)] / kDegree) +
                       " degrees is beyond its limits " + std::to_string(model.limits(i).lower / kDegree) + ".." +
                       std::to_string(model.limits(i).upper / kDegree));
    }
  }
}

}  // namespace hl_description
