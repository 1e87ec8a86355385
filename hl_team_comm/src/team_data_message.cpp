// SPDX-License-Identifier: Apache-2.0
#include "team_data_message.hpp"

#include <algorithm>
#include <cmath>

namespace hl_team_comm {
namespace {

using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::ObstacleRelative;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::Strategy;
using humanoid_league_msgs::msg::TeamData;

constexpr double kUnknownVariance = 1e3;  // m^2; the contract's sign for "I do not know where I am"

Position2D position_from(const std::optional<BelievedPoint>& point) {
  Position2D position;
  if (!point) return position;  // confidence 0: not recognised
  position.pose.x = point->x;
  position.pose.y = point->y;
  position.confidence = point->belief;
  return position;
}

std::uint8_t side_code(OffensiveSide side) {
  switch (side) {
    case OffensiveSide::Left:
      return TeamData::LEFT;
    case OffensiveSide::Middle:
      return TeamData::CENTER;
    case OffensiveSide::Right:
      return TeamData::RIGHT;
    case OffensiveSide::Unspecified:
      break;
  }
  return TeamData::UNSPECIFIED;
}

void append(const TeamMate& mate, std::uint16_t robot, TeamData& data) {
  data.robot_ids.push_back(static_cast<std::uint8_t>(robot));
  data.role.push_back(static_cast<std::uint8_t>(mate.role));
  data.action.push_back(static_cast<std::uint8_t>(mate.action));
  data.state.push_back(static_cast<std::uint8_t>(mate.activity));
  auto& pose = data.robot_positions.emplace_back();
  if (mate.position) {
    pose.x = mate.position->x;
    pose.y = mate.position->y;
    pose.theta = mate.orientation;
  }
  data.ball_relative.push_back(position_from(mate.ball));
  data.oppgoal_relative.push_back(position_from(mate.opponent_goal));
  data.opponent_robot_a.push_back(position_from(mate.opponents[0]));
  data.opponent_robot_b.push_back(position_from(mate.opponents[1]));
  data.opponent_robot_c.push_back(position_from(mate.opponents[2]));
  data.opponent_robot_d.push_back(position_from(mate.opponents[3]));
  data.team_robot_a.push_back(position_from(mate.team_mates[0]));
  data.team_robot_b.push_back(position_from(mate.team_mates[1]));
  data.team_robot_c.push_back(position_from(mate.team_mates[2]));
  data.avg_walking_speed.push_back(static_cast<float>(mate.walking_speed.value_or(0.0)));
  data.time_to_position_at_ball.push_back(static_cast<float>(mate.time_to_ball.value_or(-1.0)));
  data.max_kicking_distance.push_back(static_cast<float>(mate.kicking_distance.value_or(0.0)));
  data.offensive_side.push_back(side_code(mate.offensive_side));
}

double yaw_from(const geometry_msgs::msg::Quaternion& q) {
  return std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

/// Obstacles are relative to the robot; mitecom wants them on the field.
BelievedPoint on_field(const ObstacleRelative& obstacle, const BelievedPoint& robot, double orientation) {
  const double c = std::cos(orientation);
  const double s = std::sin(orientation);
  return {robot.x + c * obstacle.position.x - s * obstacle.position.y,
          robot.y + s * obstacle.position.x + c * obstacle.position.y, obstacle.confidence};
}

}  // namespace

TeamData team_data_from(const Roster& roster, double now) {
  TeamData data;
  for (const auto& [robot, entry] : roster.entries()) {
    if (roster.connection(entry, now) == Connection::Online) append(entry.mate, robot, data);
  }
  return data;
}

void apply(const Strategy& strategy, TeamMate& mate) {
  mate.role = strategy.role <= Strategy::ROLE_GOALIE ? static_cast<Role>(strategy.role) : Role::Other;
  mate.action = strategy.action <= Strategy::ACTION_WAITING ? static_cast<Action>(strategy.action) : Action::Undefined;
  mate.offensive_side = strategy.offensive_side == Strategy::SIDE_LEFT     ? OffensiveSide::Left
                        : strategy.offensive_side == Strategy::SIDE_MIDDLE ? OffensiveSide::Middle
                        : strategy.offensive_side == Strategy::SIDE_RIGHT  ? OffensiveSide::Right
                                                                           : OffensiveSide::Unspecified;
}

void apply(const Model& model, TeamMate& mate) {
  mate.ball.reset();
  if (model.ball.confidence > 0.0F) {
    mate.ball = BelievedPoint{model.ball.ball_relative.x, model.ball.ball_relative.y, model.ball.confidence};
  }
  const auto& pose = model.position.pose;
  const double variance = std::max(pose.covariance[0], pose.covariance[7]);
  mate.position.reset();
  mate.opponents = {};
  if (!(variance < kUnknownVariance)) return;
  // A standard deviation of 1 m is believed by half.
  const auto belief = static_cast<float>(1.0 / (1.0 + std::max(variance, 0.0)));
  mate.position = BelievedPoint{pose.pose.position.x, pose.pose.position.y, belief};
  mate.orientation = yaw_from(pose.pose.orientation);
  std::size_t next = 0;
  for (const auto& obstacle : model.obstacles.obstacles) {
    if (next < mate.opponents.size()) mate.opponents[next++] = on_field(obstacle, *mate.position, mate.orientation);
  }
}

}  // namespace hl_team_comm
