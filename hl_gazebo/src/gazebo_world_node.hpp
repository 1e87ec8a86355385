// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <hl_description/robot_config.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <string>
#include <vector>

#include "hl_gazebo/link.hpp"

namespace hl_gazebo {

/// The world in Gazebo as the contract says a simulator is: /clock, ground_truth, and services that move, push and
/// break the robot.
class GazeboWorldNode : public rclcpp::Node {
 public:
  /// Throws std::runtime_error if no world is served.
  GazeboWorldNode();

  /// What has come from the world since the last call; false: it is gone.
  bool serve();

 private:
  void publish();
  humanoid_league_msgs::msg::SimulationState ground_truth() const;
  void offer_services();
  template <class Service, class Action>
  void offer(const std::string& name, Action action);

  hl_description::RobotConfig config_;
  std::unique_ptr<LinkClient> link_;
  double clock_at_ = -1.0, truth_at_ = -1.0;  // s, of the last messages
  double wall_ = 0.0, wall_time_ = 0.0, speed_ = 0.0;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  rclcpp::Publisher<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
};

}  // namespace hl_gazebo
