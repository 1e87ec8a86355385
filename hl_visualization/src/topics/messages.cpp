// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <algorithm>

#include "robot_topics.hpp"

namespace hl_visualization {

ModelView model_from(const humanoid_league_msgs::msg::Model& message, double now) {
  using humanoid_league_msgs::msg::TrackedRobot;
  ModelView view;
  const auto age = [now](const builtin_interfaces::msg::Time& stamp) { return std::max(0.0, now - seconds(stamp)); };
  if (message.ball.confidence > 0.0F) {
    const auto& p = message.ball.ball_relative;
    const auto& c = message.ball_covariance;
    const auto& v = message.ball_velocity;
    if (finite(p.x, p.y, v.x, v.y)) {
      view.ball =
          BelievedBall{p.x, p.y, v.x, v.y, {c[0], c[1], c[5]}, age(message.ball_last_seen), message.ball_source};
    } else {
      view.faults.emplace_back("the model's ball is not a number");
    }
  }
  for (const TrackedRobot& robot : message.robots) {
    if (!finite(robot.position.x, robot.position.y)) {
      view.faults.emplace_back("a robot of the model is not a number");
      continue;
    }
    const Side side = robot.team == TrackedRobot::TEAM_OWN     ? Side::Own
                      : robot.team == TrackedRobot::TEAM_RIVAL ? Side::Rival
                                                               : Side::Unknown;
    view.robots.push_back({robot.position.x, robot.position.y, side, robot.player_number, age(robot.last_seen)});
  }
  return view;
}

BelievedBall moved(const BelievedBall& ball, const FieldPose& pose) {
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  const auto [xx, xy, yy] = ball.covariance;
  BelievedBall result = ball;
  result.x = pose.x + c * ball.x - s * ball.y;
  result.y = pose.y + s * ball.x + c * ball.y;
  result.vx = c * ball.vx - s * ball.vy;
  result.vy = s * ball.vx + c * ball.vy;
  result.covariance = {c * c * xx - 2 * c * s * xy + s * s * yy, c * s * (xx - yy) + (c * c - s * s) * xy,
                       s * s * xx + 2 * c * s * xy + c * c * yy};
  return result;
}

BelievedRobot moved(const BelievedRobot& robot, const FieldPose& pose) {
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  BelievedRobot result = robot;
  result.x = pose.x + c * robot.x - s * robot.y;
  result.y = pose.y + s * robot.x + c * robot.y;
  return result;
}

}  // namespace hl_visualization
