// SPDX-License-Identifier: Apache-2.0
#include "simulated_robot.hpp"

#include <hl_robot_interface/hardware_contract.hpp>

#include "hl_node/interfaces.hpp"

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
  return hl_robot_interface::stamp_from(seconds);
}

double to_seconds(const builtin_interfaces::msg::Time& stamp) {
  return hl_robot_interface::seconds_from(stamp);
}

SimulatedRobot::SimulatedRobot(rclcpp::Node& node, const Config& config, Robot& robot)
    : node_(node),
      config_(config),
      robot_(robot),
      goals_group_(node.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive)) {
  if (config_.name.empty()) return;  // without a namespace, ground_truth is the one in the world
  truth_publisher_ = hl_node::create_publisher<humanoid_league_msgs::msg::SimulationState>(
      node, hl_node::topics::kGroundTruth, topic(""));
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
