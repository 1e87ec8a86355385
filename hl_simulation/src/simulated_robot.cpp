// SPDX-License-Identifier: Apache-2.0
#include "simulated_robot.hpp"

#include <cmath>

namespace hl_simulation {
namespace {

/// Half a turn about z: from the world to the map of the team that attacks -x.
void turn(geometry_msgs::msg::Pose& pose) {
  pose.position.x = -pose.position.x;
  pose.position.y = -pose.position.y;
  const auto q = pose.orientation;
  pose.orientation.w = -q.z;
  pose.orientation.x = -q.y;
  pose.orientation.y = q.x;
  pose.orientation.z = q.w;
}

void turn(geometry_msgs::msg::Twist& twist) {
  for (auto* v : {&twist.linear, &twist.angular}) {
    v->x = -v->x;
    v->y = -v->y;
  }
}

}  // namespace

builtin_interfaces::msg::Time to_stamp(double seconds) {
  const auto nanoseconds = static_cast<std::int64_t>(std::llround(seconds * 1e9));
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<std::int32_t>(nanoseconds / 1'000'000'000);
  stamp.nanosec = static_cast<std::uint32_t>(nanoseconds % 1'000'000'000);
  return stamp;
}

double to_seconds(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec + 1e-9 * stamp.nanosec;
}

SimulatedRobot::SimulatedRobot(rclcpp::Node& node, const Config& config, Robot& robot)
    : node_(node), config_(config), robot_(robot) {
  if (config_.name.empty()) return;  // without a namespace, ground_truth is the one in the world
  truth_publisher_ =
      node.create_publisher<humanoid_league_msgs::msg::SimulationState>(topic("ground_truth"), rclcpp::QoS(5));
}

void SimulatedRobot::listen_to_goals(std::function<void(const trajectory_msgs::msg::JointTrajectory&)> callback) {
  goals_group_ = node_.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  rclcpp::SubscriptionOptions options;
  options.callback_group = goals_group_;
  goals_subscription_ = node_.create_subscription<trajectory_msgs::msg::JointTrajectory>(
      topic("motor_goals"), rclcpp::QoS(10),
      [callback](const trajectory_msgs::msg::JointTrajectory& message) { callback(message); }, options);
}

void SimulatedRobot::note_goals(double stamp) {
  last_goal_stamp_ = stamp;
  ++goals_received_;
}

void SimulatedRobot::publish_ground_truth(const humanoid_league_msgs::msg::SimulationState& in_world) {
  if (!truth_publisher_ || truth_publisher_->get_subscription_count() == 0) return;
  auto state = in_world;
  state.header.frame_id = "map";
  if (config_.attacks_minus_x) {
    for (auto& robot : state.robots) {
      turn(robot.pose);
      turn(robot.twist);
    }
    turn(state.ball_pose);
    turn(state.ball_twist);
  }
  truth_publisher_->publish(state);
}

}  // namespace hl_simulation
