// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <humanoid_league_msgs/msg/animation.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_animation/performance.hpp"

/// Goals of a motion as messages. What is filled in a tick was prepared when the motion began: no allocation in a tick.
/// Stamps are the caller's.
namespace hl_animation {

/// Joints and room for their goals.
void prepare(const Player& player, trajectory_msgs::msg::JointTrajectory& message);
void fill(const Player& player, trajectory_msgs::msg::JointTrajectory& message);

/// The messages of one performance.
class PerformanceMessages {
 public:
  using Message = humanoid_league_msgs::msg::Animation;
  using StallTorque = std::function<double(const std::string& joint)>;  // N m; 0: no limit is known

  void begin(const Performance& performance);
  /// The message for what the performance wants said now.
  Message& fill(const Performance& performance, const Performance::Outputs& outputs, const StallTorque& stall_torque);

 private:
  Message request_, goals_;
};

}  // namespace hl_animation
