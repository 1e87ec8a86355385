// SPDX-License-Identifier: Apache-2.0
#include "judgement.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <rclcpp/serialization.hpp>
#include <rclcpp/serialized_message.hpp>

namespace hl_visualization {
namespace {

using hl_description::Pose2;
using humanoid_league_msgs::msg::BallRelative;
using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::SimulationState;
using Pose = geometry_msgs::msg::PoseWithCovarianceStamped;

constexpr std::int64_t kSameMoment = 20'000'000;  // ns
constexpr double kUnknownVariance = 1e3;          // m^2, of the contract

std::int64_t nanoseconds(const builtin_interfaces::msg::Time& stamp) {
  return 1'000'000'000LL * stamp.sec + stamp.nanosec;
}

template <class Message>
std::optional<Message> read(const std::vector<std::uint8_t>& bytes) {
  rclcpp::SerializedMessage serialized(bytes.size());
  auto& raw = serialized.get_rcl_serialized_message();
  std::memcpy(raw.buffer, bytes.data(), bytes.size());
  raw.buffer_length = bytes.size();
  Message message;
  try {
    rclcpp::Serialization<Message>().deserialize_message(&serialized, &message);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return message;
}

Pose2 pose_of(const geometry_msgs::msg::Pose& pose) {
  const auto& q = pose.orientation;
  return {pose.position.x, pose.position.y, hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
}

Claim ball_claim(const BallRelative& ball, const builtin_interfaces::msg::Time& stamp) {
  return {nanoseconds(stamp), ball.confidence > 0.0F, {ball.ball_relative.x, ball.ball_relative.y, 0.0}};
}

const char* const kPose = "geometry_msgs/msg/PoseWithCovarianceStamped";
const char* const kPosition = "humanoid_league_msgs/msg/Position2D";
const char* const kBall = "humanoid_league_msgs/msg/BallRelative";
const char* const kModel = "humanoid_league_msgs/msg/Model";

}  // namespace

Subject subject_of(const std::string& type) {
  if (type == kPose || type == kPosition) return Subject::OwnPose;
  if (type == kBall || type == kModel) return Subject::Ball;
  return Subject::None;
}

std::optional<Claim> claim_from(const std::string& type, const std::vector<std::uint8_t>& bytes) {
  std::optional<Claim> claim;
  if (type == kPose) {
    if (const auto m = read<Pose>(bytes))
      claim = Claim{nanoseconds(m->header.stamp), m->pose.covariance[0] < kUnknownVariance, pose_of(m->pose.pose)};
  } else if (type == kPosition) {
    if (const auto m = read<Position2D>(bytes))
      claim = Claim{nanoseconds(m->header.stamp), m->confidence > 0.0F, {m->pose.x, m->pose.y, m->pose.theta}};
  } else if (type == kBall) {
    if (const auto m = read<BallRelative>(bytes)) claim = ball_claim(*m, m->header.stamp);
  } else if (type == kModel) {
    if (const auto m = read<Model>(bytes)) claim = ball_claim(m->ball, m->header.stamp);
  }
  if (claim && !claim->place.finite()) claim->found = false;
  return claim;
}

TruthTrack::TruthTrack(const Bag& bag, const std::string& topic, const std::string& robot) {
  for (const Bag::Message& message : bag.messages) {
    if (message.topic != topic) continue;
    const auto state = read<SimulationState>(message.bytes);
    if (!state || state->robots.empty()) continue;
    const auto* own = &state->robots.front();
    for (const auto& candidate : state->robots)
      if (candidate.name == robot) own = &candidate;
    moments_[nanoseconds(state->header.stamp)] = {pose_of(own->pose),
                                                  {state->ball_pose.position.x, state->ball_pose.position.y, 0.0}};
  }
}

std::optional<Pose2> TruthTrack::at(Subject subject, std::int64_t stamp) const {
  if (moments_.empty()) return std::nullopt;
  auto near = moments_.lower_bound(stamp);
  if (near == moments_.end() || (near != moments_.begin() && stamp - std::prev(near)->first < near->first - stamp))
    --near;
  if (std::abs(near->first - stamp) > kSameMoment) return std::nullopt;
  if (subject == Subject::OwnPose) return near->second.robot;
  const Eigen::Vector2d relative = near->second.robot.inverse() * near->second.ball.position();
  return Pose2{relative.x(), relative.y(), 0.0};
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {values.size(), at(0.5), at(0.95)};
}

Score score_of(const std::vector<Claim>& claims, Subject subject, const TruthTrack& truth) {
  std::vector<double> errors, turns;
  std::size_t found = 0;
  for (const Claim& claim : claims) {
    if (!claim.found) continue;
    ++found;
    const auto real = truth.at(subject, claim.stamp);
    if (!real) continue;
    errors.push_back((claim.place.position() - real->position()).norm());
    if (subject == Subject::OwnPose) turns.push_back(std::abs(hl_description::wrap_angle(claim.place.yaw - real->yaw)));
  }
  const auto wrong = std::count_if(errors.begin(), errors.end(), [](double error) { return error > kWrong; });
  const double share = errors.empty() ? 0.0 : static_cast<double>(wrong) / static_cast<double>(errors.size());
  const double recall = claims.empty() ? 0.0 : static_cast<double>(found) / static_cast<double>(claims.size());
  return {spread_of(errors), spread_of(turns), recall, share};
}

Spread difference_of(const std::vector<Claim>& a, const std::vector<Claim>& b) {
  std::map<std::int64_t, const Claim*> others;
  for (const Claim& claim : b)
    if (claim.found) others[claim.stamp] = &claim;
  std::vector<double> distances;
  for (const Claim& claim : a) {
    if (!claim.found || others.empty()) continue;
    auto near = others.lower_bound(claim.stamp);
    if (near == others.end() ||
        (near != others.begin() && claim.stamp - std::prev(near)->first < near->first - claim.stamp))
      --near;
    if (std::abs(near->first - claim.stamp) <= kSameMoment)
      distances.push_back((claim.place.position() - near->second->place.position()).norm());
  }
  return spread_of(distances);
}

}  // namespace hl_visualization
