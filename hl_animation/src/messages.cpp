// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

namespace hl_animation {

void prepare(const Player& player, trajectory_msgs::msg::JointTrajectory& message) {
  message.joint_names = player.joints();
  message.points.resize(1);
  message.points[0].positions.resize(player.joints().size());
  message.points[0].effort.clear();
  message.points[0].effort.reserve(player.joints().size());
}

void fill(const Player& player, trajectory_msgs::msg::JointTrajectory& message) {
  message.points[0].positions = player.positions();
}

void PerformanceMessages::begin(const Performance& performance) {
  for (Message* message : {&request_, &goals_}) {
    *message = Message();
    message->name = performance.animation().name;
    message->hcm = performance.by_hcm();
    message->fall_check_off = !performance.animation().fall_check;
  }
  request_.request = true;
}

PerformanceMessages::Message& PerformanceMessages::fill(const Performance& performance,
                                                        const Performance::Outputs& outputs,
                                                        const StallTorque& stall_torque) {
  if (!outputs.goals) return request_;
  const Player& player = *performance.player();
  if (outputs.first) prepare(player, goals_.position);
  goals_.first = outputs.first;
  goals_.last = outputs.last;
  hl_animation::fill(player, goals_.position);
  auto& effort = goals_.position.points[0].effort;
  effort.clear();
  if (player.torque()) {
    for (const auto& joint : player.joints()) effort.push_back(player.effort(stall_torque(joint)));
  }
  return goals_;
}

}  // namespace hl_animation
