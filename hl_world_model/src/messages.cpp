// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <algorithm>
#include <cmath>

namespace hl_world_model {
namespace {

using humanoid_league_msgs::msg::ObstacleRelative;
using humanoid_league_msgs::msg::TrackedRobot;

constexpr double kBallHeight = 0.07;  // m, centre of the ball
constexpr double kRobotWidth = 0.25;  // m

template <class Array>
auto at(const Array& array, std::size_t n, typename Array::value_type otherwise = {}) {
  return n < array.size() ? array[n] : otherwise;
}

std::uint8_t source_of(int number) {
  return static_cast<std::uint8_t>(std::clamp(number, 0, 255));
}

}  // namespace

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec + 1e-9 * stamp.nanosec;
}

builtin_interfaces::msg::Time to_stamp(double seconds) {
  builtin_interfaces::msg::Time stamp;
  if (!(seconds > 0.0 && seconds < 2e9)) return stamp;
  stamp.sec = static_cast<std::int32_t>(seconds);
  stamp.nanosec = static_cast<std::uint32_t>(std::min(999999999.0, 1e9 * (seconds - stamp.sec)));
  return stamp;
}

hl_soccer::Odometry odometry_from(const nav_msgs::msg::Odometry& message) {
  const auto& pose = message.pose.pose;
  const auto& q = pose.orientation;
  return {seconds(message.header.stamp),
          {pose.position.x, pose.position.y, hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))}};
}

void add_ball(const humanoid_league_msgs::msg::BallRelative& message, hl_soccer::Percepts& percepts) {
  if (message.confidence == 0.0F) return;
  hl_soccer::SeenBall ball;
  ball.position = {message.ball_relative.x, message.ball_relative.y};
  ball.covariance.setZero();  // not told
  ball.confidence = message.confidence;
  percepts.ball = ball;
}

void add_obstacles(const humanoid_league_msgs::msg::ObstaclesRelative& message, hl_soccer::Percepts& percepts) {
  for (const ObstacleRelative& obstacle : message.obstacles) {
    hl_soccer::SeenObstacle seen;
    seen.kind = static_cast<hl_soccer::ObstacleKind>(std::min<int>(obstacle.color, ObstacleRelative::POLE));
    seen.position = {obstacle.position.x, obstacle.position.y};
    seen.covariance.setZero();
    seen.width = obstacle.width;
    if (obstacle.player_number > 0) seen.number = obstacle.player_number;
    seen.confidence = obstacle.confidence;
    percepts.obstacles.push_back(seen);
  }
}

void take_pose(const geometry_msgs::msg::PoseWithCovarianceStamped& message, hl_soccer::PoseBelief& belief) {
  belief.stamp = seconds(message.header.stamp);
  const auto& q = message.pose.pose.orientation;
  belief.pose = {message.pose.pose.position.x, message.pose.pose.position.y,
                 hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
  const int places[3] = {0, 1, 5};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      belief.covariance(row, column) =
          message.pose.covariance[static_cast<std::size_t>(6 * places[row] + places[column])];
    }
  }
}

std::vector<hl_soccer::TeamMate> mates_from(const humanoid_league_msgs::msg::TeamData& message) {
  std::vector<hl_soccer::TeamMate> mates;
  for (std::size_t n = 0; n < message.robot_ids.size(); ++n) {
    hl_soccer::TeamMate mate;
    mate.number = message.robot_ids[n];
    mate.stamp = n < message.stamps.size() ? seconds(message.stamps[n]) : seconds(message.header.stamp);
    mate.role = static_cast<hl_soccer::Role>(std::min<int>(at(message.role, n), 5));
    mate.action = static_cast<hl_soccer::Action>(std::min<int>(at(message.action, n), 4));
    mate.activity = static_cast<hl_soccer::Activity>(std::min<int>(at(message.state, n), 2));
    if (n < message.robot_positions.size() && 9 * n + 8 < message.position_covariances.size()) {
      const auto& pose = message.robot_positions[n];
      mate.pose = hl_description::Pose2{pose.x, pose.y, pose.theta};
      for (int i = 0; i < 9; ++i) {
        mate.pose_covariance(i / 3, i % 3) = message.position_covariances[9 * n + static_cast<std::size_t>(i)];
      }
      const double spread = mate.pose_covariance(0, 0) + mate.pose_covariance(1, 1);
      mate.pose_confidence = spread >= 0.0 && spread < 1e3 ? 1.0 / (1.0 + spread) : 0.0;
    }
    if (n < message.ball_relative.size() && message.ball_relative[n].confidence > 0.0F) {
      const auto& ball = message.ball_relative[n];
      mate.ball = hl_soccer::BelievedPoint{{ball.pose.x, ball.pose.y}, ball.confidence};
    }
    for (const auto* told :
         {&message.opponent_robot_a, &message.opponent_robot_b, &message.opponent_robot_c, &message.opponent_robot_d}) {
      if (n >= told->size() || !((*told)[n].confidence > 0.0F)) continue;
      mate.opponents.push_back({{(*told)[n].pose.x, (*told)[n].pose.y}, (*told)[n].confidence});
    }
    mates.push_back(mate);
  }
  return mates;
}

