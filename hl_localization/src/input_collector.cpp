// SPDX-License-Identifier: Apache-2.0
#include "input_collector.hpp"

#include <algorithm>

namespace hl_localization {
namespace {

constexpr double kJustSeen = 0.3;    // s since the own ball was seen
constexpr double kSurePlace = 0.25;  // m^2, variance of the place of a team mate who knows where it is
constexpr double kVisualConfidence = 0.8;
constexpr double kKnownTurn = 0.1;  // rad^2; with more the background could not be followed

}  // namespace

/// What is already known of the picture of this header; nothing for frames the core cannot read.
hl_soccer::Percepts* InputCollector::look_at(const std_msgs::msg::Header& header, const char* frame) {
  if (header.frame_id != frame) {
    ++unknown_frames;
    return nullptr;
  }
  const double stamp = seconds(header.stamp);
  for (auto& look : inputs.percepts) {
    if (look.stamp == stamp) return &look;
  }
  inputs.percepts.emplace_back();
  inputs.percepts.back().stamp = stamp;
  return &inputs.percepts.back();
}

void InputCollector::add(const humanoid_league_msgs::msg::LineInformationRelative& message) {
  if (auto* look = look_at(message.header)) add_lines(message, circle_radius_, *look);
}

void InputCollector::add(const humanoid_league_msgs::msg::GoalRelative& message) {
  if (auto* look = look_at(message.header)) add_goal(message, *look);
}

void InputCollector::add(const sensor_msgs::msg::PointCloud2& message) {
  auto* look = look_at(message.header);
  if (look != nullptr && !add_points(message, *look)) ++malformed;
}

void InputCollector::add(const humanoid_league_msgs::msg::VisualCompassRotation& message) {
  if (message.confidence <= 0.0F) return;
  if (auto* look = look_at(message.header, "map")) {
    look->heading = hl_soccer::SeenHeading{message.orientation, message.confidence};
  }
}

void InputCollector::add(const humanoid_league_msgs::msg::RobotControlState& message) {
  using State = humanoid_league_msgs::msg::RobotControlState;
  inputs.body = static_cast<hl_soccer::BodyState>(std::min<int>(message.state, State::KICKING));
}

void InputCollector::add(const humanoid_league_msgs::msg::SupportState& message) {
  inputs.stumbles = message.unstable || message.state == humanoid_league_msgs::msg::SupportState::NONE;
}

void InputCollector::add(const humanoid_league_msgs::msg::TeamData& message) {
  for (std::size_t n = 0; n < message.robot_ids.size(); ++n) {
    if (n >= message.stamps.size() || n >= message.robot_positions.size() || n >= message.ball_relative.size() ||
        9 * n + 8 >= message.position_covariances.size()) {
      continue;
    }
    const double stamp = seconds(message.stamps[n]);
    const auto [last, first_word] = heard_.try_emplace(message.robot_ids[n], stamp);
    if (!first_word && stamp <= last->second) continue;
    last->second = stamp;
    const double spread = message.position_covariances[9 * n] + message.position_covariances[9 * n + 4];
    const auto& ball = message.ball_relative[n];
    if (!(spread >= 0.0 && spread < kSurePlace) || !(ball.confidence > 0.0F)) continue;
    const auto& pose = message.robot_positions[n];
    inputs.team_balls.push_back(Pose2{pose.x, pose.y, pose.theta} * Eigen::Vector2d(ball.pose.x, ball.pose.y));
  }
}

void InputCollector::add(const humanoid_league_msgs::msg::Model& message) {
  inputs.own_ball.reset();
  const double age = seconds(message.header.stamp) - seconds(message.ball_last_seen);
  if (!(message.ball.confidence > 0.0F) || !(age >= 0.0 && age < kJustSeen)) return;
  inputs.own_ball = Eigen::Vector2d(message.ball.ball_relative.x, message.ball.ball_relative.y);
}

void InputCollector::add_visual(const nav_msgs::msg::Odometry& message) {
  const hl_soccer::Odometry now = odometry_from(message);
  const bool known = message.pose.covariance[35] < kKnownTurn;
  if (visual_ && now.stamp > visual_->stamp && now.pose.finite() && known) {
    std_msgs::msg::Header header = message.header;
    header.frame_id = "base_footprint";
    const double turn = hl_description::wrap_angle(now.pose.yaw - visual_->pose.yaw);
    look_at(header)->turn = hl_soccer::SeenTurn{visual_->stamp, turn, kVisualConfidence};
  }
  visual_ = now;
}

void InputCollector::add_initial(const geometry_msgs::msg::PoseWithCovarianceStamped& message) {
  if (!message.header.frame_id.empty() && message.header.frame_id != "map") {
    ++unknown_frames;
    return;
  }
  inputs.reset = Start::Pose;
  inputs.pose = estimate_from(message);
}

void InputCollector::taken() {
  inputs.odometry.reset();
  inputs.percepts.clear();
  inputs.reset.reset();
  inputs.pose.reset();
  inputs.team_balls.clear();
}

}  // namespace hl_localization
