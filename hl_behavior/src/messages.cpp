// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <algorithm>
#include <cmath>

namespace hl_behavior {
namespace {

namespace msg = humanoid_league_msgs::msg;

constexpr double kUnknownVariance = 1e3;

double yaw_of(const geometry_msgs::msg::Quaternion& q) {
  return hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
}

hl_soccer::PoseBelief pose_from(const geometry_msgs::msg::PoseWithCovarianceStamped& message) {
  hl_soccer::PoseBelief pose;
  pose.stamp = seconds(message.header.stamp);
  pose.pose = {message.pose.pose.position.x, message.pose.pose.position.y, yaw_of(message.pose.pose.orientation)};
  const std::array<std::size_t, 3> axes = {0, 1, 5};  // x, y, yaw of six
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      pose.covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          message.pose.covariance[axes[i] * 6 + axes[j]];
  const double variance = std::max(pose.covariance(0, 0), pose.covariance(1, 1));
  const bool known = pose.pose.finite() && pose.covariance.allFinite() && variance < kUnknownVariance && variance > 0.0;
  pose.confidence = known ? 1.0 / (1.0 + variance) : 0.0;
  return pose;
}

std::optional<hl_soccer::BelievedPoint> point_from(const msg::Position2D& message) {
  if (!(message.confidence > 0.0F)) return std::nullopt;
  return hl_soccer::BelievedPoint{{message.pose.x, message.pose.y}, message.confidence};
}

void set_players(const std::vector<msg::PlayerInfo>& from, std::vector<hl_soccer::PlayerState>& to) {
  to.clear();
  int number = 0;
  for (const auto& player : from)
    to.push_back({++number, player.penalty != msg::PlayerInfo::PENALTY_NONE,
                  static_cast<double>(player.seconds_till_unpenalized)});
}

geometry_msgs::msg::Point point(const Vector2d& from) {
  geometry_msgs::msg::Point to;
  to.x = from.x();
  to.y = from.y();
  return to;
}

geometry_msgs::msg::Vector3 vector3(const Vector2d& from) {
  geometry_msgs::msg::Vector3 to;
  to.x = from.x();
  to.y = from.y();
  return to;
}

geometry_msgs::msg::Pose2D pose2d(const Pose2& from) {
  geometry_msgs::msg::Pose2D to;
  to.x = from.x;
  to.y = from.y;
  to.theta = from.yaw;
  return to;
}

const char* name_of(Executor::State state) {
  static constexpr const char* kNames[] = {"", "waiting", "running", "busy"};
  return kNames[static_cast<int>(state)];
}

}  // namespace

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return static_cast<double>(stamp.sec) + 1e-9 * static_cast<double>(stamp.nanosec);
}

builtin_interfaces::msg::Time stamp_from(double seconds) {
  builtin_interfaces::msg::Time stamp;
  if (!(seconds > 0.0) || seconds > 2e9) return stamp;
  stamp.sec = static_cast<std::int32_t>(seconds);
  stamp.nanosec = static_cast<std::uint32_t>(std::min((seconds - stamp.sec) * 1e9, 999999999.0));
  return stamp;
}

const char* frame_id(Frame frame) {
  return frame == Frame::Map ? "map" : frame == Frame::Odom ? "odom" : "base_footprint";
}

