// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/action/navigate.hpp>
#include <humanoid_league_msgs/action/run_task.hpp>
#include <humanoid_league_msgs/srv/change_servo_id.hpp>
#include <humanoid_league_msgs/srv/manual_penalize.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <humanoid_league_msgs/srv/shutdown_robot.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "hl_remote/fumanoid_gateway.hpp"

namespace hl_remote {

/// Gives the gateway's orders to the nodes that carry them out: behaviour, planning, walking, pause, HCM, driver.
class FumanoidOrders {
 public:
  explicit FumanoidOrders(rclcpp::Node& node);

  /// `roles`: names in the order of their codes.
  void carry_out(const FumanoidGateway::Order& order, const std::vector<std::string>& roles);

 private:
  using ChangeServoId = humanoid_league_msgs::srv::ChangeServoId;
  using ManualPenalize = humanoid_league_msgs::srv::ManualPenalize;
  using Navigate = humanoid_league_msgs::action::Navigate;
  using RunTask = humanoid_league_msgs::action::RunTask;
  using SetRole = humanoid_league_msgs::srv::SetRole;
  using SetTorque = humanoid_league_msgs::srv::SetTorque;
  using ShutdownRobot = humanoid_league_msgs::srv::ShutdownRobot;
  using JointTrajectory = trajectory_msgs::msg::JointTrajectory;

  void obey(const FumanoidGateway::ChooseRole& order);
  void obey(const FumanoidGateway::StopEverything& order);
  void obey(const FumanoidGateway::HoldRobot& order);
  void obey(const FumanoidGateway::SwitchTorque& order);
  void obey(const FumanoidGateway::PlayPoses& order);
  void obey(const FumanoidGateway::Walk& order);
  void obey(const FumanoidGateway::GoTo& order);
  void obey(const FumanoidGateway::ChangeServoId& order);
  void obey(const FumanoidGateway::ShutDown& order);
  void obey(const FumanoidGateway::LimitTeam& order);

  template <class Service>
  void call(const typename rclcpp::Client<Service>::SharedPtr& client,
            const std::shared_ptr<typename Service::Request>& request);

  rclcpp::Node& node_;
  std::vector<std::string> roles_;
  rclcpp::Client<ChangeServoId>::SharedPtr change_servo_id_;
  rclcpp::Client<ManualPenalize>::SharedPtr manual_penalize_;
  rclcpp::Client<SetRole>::SharedPtr set_role_;
  rclcpp::Client<SetTorque>::SharedPtr set_torque_;
  rclcpp::Client<ShutdownRobot>::SharedPtr shutdown_robot_;
  rclcpp_action::Client<Navigate>::SharedPtr navigate_;
  rclcpp_action::Client<RunTask>::SharedPtr run_task_;
  rclcpp::AsyncParametersClient::SharedPtr team_comm_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr walk_;
  rclcpp::Publisher<geometry_msgs::msg::PoseStamped>::SharedPtr goal_;
  rclcpp::Publisher<JointTrajectory>::SharedPtr motors_;  // made by the first order: usually the recorder writes there
};

}  // namespace hl_remote
