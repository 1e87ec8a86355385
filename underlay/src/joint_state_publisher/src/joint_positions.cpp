// SPDX-License-Identifier: Apache-2.0
#include "joint_state_publisher/joint_positions.hpp"

#include <algorithm>
#include <cmath>

namespace joint_state_publisher {
namespace {

bool moves(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS ||
         joint.type == urdf::Joint::PRISMATIC;
}

FreeJoint make_free_joint(const urdf::Joint& joint, const JointPositions::Options& options) {
  FreeJoint result;
  result.turns = joint.type != urdf::Joint::PRISMATIC;
  result.continuous = joint.type == urdf::Joint::CONTINUOUS || !joint.limits;
  if (result.continuous) {
    result.lower = -M_PI;
    result.upper = M_PI;
  } else {
    result.lower = joint.limits->lower;
    result.upper = joint.limits->upper;
    if (options.use_smallest_joint_limits && joint.safety) {
      result.lower = std::max(result.lower, joint.safety->soft_lower_limit);
      result.upper = std::min(result.upper, joint.safety->soft_upper_limit);
    }
    if (result.lower > result.upper) std::swap(result.lower, result.upper);
  }
  const auto zero = options.zeros.find(joint.name);
  if (zero != options.zeros.end()) {
    result.zero = result.continuous ? zero->second : std::clamp(zero->second, result.lower, result.upper);
  } else if (result.lower > 0.0 || result.upper < 0.0) {
    result.zero = 0.5 * (result.lower + result.upper);
  }
  if (options.publish_default_positions) result.motion.position = result.zero;
  if (options.publish_default_velocities) result.motion.velocity = 0.0;
  if (options.publish_default_efforts) result.motion.effort = 0.0;
  return result;
}

}  // namespace

JointPositions::JointPositions(const urdf::ModelInterface& model, const Options& options) {
  for (const auto& [name, joint] : model.joints_) {
    if (!moves(*joint)) continue;
    const auto rule = options.dependent_joints.find(name);
    if (options.use_mimic_tags && joint->mimic) {
      dependent_[name] = {joint->mimic->joint_name, joint->mimic->multiplier, joint->mimic->offset};
    } else if (rule != options.dependent_joints.end()) {
      dependent_[name] = rule->second;
    } else {
      free_[name] = make_free_joint(*joint, options);
    }
  }
}

std::vector<std::string> JointPositions::problems() const {
  std::vector<std::string> result;
  for (const auto& [name, rule] : dependent_) {
    if (motion(name)) continue;
    result.push_back("the joint '" + name + "' follows '" + rule.parent +
                     "', which does not move, does not exist, or follows it in turn");
  }
  return result;
}

FreeJoint* JointPositions::find(const std::string& name) {
  const auto joint = free_.find(name);
  return joint == free_.end() ? nullptr : &joint->second;
}

std::optional<Motion> JointPositions::motion(const std::string& name) const {
  double factor = 1.0, offset = 0.0;
  const std::string* current = &name;
  for (std::size_t links = 0; links <= dependent_.size(); ++links) {  // a chain that is longer is a circle
    const auto joint = free_.find(*current);
    if (joint != free_.end()) {
      Motion result = joint->second.motion;
      if (result.position) *result.position = *result.position * factor + offset;
      if (result.velocity) *result.velocity *= factor;
      return result;
    }
    const auto rule = dependent_.find(*current);
    if (rule == dependent_.end()) return std::nullopt;
    offset += factor * rule->second.offset;
    factor *= rule->second.factor;
    current = &rule->second.parent;
  }
  return std::nullopt;
}

void JointPositions::center() {
  for (auto& [name, joint] : free_) joint.motion.position = joint.zero;
}

void JointPositions::randomize(std::mt19937& random) {
  for (auto& [name, joint] : free_) {
    const double share = std::uniform_real_distribution<double>(0.0, 1.0)(random);
    joint.motion.position = joint.lower + share * (joint.upper - joint.lower);
  }
}

}  // namespace joint_state_publisher
