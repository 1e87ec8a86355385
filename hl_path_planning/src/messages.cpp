// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

namespace hl_path_planning {
namespace {

template <class Point>
Vector2d flat(const Point& p) {
  return {p.x, p.y};
}

}  // namespace

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return static_cast<double>(stamp.sec) + 1e-9 * static_cast<double>(stamp.nanosec);
}

Frame frame_from(const std::string& frame_id) {
  if (frame_id == "map") return Frame::Map;
  if (frame_id == "odom") return Frame::Odom;
  if (frame_id == "base_footprint") return Frame::BaseFootprint;
  return Frame::Unknown;
}

Goal goal_from(const humanoid_league_msgs::action::Navigate::Goal& m, double now) {
  Goal goal;
  const double stamp = seconds(m.header.stamp);
  goal.stamp = stamp > 0.0 ? stamp : now;
  goal.frame = frame_from(m.header.frame_id);
  goal.kind = static_cast<GoalKind>(m.kind);
  goal.pose = {m.pose.x, m.pose.y, m.pose.theta};
  goal.ball = flat(m.ball);
  goal.ball_velocity = flat(m.ball_velocity);
  goal.direction = m.direction;
  goal.foot = static_cast<Foot>(m.foot);
  goal.target = flat(m.target);
  goal.target_velocity = flat(m.target_velocity);
  goal.radius = m.radius;
  goal.velocity = {m.velocity.linear.x, m.velocity.linear.y, m.velocity.angular.z};
  goal.heading = static_cast<HeadingMode>(m.heading);
  goal.look_at = flat(m.look_at);
  goal.avoid_ball = m.avoid_ball;
  goal.speed_limit = m.speed_limit;
  goal.position_tolerance = m.position_tolerance;
  goal.heading_tolerance = m.heading_tolerance;
  return goal;
}

hl_soccer::Model model_from(const humanoid_league_msgs::msg::Model& m) {
  hl_soccer::Model model;
  model.stamp = seconds(m.header.stamp);
  model.ball.position = flat(m.ball.ball_relative);
  model.ball.velocity = flat(m.ball_velocity);
  model.ball.confidence = static_cast<double>(m.ball.confidence);
  model.ball.last_seen = seconds(m.ball_last_seen);
  model.ball.source = m.ball_source;
  for (const auto& r : m.robots) {
    hl_soccer::RobotBelief robot;
    robot.id = static_cast<int>(r.id);
    robot.position = flat(r.position);
    robot.velocity = flat(r.velocity);
    robot.covariance << r.covariance[0], r.covariance[1], r.covariance[2], r.covariance[3];
    robot.team = static_cast<hl_soccer::Team>(r.team);
    if (r.player_number >= 0) robot.number = r.player_number;
    robot.last_seen = seconds(r.last_seen);
    robot.confidence = static_cast<double>(r.confidence);
    robot.source = r.source;
    model.robots.push_back(robot);
  }
  return model;
}

hl_soccer::GameState game_from(const humanoid_league_msgs::msg::GameState& m) {
  hl_soccer::GameState game;
  game.stamp = seconds(m.header.stamp);
  game.referee_connected = m.referee_connected;
  game.phase = static_cast<hl_soccer::GamePhase>(m.game_state);
  game.set_play = static_cast<hl_soccer::SetPlay>(m.secondary_state);
  game.set_play_phase = static_cast<hl_soccer::SetPlayPhase>(m.set_play_phase);
  game.own_set_play = m.own_set_play;
  game.stopped = m.stopped;
  game.kick_off = static_cast<hl_soccer::KickOff>(m.kick_off);
  game.secondary_seconds_remaining = m.secondary_seconds_remaining;
  game.goalkeeper = m.goalkeeper;
  game.penalized = m.penalized;
  game.allowed_to_move = m.allowed_to_move;
  return game;
}

geometry_msgs::msg::Twist twist_from(const Velocity& velocity) {
  geometry_msgs::msg::Twist twist;
  twist.linear.x = velocity.x;
  twist.linear.y = velocity.y;
  twist.angular.z = velocity.yaw;
  return twist;
}

}  // namespace hl_path_planning
