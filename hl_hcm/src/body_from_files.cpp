// SPDX-License-Identifier: Apache-2.0
#include "body_from_files.hpp"

#include <hl_description/robot_config.hpp>

namespace hl_hcm {
namespace {

JointArray pose(const JointSet& joints, const std::map<std::string, double>& angles, double otherwise) {
  JointArray result = absent_joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto found = angles.find(joints.joints[j].name);
    result[j] = found == angles.end() ? otherwise : found->second;
  }
  return result;
}

}  // namespace

Body body_from_files(const std::string& urdf_file, const std::string& robot_config_file) {
  const auto model = hl_description::RobotModel::from_file(urdf_file);
  const auto config = hl_description::RobotConfig::from_file(robot_config_file);
  config.check(model);
  if (model.dof() > max_joints)
    throw hl_description::ModelError(urdf_file + ": has " + std::to_string(model.dof()) +
                                     " joints, the HCM manages at most " + std::to_string(max_joints));
  Body body;
  for (std::size_t i = 0; i < model.dof(); ++i) {
    const auto& limits = model.limits(i);
    const std::string& group = config.servo(model.joint_names()[i]).group;
    const Limb limb = group == "head" ? Limb::Head : group.find("arm") != std::string::npos ? Limb::Arm : Limb::Leg;
    body.joints.joints.push_back({model.joint_names()[i], limits.lower, limits.upper, limits.velocity, limb});
  }
  body.walkready = pose(body.joints, config.poses.at("walkready"), 0.0);
  const auto penalty = config.poses.find("penalty");
  body.penalty = penalty == config.poses.end() ? body.walkready : pose(body.joints, penalty->second, 0.0);
  for (const Direction direction : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
    const auto found = config.poses.find(std::string("fall_") + name_of(direction));
    if (found != config.poses.end())
      body.protective[static_cast<std::size_t>(direction)] = pose(body.joints, found->second, absent);
  }
  return body;
}

}  // namespace hl_hcm