hl_soccer::Model model_from(const msg::Model& message) {
  hl_soccer::Model model;
  model.stamp = seconds(message.header.stamp);
  model.pose = pose_from(message.position);
  model.ball.position = {message.ball.ball_relative.x, message.ball.ball_relative.y};
  model.ball.velocity = {message.ball_velocity.x, message.ball_velocity.y};
  for (Eigen::Index i = 0; i < 16; ++i)
    model.ball.covariance(i / 4, i % 4) = message.ball_covariance[static_cast<std::size_t>(i)];
  const double seen = seconds(message.ball_last_seen);
  model.ball.last_seen = seen > 0.0 ? seen : -1e9;
  model.ball.confidence = message.ball.confidence;
  model.ball.source = message.ball_source;
  for (const auto& robot : message.robots) {
    hl_soccer::RobotBelief belief;
    belief.id = static_cast<int>(robot.id);
    belief.position = {robot.position.x, robot.position.y};
    belief.velocity = {robot.velocity.x, robot.velocity.y};
    for (Eigen::Index i = 0; i < 4; ++i)
      belief.covariance(i / 2, i % 2) = robot.covariance[static_cast<std::size_t>(i)];
    belief.team = robot.team == msg::TrackedRobot::TEAM_OWN     ? hl_soccer::Team::Own
                  : robot.team == msg::TrackedRobot::TEAM_RIVAL ? hl_soccer::Team::Rival
                                                                : hl_soccer::Team::Unknown;
    if (robot.player_number >= 0) belief.number = robot.player_number;
    belief.last_seen = seconds(robot.last_seen);
    belief.confidence = robot.confidence;
    belief.source = robot.source;
    model.robots.push_back(belief);
  }
  return model;
}

hl_soccer::GameState game_from(const msg::GameState& m) {
  hl_soccer::GameState game;
  game.stamp = seconds(m.header.stamp);
  game.referee_connected = m.referee_connected;
  game.phase = static_cast<hl_soccer::GamePhase>(std::min<std::uint8_t>(m.game_state, 4));
  game.set_play = static_cast<hl_soccer::SetPlay>(m.secondary_state);
  game.set_play_phase = static_cast<hl_soccer::SetPlayPhase>(std::min<std::uint8_t>(m.set_play_phase, 3));
  game.own_set_play = m.own_set_play;
  game.stopped = m.stopped;
  game.first_half = m.first_half;
  game.kick_off = static_cast<hl_soccer::KickOff>(std::min<std::uint8_t>(m.kick_off, 3));
  game.own_score = m.own_score;
  game.rival_score = m.rival_score;
  game.seconds_remaining = m.seconds_remaining;
  game.secondary_seconds_remaining = m.secondary_seconds_remaining;
  game.players_per_team = m.players_per_team;
  game.own_team = m.own_team;
  game.own_player = m.own_player;
  game.own_color_blue = m.own_color == msg::GameState::COLOR_BLUE;
  game.goalkeeper = m.goalkeeper;
  game.penalized = m.penalized;
  game.seconds_till_unpenalized = m.seconds_till_unpenalized;
  game.allowed_to_move = m.allowed_to_move;
  game.message_budget = m.message_budget == msg::GameState::NO_BUDGET ? -1 : m.message_budget;
  set_players(m.own_players, game.own_players);
  set_players(m.rival_players, game.rival_players);
  return game;
}

std::vector<hl_soccer::TeamMate> mates_from(const msg::TeamData& m) {
  std::vector<hl_soccer::TeamMate> mates;
  const std::size_t count = m.robot_ids.size();
  for (std::size_t i = 0; i < count; ++i) {
    hl_soccer::TeamMate mate;
    mate.number = m.robot_ids[i];
    if (i < m.stamps.size()) mate.stamp = seconds(m.stamps[i]);
    if (i < m.role.size()) mate.role = static_cast<Role>(std::min<std::uint8_t>(m.role[i], 5));
    if (i < m.action.size()) mate.action = static_cast<Action>(std::min<std::uint8_t>(m.action[i], 4));
    if (i < m.state.size()) mate.activity = static_cast<hl_soccer::Activity>(std::min<std::uint8_t>(m.state[i], 2));
    if (m.position_covariances.size() >= 9 * (i + 1))
      for (Eigen::Index j = 0; j < 9; ++j)
        mate.pose_covariance(j / 3, j % 3) = m.position_covariances[9 * i + static_cast<std::size_t>(j)];
    const double variance = std::max(mate.pose_covariance(0, 0), mate.pose_covariance(1, 1));
    if (i < m.robot_positions.size() && variance < kUnknownVariance) {
      const auto& pose = m.robot_positions[i];
      mate.pose = Pose2{pose.x, pose.y, pose.theta};
      mate.pose_confidence = 1.0 / (1.0 + std::max(variance, 0.0));
    }
    if (i < m.ball_relative.size()) mate.ball = point_from(m.ball_relative[i]);
    for (const auto* opponents : {&m.opponent_robot_a, &m.opponent_robot_b, &m.opponent_robot_c, &m.opponent_robot_d})
      if (i < opponents->size())
        if (const auto place = point_from((*opponents)[i])) mate.opponents.push_back(*place);
    if (i < m.time_to_position_at_ball.size() && m.time_to_position_at_ball[i] >= 0.0F)
      mate.time_to_ball = m.time_to_position_at_ball[i];
    if (i < m.offensive_side.size())
      mate.offensive_side = static_cast<OffensiveSide>(std::min<std::uint8_t>(m.offensive_side[i], 3));
    mates.push_back(mate);
  }
  return mates;
}

