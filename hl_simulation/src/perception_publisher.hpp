// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/goal_relative.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/obstacles_relative.hpp>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "hl_simulation/perception.hpp"

namespace hl_simulation {

/// What is painted on a robot.
struct Jersey {
  bool red = false;  // otherwise blue
  int number = 0;
};

/// Tells what one robot perceives on the topics that a vision would use.
class PerceptionPublisher {
 public:
  /// `prefix` is the robot's namespace with a slash, or empty; `jerseys` are those of all robots of the world.
  PerceptionPublisher(rclcpp::Node& node, const std::string& prefix, std::vector<Jersey> jerseys);

  void publish(const Percepts& percepts, double now);  // s, simulated time

 private:
  std::vector<Jersey> jerseys_;
  rclcpp::Publisher<humanoid_league_msgs::msg::BallRelative>::SharedPtr ball_;
  rclcpp::Publisher<humanoid_league_msgs::msg::GoalRelative>::SharedPtr goal_;
  rclcpp::Publisher<humanoid_league_msgs::msg::ObstaclesRelative>::SharedPtr obstacles_;
  rclcpp::Publisher<humanoid_league_msgs::msg::LineInformationRelative>::SharedPtr lines_;
};

}  // namespace hl_simulation
