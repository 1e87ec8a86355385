// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/goal_relative.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/obstacles_relative.hpp>
#include <humanoid_league_msgs/msg/visual_compass_rotation.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
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
  /// `prefix` is the robot's namespace with a slash, or empty; `jerseys` are those of all robots of the world; `robot`
  /// is the index of this one. The red team's map is the world turned by half a turn.
  PerceptionPublisher(rclcpp::Node& node, const std::string& prefix, std::vector<Jersey> jerseys, std::size_t robot);

  void publish(const Percepts& percepts);

 private:
  void publish_lines(const Percepts& percepts, const std_msgs::msg::Header& header);
  void publish_turning(const Percepts& percepts, const std_msgs::msg::Header& header);

  std::vector<Jersey> jerseys_;
  std::size_t robot_;
  double turned_ = 0.0;  // rad, sum of the turns seen
  rclcpp::Publisher<humanoid_league_msgs::msg::BallRelative>::SharedPtr ball_;
  rclcpp::Publisher<humanoid_league_msgs::msg::GoalRelative>::SharedPtr goal_;
  rclcpp::Publisher<humanoid_league_msgs::msg::ObstaclesRelative>::SharedPtr obstacles_;
  rclcpp::Publisher<humanoid_league_msgs::msg::LineInformationRelative>::SharedPtr lines_;
  rclcpp::Publisher<sensor_msgs::msg::PointCloud2>::SharedPtr line_points_;
  rclcpp::Publisher<humanoid_league_msgs::msg::VisualCompassRotation>::SharedPtr compass_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr turn_;
};

}  // namespace hl_simulation
