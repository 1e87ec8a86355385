// SPDX-License-Identifier: Apache-2.0
#include "team_data_message.hpp"

#include <algorithm>
#include <cmath>

namespace hl_team_comm {
namespace {

using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::Strategy;
using humanoid_league_msgs::msg::TeamData;
using humanoid_league_msgs::msg::TeamLinkMate;

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

void append(const Roster::Entry& entry, std::uint16_t robot, TeamData& data) {
  const TeamMate& mate = entry.mate;
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
  const double whole = std::floor(entry.link.last_message_time);
  auto& stamp = data.stamps.emplace_back();
  stamp.sec = static_cast<std::int32_t>(whole);
  stamp.nanosec = static_cast<std::uint32_t>((entry.link.last_message_time - whole) * 1e9);
  const Eigen::Matrix3d covariance = team_mate_from(mate, robot, entry.link.last_message_time).pose_covariance;
  data.position_covariances.insert(data.position_covariances.end(), covariance.data(), covariance.data() + 9);
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

}  // namespace

TeamData team_data_from(const Roster& roster, double now) {
  TeamData data;
  for (const auto& [robot, entry] : roster.entries()) {
    if (roster.fresh(entry, now)) append(entry, robot, data);
  }
  return data;
}

TeamLinkMate link_from(int number, const Roster::Entry& entry, std::uint64_t received_before, double interval,
                       double now) {
  TeamLinkMate link;
  const Roster::Link& known = entry.link;
  link.player_number = static_cast<std::uint8_t>(number);
  static_assert(static_cast<int>(Connection::Connecting) == TeamLinkMate::CONNECTING &&
                static_cast<int>(Connection::Connected) == TeamLinkMate::CONNECTED);
  link.state = static_cast<std::uint8_t>(entry.state.connection());
  link.age = static_cast<float>(now - known.last_message_time);
  const double sent = static_cast<double>(known.received + known.lost);
  link.loss = sent > 0.0 ? static_cast<float>(static_cast<double>(known.lost) / sent) : -1.0F;
  link.delay = static_cast<float>(known.delay.value_or(-1.0));
  link.rate =
      interval > 0.0 ? static_cast<float>(static_cast<double>(known.received - received_before) / interval) : 0.0F;
  return link;
}

void apply(const Strategy& strategy, TeamComm::Inputs& inputs) {
  using hl_soccer::Action;
  using hl_soccer::OffensiveSide;
  using hl_soccer::Role;
  inputs.role = strategy.role <= Strategy::ROLE_GOALIE ? static_cast<Role>(strategy.role) : Role::Other;
  inputs.action =
      strategy.action <= Strategy::ACTION_WAITING ? static_cast<Action>(strategy.action) : Action::Undefined;
  inputs.offensive_side = strategy.offensive_side == Strategy::SIDE_LEFT     ? OffensiveSide::Left
                          : strategy.offensive_side == Strategy::SIDE_MIDDLE ? OffensiveSide::Centre
                          : strategy.offensive_side == Strategy::SIDE_RIGHT  ? OffensiveSide::Right
                                                                             : OffensiveSide::Unspecified;
}

hl_soccer::Model model_from(const Model& message) {
  hl_soccer::Model model;
  model.ball.position = {message.ball.ball_relative.x, message.ball.ball_relative.y};
  model.ball.confidence = static_cast<double>(message.ball.confidence);
  const auto& pose = message.position.pose;
  const auto& q = pose.pose.orientation;
  model.pose.pose = {pose.pose.position.x, pose.pose.position.y,
                     hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
  model.pose.covariance(0, 0) = pose.covariance[0];
  model.pose.covariance(1, 1) = pose.covariance[7];
  model.pose.confidence = std::max(pose.covariance[0], pose.covariance[7]) < kUnknownVariance ? 1.0 : 0.0;
  for (const auto& obstacle : message.obstacles.obstacles) {
    hl_soccer::RobotBelief& robot = model.robots.emplace_back();
    robot.position = {obstacle.position.x, obstacle.position.y};
    robot.confidence = static_cast<double>(obstacle.confidence);
  }
  return model;
}

}  // namespace hl_team_comm
