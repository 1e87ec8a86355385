// SPDX-License-Identifier: Apache-2.0
#include "fumanoid_orders.hpp"

#include <algorithm>
#include <cmath>

#include "hl_node/interfaces.hpp"

namespace hl_remote {

FumanoidOrders::FumanoidOrders(rclcpp::Node& node) : node_(node) {
  using namespace hl_node;
  change_servo_id_ = node.create_client<ChangeServoId>(services::kChangeServoId);
  manual_penalize_ = node.create_client<ManualPenalize>(services::kManualPenalize);
  set_role_ = node.create_client<SetRole>(services::kSetRole);
  set_torque_ = node.create_client<SetTorque>(services::kSetTorque);
  shutdown_robot_ = node.create_client<ShutdownRobot>(services::kShutdownRobot);
  navigate_ = rclcpp_action::create_client<Navigate>(&node, actions::kNavigate);
  run_task_ = rclcpp_action::create_client<RunTask>(&node, actions::kRunTask);
  team_comm_ = std::make_shared<rclcpp::AsyncParametersClient>(&node, "team_comm");
  walk_ = create_publisher<geometry_msgs::msg::Twist>(node, topics::kTeleopCmdVel);
  goal_ = create_publisher<geometry_msgs::msg::PoseStamped>(node, topics::kGoalPose);
}

void FumanoidOrders::carry_out(const FumanoidGateway::Order& order, const std::vector<std::string>& roles) {
  roles_ = roles;
  std::visit([this](const auto& content) { obey(content); }, order);
}

template <class Service>
void FumanoidOrders::call(const typename rclcpp::Client<Service>::SharedPtr& client,
                          const std::shared_ptr<typename Service::Request>& request) {
  const std::string name = client->get_service_name();
  if (!client->service_is_ready()) {
    RCLCPP_WARN(node_.get_logger(), "nobody offers %s: the order is lost", name.c_str());
    return;
  }
  client->async_send_request(request, [this, name](typename rclcpp::Client<Service>::SharedFuture answer) {
    if (!answer.get()->success) RCLCPP_WARN(node_.get_logger(), "%s: %s", name.c_str(), answer.get()->message.c_str());
  });
}

void FumanoidOrders::obey(const FumanoidGateway::ChooseRole& order) {
  auto request = std::make_shared<SetRole::Request>();
  const auto found = std::find(roles_.begin(), roles_.end(), order.role);
  request->automatic = found == roles_.end();
  if (!request->automatic) request->role = static_cast<std::uint8_t>(found - roles_.begin());
  call<SetRole>(set_role_, request);
}

void FumanoidOrders::obey(const FumanoidGateway::StopEverything&) {
  if (run_task_->action_server_is_ready()) run_task_->async_cancel_all_goals();
  if (navigate_->action_server_is_ready()) navigate_->async_cancel_all_goals();
  walk_->publish(geometry_msgs::msg::Twist());
  auto idle = std::make_shared<SetRole::Request>();
  idle->role = 0;  // Strategy/ROLE_IDLING
  call<SetRole>(set_role_, idle);
}

void FumanoidOrders::obey(const FumanoidGateway::HoldRobot& order) {
  auto request = std::make_shared<ManualPenalize::Request>();
  request->word = order.hold ? ManualPenalize::Request::PENALIZE : ManualPenalize::Request::UNPENALIZE;
  call<ManualPenalize>(manual_penalize_, request);
}

void FumanoidOrders::obey(const FumanoidGateway::SwitchTorque& order) {
  auto request = std::make_shared<SetTorque::Request>();
  request->groups = order.joints;
  request->on = order.on;
  call<SetTorque>(set_torque_, request);
}

void FumanoidOrders::obey(const FumanoidGateway::PlayPoses& order) {
  if (!motors_) motors_ = hl_node::create_publisher<JointTrajectory>(node_, hl_node::topics::kRecordMotorGoals);
  JointTrajectory trajectory;
  trajectory.header.stamp = node_.now();
  for (const auto& [joint, angle] : order.poses.front().joints) trajectory.joint_names.push_back(joint);
  for (const auto& pose : order.poses) {
    auto& point = trajectory.points.emplace_back();
    for (const auto& [joint, angle] : pose.joints) point.positions.push_back(angle);
    point.time_from_start = rclcpp::Duration::from_seconds(pose.at);
  }
  motors_->publish(trajectory);
}

void FumanoidOrders::obey(const FumanoidGateway::Walk& order) {
  geometry_msgs::msg::Twist twist;
  twist.linear.x = order.forward;
  twist.linear.y = order.sideward;
  twist.angular.z = order.rotation;
  walk_->publish(twist);
}

void FumanoidOrders::obey(const FumanoidGateway::GoTo& order) {
  geometry_msgs::msg::PoseStamped goal;
  goal.header.stamp = node_.now();
  goal.header.frame_id = "map";
  goal.pose.position.x = order.place.x;
  goal.pose.position.y = order.place.y;
  goal.pose.orientation.z = std::sin(order.place.yaw / 2.0);
  goal.pose.orientation.w = std::cos(order.place.yaw / 2.0);
  goal_->publish(goal);
}

void FumanoidOrders::obey(const FumanoidGateway::ChangeServoId& order) {
  auto request = std::make_shared<ChangeServoId::Request>();
  request->old_id = order.old_id;
  request->new_id = order.new_id;
  call<ChangeServoId>(change_servo_id_, request);
}

void FumanoidOrders::obey(const FumanoidGateway::ShutDown&) {
  RCLCPP_WARN(node_.get_logger(),
              "reboot ordered: the robot sits down and switches its motors off; the computer stays on");
  call<ShutdownRobot>(shutdown_robot_, std::make_shared<ShutdownRobot::Request>());
}

void FumanoidOrders::obey(const FumanoidGateway::LimitTeam& order) {
  if (!team_comm_->service_is_ready()) {
    RCLCPP_WARN(node_.get_logger(), "no team_comm runs here: the team cannot be limited");
    return;
  }
  const std::vector<std::int64_t> players(order.robots.begin(), order.robots.end());
  team_comm_->set_parameters({rclcpp::Parameter("team_mates", players)});
}

}  // namespace hl_remote
