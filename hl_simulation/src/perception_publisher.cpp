// SPDX-License-Identifier: Apache-2.0
#include "perception_publisher.hpp"

#include "simulated_robot.hpp"

namespace hl_simulation {
namespace {

namespace msg = humanoid_league_msgs::msg;
using hl_description::Field;

geometry_msgs::msg::Point to_point(const Eigen::Vector3d& v) {
  geometry_msgs::msg::Point point;
  point.x = v.x();
  point.y = v.y();
  point.z = v.z();
  return point;
}

msg::LineSegmentRelative to_segment(const Percepts::Segment& segment, const std_msgs::msg::Header& header) {
  msg::LineSegmentRelative message;
  message.header = header;
  message.start = to_point(segment.from);
  message.end = to_point(segment.to);
  message.confidence = static_cast<float>(segment.confidence);
  return message;
}

std::uint8_t to_type(Field::Crossing crossing) {
  switch (crossing) {
    case Field::Crossing::L:
      return msg::LineIntersectionRelative::L;
    case Field::Crossing::T:
      return msg::LineIntersectionRelative::T;
    case Field::Crossing::X:
      return msg::LineIntersectionRelative::X;
  }
  return msg::LineIntersectionRelative::UNDEFINED;
}

msg::LineInformationRelative to_lines(const Percepts& percepts, const std_msgs::msg::Header& header) {
  msg::LineInformationRelative lines;
  lines.header = header;
  for (const Percepts::Segment& segment : percepts.lines) lines.segments.push_back(to_segment(segment, header));
  for (const Percepts::Crossing& crossing : percepts.crossings) {
    msg::LineIntersectionRelative marking;
    marking.header = header;
    marking.type = to_type(crossing.type);
    for (const Percepts::Segment& arm : crossing.arms) marking.segments.push_back(to_segment(arm, header));
    marking.confidence = static_cast<float>(crossing.confidence);
    lines.markings.push_back(marking);
  }
  for (const Percepts::Arc& arc : percepts.arcs) {
    msg::LineCircleRelative circle;
    circle.header = header;
    circle.left = to_point(arc.left);
    circle.middle = to_point(arc.middle);
    circle.right = to_point(arc.right);
    lines.circles.push_back(circle);
  }
  return lines;
}

}  // namespace

PerceptionPublisher::PerceptionPublisher(rclcpp::Node& node, const std::string& prefix, std::vector<Jersey> jerseys)
    : jerseys_(std::move(jerseys)) {
  const rclcpp::QoS qos(5);
  ball_ = node.create_publisher<msg::BallRelative>(prefix + "ball_relative", qos);
  goal_ = node.create_publisher<msg::GoalRelative>(prefix + "goal_relative", qos);
  obstacles_ = node.create_publisher<msg::ObstaclesRelative>(prefix + "obstacles_relative", qos);
  lines_ = node.create_publisher<msg::LineInformationRelative>(prefix + "lines_relative", qos);
}

void PerceptionPublisher::publish(const Percepts& percepts, double now) {
  std_msgs::msg::Header header;
  header.stamp = to_stamp(now);
  header.frame_id = "base_footprint";

  msg::BallRelative ball;  // confidence 0: none seen
  ball.header = header;
  if (percepts.ball) {
    ball.ball_relative = to_point(percepts.ball->position);
    ball.confidence = static_cast<float>(percepts.ball->confidence);
  }
  ball_->publish(ball);

  msg::GoalRelative goal;
  goal.header = header;
  if (percepts.goal) {
    goal.left_post = to_point(percepts.goal->left_post);
    goal.right_post = to_point(percepts.goal->right_post);
    goal.center_direction = to_point(percepts.goal->centre);
    goal.confidence = static_cast<float>(percepts.goal->confidence);
  }
  goal_->publish(goal);

  msg::ObstaclesRelative obstacles;
  obstacles.header = header;
  for (const Percepts::OtherRobot& robot : percepts.robots) {
    const Jersey& jersey = jerseys_.at(robot.robot);
    msg::ObstacleRelative obstacle;
    obstacle.header = header;
    obstacle.color = jersey.red ? msg::ObstacleRelative::ROBOT_MAGENTA : msg::ObstacleRelative::ROBOT_CYAN;
    obstacle.player_number = static_cast<std::int8_t>(robot.number_read ? jersey.number : -1);
    obstacle.position = to_point(robot.spot.position);
    obstacle.width = static_cast<float>(robot.width);
    obstacle.confidence = static_cast<float>(robot.spot.confidence);
    obstacles.obstacles.push_back(obstacle);
  }
  obstacles_->publish(obstacles);

  lines_->publish(to_lines(percepts, header));
}

}  // namespace hl_simulation