humanoid_league_msgs::action::Navigate::Goal message_from(const NavigateGoal& from) {
  humanoid_league_msgs::action::Navigate::Goal to;
  to.header.frame_id = frame_id(from.frame);
  to.header.stamp = stamp_from(from.stamp);
  to.kind = static_cast<std::uint8_t>(from.kind);
  to.pose = pose2d(from.pose);
  to.ball = point(from.ball);
  to.ball_velocity = vector3(from.ball_velocity);
  to.direction = static_cast<float>(from.direction);
  to.foot = static_cast<std::uint8_t>(from.foot);
  to.target = point(from.target);
  to.target_velocity = vector3(from.target_velocity);
  to.radius = static_cast<float>(from.radius);
  to.velocity.linear.x = from.velocity.x;
  to.velocity.linear.y = from.velocity.y;
  to.velocity.angular.z = from.velocity.yaw;
  to.heading = static_cast<std::uint8_t>(from.heading);
  to.look_at = point(from.look_at);
  to.avoid_ball = from.avoid_ball;
  to.speed_limit = static_cast<float>(from.speed_limit);
  return to;
}

humanoid_league_msgs::action::Kick::Goal message_from(const KickGoal& from) {
  humanoid_league_msgs::action::Kick::Goal to;
  to.header.frame_id = frame_id(from.frame);
  to.header.stamp = stamp_from(from.stamp);
  to.ball_pos = vector3(from.ball);
  to.target = vector3(from.target);
  to.speed = static_cast<float>(from.speed);
  to.in_walk = from.in_walk;
  return to;
}

msg::SkillEvent message_from(const SkillEvent& from, double now) {
  msg::SkillEvent to;
  to.header.stamp = stamp_from(now);
  to.event = static_cast<std::uint8_t>(from.type);
  to.slot = static_cast<std::uint8_t>(from.slot);
  to.id = from.id;
  to.skill = describe(from.skill);
  to.reason = from.reason;
  return to;
}

msg::Strategy strategy_from(const Decision& decision) {
  msg::Strategy strategy;
  strategy.role = static_cast<std::uint8_t>(decision.role);
  strategy.action = static_cast<std::uint8_t>(decision.action);
  strategy.offensive_side = decision.side == OffensiveSide::Left    ? msg::Strategy::SIDE_LEFT
                            : decision.side == OffensiveSide::Right ? msg::Strategy::SIDE_RIGHT
                                                                    : msg::Strategy::SIDE_MIDDLE;
  return strategy;
}

msg::BehaviorDebug debug_from(const Behavior::Outputs& out, double now) {
  msg::BehaviorDebug debug;
  debug.header.stamp = stamp_from(now);
  debug.role = static_cast<std::uint8_t>(out.decision.role);
  debug.action = static_cast<std::uint8_t>(out.decision.action);
  debug.situation = out.decision.row;
  if (out.decision.move) debug.move_skill = describe(*out.decision.move);
  if (out.decision.head) debug.head_skill = describe(*out.decision.head);
  if (out.decision.kick) debug.kick_skill = describe(*out.decision.kick);
  debug.move_state = name_of(out.move);
  debug.head_state = name_of(out.head);
  debug.kick_state = name_of(out.kick);
  for (const Reason& reason : out.decision.reasons) {
    debug.reasons.emplace_back();
    debug.reasons.back().name = reason.name;
    debug.reasons.back().value = reason.text();
  }
  return debug;
}

}  // namespace hl_behavior
