// SPDX-License-Identifier: Apache-2.0
#include "recorder_editor.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/verifier.hpp"

namespace hl_animation {

void tell_joints(const hl_description::RobotConfig& config, const hl_description::RobotModel& model,
                 humanoid_league_msgs::srv::EditAnimation::Response& response) {
  constexpr double kDegrees = 180.0 / M_PI;
  auto servos = config.servos;
  std::sort(servos.begin(), servos.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  for (const auto& servo : servos) {
    const auto joint = model.joint_index(servo.joint);
    if (!joint) continue;
    response.joints.push_back(servo.joint);
    response.lower.push_back(model.limits(*joint).lower * kDegrees);
    response.upper.push_back(model.limits(*joint).upper * kDegrees);
  }
}

std::vector<std::string> animations_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".yaml" && is_plain(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<humanoid_league_msgs::msg::AnimationFinding> findings_of(const Animation& animation,
                                                                     const hl_description::RobotConfig& config,
                                                                     const hl_description::RobotModel& model) {
  std::vector<humanoid_league_msgs::msg::AnimationFinding> result;
  const Verifier verifier(model, config, {});
  for (const Finding& finding : verifier.verify(animation, verifier.start_pose(animation.start))) {
    humanoid_league_msgs::msg::AnimationFinding message;
    message.kind = name(finding.kind);
    message.what = finding.what;
    message.keyframe = finding.keyframe - 1;
    message.time = finding.time;
    message.value = finding.value;
    message.limit = finding.limit;
    message.unit = finding.unit;
    result.push_back(message);
  }
  return result;
}

}  // namespace hl_animation
