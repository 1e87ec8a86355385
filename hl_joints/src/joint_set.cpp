// SPDX-License-Identifier: Apache-2.0
#include "hl_joints/joint_set.hpp"

#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>

namespace hl_joints {

Limb limb_of(const std::string& group) {
  return group == "head" ? Limb::Head : group.find("arm") != std::string::npos ? Limb::Arm : Limb::Leg;
}

JointSet joint_set(const hl_description::RobotModel& model, const hl_description::RobotConfig& config) {
  return joint_set(model, config, model.joint_names());
}

JointSet joint_set(const hl_description::RobotModel& model, const hl_description::RobotConfig& config,
                   const std::vector<std::string>& names) {
  if (names.size() > kMaxJoints)
    throw hl_description::ModelError(config.robot + " has " + std::to_string(names.size()) + " joints, at most " +
                                     std::to_string(kMaxJoints) + " can be moved");
  JointSet set;
  for (const std::string& name : names) {
    const auto index = model.joint_index(name);
    if (!index) throw hl_description::ModelError(config.robot + " has no joint '" + name + "'");
    const auto& limits = model.limits(*index);
    const Limb limb = limb_of(config.servo(name).group);
    set.joints.push_back({name, limits.lower, limits.upper, limits.velocity, limb, limits.effort});
  }
  return set;
}

}  // namespace hl_joints