void fill(humanoid_league_msgs::msg::Model& message, const hl_soccer::Model& model, bool own_color_blue) {
  message.header.stamp = to_stamp(model.stamp);
  message.header.frame_id = "base_footprint";
  message.ball.header = message.header;
  message.ball.ball_relative.x = model.ball.position.x();
  message.ball.ball_relative.y = model.ball.position.y();
  message.ball.ball_relative.z = kBallHeight;
  message.ball.confidence = static_cast<float>(model.ball.confidence);
  message.ball_velocity.x = model.ball.velocity.x();
  message.ball_velocity.y = model.ball.velocity.y();
  for (int i = 0; i < 16; ++i)
    message.ball_covariance[static_cast<std::size_t>(i)] = model.ball.covariance(i / 4, i % 4);
  message.ball_last_seen = to_stamp(model.ball.last_seen);
  message.ball_source = source_of(model.ball.source);
  message.obstacles.header = message.header;
  message.obstacles.obstacles.clear();
  message.robots.clear();
  for (const hl_soccer::RobotBelief& robot : model.robots) {
    TrackedRobot tracked;
    tracked.id = static_cast<std::uint32_t>(robot.id);
    tracked.team = static_cast<std::uint8_t>(robot.team);
    tracked.player_number = static_cast<std::int8_t>(robot.number.value_or(-1));
    tracked.position.x = robot.position.x();
    tracked.position.y = robot.position.y();
    tracked.velocity.x = robot.velocity.x();
    tracked.velocity.y = robot.velocity.y();
    for (int i = 0; i < 4; ++i) tracked.covariance[static_cast<std::size_t>(i)] = robot.covariance(i / 2, i % 2);
    tracked.last_seen = to_stamp(robot.last_seen);
    tracked.confidence = static_cast<float>(robot.confidence);
    tracked.source = source_of(robot.source);
    message.robots.push_back(tracked);

    ObstacleRelative obstacle;
    obstacle.header = message.header;
    obstacle.color = ObstacleRelative::ROBOT_UNDEFINED;
    if (robot.team != hl_soccer::Team::Unknown) {
      const bool blue = (robot.team == hl_soccer::Team::Own) == own_color_blue;
      obstacle.color = blue ? ObstacleRelative::ROBOT_CYAN : ObstacleRelative::ROBOT_MAGENTA;
    }
    obstacle.player_number = tracked.player_number;
    obstacle.position = tracked.position;
    obstacle.width = static_cast<float>(kRobotWidth);
    obstacle.confidence = tracked.confidence;
    message.obstacles.obstacles.push_back(obstacle);
  }
  auto& position = message.position;
  position.header.stamp = to_stamp(model.pose.stamp);
  position.header.frame_id = "map";
  position.pose.pose.position.x = model.pose.pose.x;
  position.pose.pose.position.y = model.pose.pose.y;
  position.pose.pose.orientation.z = std::sin(0.5 * model.pose.pose.yaw);
  position.pose.pose.orientation.w = std::cos(0.5 * model.pose.pose.yaw);
  const int places[3] = {0, 1, 5};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      position.pose.covariance[static_cast<std::size_t>(6 * places[row] + places[column])] =
          model.pose.covariance(row, column);
    }
  }
}

}  // namespace hl_world_model
