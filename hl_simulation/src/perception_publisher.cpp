// SPDX-License-Identifier: Apache-2.0
#include "perception_publisher.hpp"

#include <cmath>
#include <cstring>
#include <hl_description/geometry.hpp>

#include "hl_node/interfaces.hpp"
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

PerceptionPublisher::PerceptionPublisher(rclcpp::Node& node, const std::string& prefix, std::vector<Jersey> jerseys,
                                         std::size_t robot)
    : jerseys_(std::move(jerseys)), robot_(robot) {
  using namespace hl_node;
  ball_ = create_publisher<msg::BallRelative>(node, topics::kBallRelative, prefix);
  goal_ = create_publisher<msg::GoalRelative>(node, topics::kGoalRelative, prefix);
  obstacles_ = create_publisher<msg::ObstaclesRelative>(node, topics::kObstaclesRelative, prefix);
  lines_ = create_publisher<msg::LineInformationRelative>(node, topics::kLinesRelative, prefix);
  line_points_ = create_publisher<sensor_msgs::msg::PointCloud2>(node, topics::kLinePoints, prefix);
  compass_ = create_publisher<msg::VisualCompassRotation>(node, topics::kVisualCompass, prefix);
  turn_ = create_publisher<nav_msgs::msg::Odometry>(node, topics::kVisualOdometry, prefix);
}

void PerceptionPublisher::publish(const Percepts& percepts) {
  std_msgs::msg::Header header;
  header.stamp = to_stamp(percepts.stamp);
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
    const bool real = robot.robot < jerseys_.size();  // a false one has no jersey
    const Jersey jersey = real ? jerseys_[robot.robot] : Jersey();
    msg::ObstacleRelative obstacle;
    obstacle.header = header;
    obstacle.color = !real        ? msg::ObstacleRelative::ROBOT_UNDEFINED
                     : jersey.red ? msg::ObstacleRelative::ROBOT_MAGENTA
                                  : msg::ObstacleRelative::ROBOT_CYAN;
    obstacle.player_number = static_cast<std::int8_t>(robot.number_read ? jersey.number : -1);
    obstacle.position = to_point(robot.spot.position);
    obstacle.width = static_cast<float>(robot.width);
    obstacle.confidence = static_cast<float>(robot.spot.confidence);
    obstacles.obstacles.push_back(obstacle);
  }
  obstacles_->publish(obstacles);

  publish_lines(percepts, header);
  publish_turning(percepts, header);
}

void PerceptionPublisher::publish_lines(const Percepts& percepts, const std_msgs::msg::Header& header) {
  lines_->publish(to_lines(percepts, header));
  if (line_points_->get_subscription_count() == 0) return;
  sensor_msgs::msg::PointCloud2 cloud;
  cloud.header = header;
  for (std::uint32_t i = 0; i < 3; ++i) {
    sensor_msgs::msg::PointField field;
    field.name = std::string(1, static_cast<char>('x' + i));
    field.offset = 4 * i;
    field.datatype = sensor_msgs::msg::PointField::FLOAT32;
    field.count = 1;
    cloud.fields.push_back(field);
  }
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(percepts.line_points.size());
  cloud.point_step = 12;
  cloud.row_step = cloud.point_step * cloud.width;
  cloud.is_dense = true;
  cloud.data.resize(cloud.row_step);
  for (std::size_t i = 0; i < percepts.line_points.size(); ++i) {
    const Eigen::Vector3f point = percepts.line_points[i].cast<float>();
    std::memcpy(cloud.data.data() + 12 * i, point.data(), 12);
  }
  line_points_->publish(cloud);
}

void PerceptionPublisher::publish_turning(const Percepts& percepts, const std_msgs::msg::Header& header) {
  msg::VisualCompassRotation compass;  // confidence 0: not recognised
  compass.header = header;
  compass.header.frame_id = "map";
  if (percepts.heading) {
    const double yaw = percepts.heading->yaw + (jerseys_.at(robot_).red ? M_PI : 0.0);
    compass.orientation = static_cast<float>(hl_description::wrap_angle(yaw));
    compass.confidence = static_cast<float>(percepts.heading->confidence);
  }
  compass_->publish(compass);

  if (!percepts.turn) return;
  turned_ = hl_description::wrap_angle(turned_ + percepts.turn->yaw);
  nav_msgs::msg::Odometry odometry;
  odometry.header = header;
  odometry.header.frame_id = "odom";
  odometry.child_frame_id = "base_footprint";
  odometry.pose.pose.orientation.z = std::sin(0.5 * turned_);
  odometry.pose.pose.orientation.w = std::cos(0.5 * turned_);
  const double dt = percepts.stamp - percepts.turn->since;
  if (dt > 0.0) odometry.twist.twist.angular.z = percepts.turn->yaw / dt;
  constexpr double kUnknown = 1e3;
  for (const std::size_t i : {0, 7, 14, 21, 28}) odometry.pose.covariance[i] = odometry.twist.covariance[i] = kUnknown;
  odometry.pose.covariance[35] = odometry.twist.covariance[35] = 1e-3;
  turn_->publish(odometry);
}

}  // namespace hl_simulation
