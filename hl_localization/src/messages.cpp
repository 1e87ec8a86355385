// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <limits>

namespace hl_localization {
namespace {

using Eigen::Vector2d;

Vector2d on_ground(const geometry_msgs::msg::Point& p) {
  return {p.x, p.y};
}

/// Centre of the circle of known radius through the ends of an arc, on the side its middle bulges away from.
std::optional<Vector2d> centre_of(const Vector2d& left, const Vector2d& middle, const Vector2d& right, double radius) {
  const Vector2d chord = right - left;
  const double half = 0.5 * chord.norm();
  if (!(half > 0.1) || !(half < 1.3 * radius)) return std::nullopt;
  const Vector2d normal = Vector2d(-chord.y(), chord.x()) / (2.0 * half), mid = 0.5 * (left + right);
  const double bulge = (middle - mid).dot(normal);
  if (std::abs(bulge) < 0.05) return std::nullopt;
  // Sagitta s = r - sqrt(r^2 - h^2) for less than half a circle, more beyond.
  const double root = std::sqrt(std::max(0.0, radius * radius - half * half));
  const double towards = std::abs(bulge) < radius ? -root : root;
  return mid + normal * (bulge > 0.0 ? towards : -towards);
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

geometry_msgs::msg::Quaternion to_quaternion(double yaw) {
  geometry_msgs::msg::Quaternion q;
  q.x = q.y = 0.0;
  q.z = std::sin(0.5 * yaw);
  q.w = std::cos(0.5 * yaw);
  return q;
}

hl_soccer::Odometry odometry_from(const nav_msgs::msg::Odometry& message) {
  const auto& pose = message.pose.pose;
  const auto& q = pose.orientation;
  return {seconds(message.header.stamp),
          {pose.position.x, pose.position.y, hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))}};
}

void add_lines(const humanoid_league_msgs::msg::LineInformationRelative& message, double circle_radius,
               hl_soccer::Percepts& percepts) {
  using hl_description::Field;
  using Marking = humanoid_league_msgs::msg::LineIntersectionRelative;
  for (const auto& segment : message.segments) {
    percepts.segments.push_back({on_ground(segment.start), on_ground(segment.end), segment.confidence});
  }
  for (const auto& marking : message.markings) {
    if (marking.segments.empty() || marking.type == Marking::UNDEFINED) continue;
    hl_soccer::SeenCrossing crossing;
    crossing.type = marking.type == Marking::L   ? Field::Crossing::L
                    : marking.type == Marking::T ? Field::Crossing::T
                                                 : Field::Crossing::X;
    crossing.position = on_ground(marking.segments.front().start);
    crossing.confidence = marking.confidence;
    for (const auto& arm : marking.segments) {
      const Vector2d along = on_ground(arm.end) - on_ground(arm.start);
      if (along.norm() > 1e-3) crossing.arms.push_back(along.normalized());
    }
    percepts.crossings.push_back(crossing);
  }
  for (const auto& circle : message.circles) {
    const auto centre =
        centre_of(on_ground(circle.left), on_ground(circle.middle), on_ground(circle.right), circle_radius);
    if (centre) percepts.circles.push_back({*centre, 0.8});
  }
}

void add_goal(const humanoid_league_msgs::msg::GoalRelative& message, hl_soccer::Percepts& percepts) {
  percepts.goal = hl_soccer::SeenGoal{on_ground(message.left_post), on_ground(message.right_post), message.confidence};
}

bool add_points(const sensor_msgs::msg::PointCloud2& message, hl_soccer::Percepts& percepts) {
  std::size_t x = std::numeric_limits<std::size_t>::max(), y = x;
  for (const auto& field : message.fields) {
    if (field.datatype != sensor_msgs::msg::PointField::FLOAT32) continue;
    if (field.name == "x") x = field.offset;
    if (field.name == "y") y = field.offset;
  }
  const std::size_t step = message.point_step, count = static_cast<std::size_t>(message.width) * message.height;
  if (message.is_bigendian || step == 0 || x > step || y > step || std::max(x, y) + sizeof(float) > step ||
      count > message.data.size() / step) {
    return false;
  }
  for (std::size_t n = 0; n < count; ++n) {
    float px = 0.0F, py = 0.0F;
    std::memcpy(&px, message.data.data() + n * step + x, sizeof px);
    std::memcpy(&py, message.data.data() + n * step + y, sizeof py);
    percepts.line_points.emplace_back(px, py);
  }
  return true;
}

hl_soccer::GameState game_from(const humanoid_league_msgs::msg::GameState& message) {
  hl_soccer::GameState game;
  game.stamp = seconds(message.header.stamp);
  game.referee_connected = message.referee_connected;
  game.phase = static_cast<hl_soccer::GamePhase>(std::min<int>(message.game_state, 4));
  game.first_half = message.first_half;
  game.own_player = message.own_player;
  game.own_color_blue = message.own_color == humanoid_league_msgs::msg::GameState::COLOR_BLUE;
  game.goalkeeper = message.goalkeeper;
  game.penalized = message.penalized;
  return game;
}

PoseEstimate estimate_from(const geometry_msgs::msg::PoseWithCovarianceStamped& message) {
  PoseEstimate estimate;
  const auto& pose = message.pose.pose;
  const auto& q = pose.orientation;
  estimate.pose = {pose.position.x, pose.position.y, hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
  const auto& c = message.pose.covariance;
  estimate.covariance = Eigen::Vector3d(c[0], c[7], c[35]).asDiagonal();
  return estimate;
}

void fill(geometry_msgs::msg::PoseWithCovarianceStamped& message, const hl_soccer::PoseBelief& belief) {
  message.header.stamp = to_stamp(belief.stamp);
  message.header.frame_id = "map";
  message.pose.pose.position.x = belief.pose.x;
  message.pose.pose.position.y = belief.pose.y;
  message.pose.pose.orientation = to_quaternion(belief.pose.yaw);
  const int places[3] = {0, 1, 5};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      message.pose.covariance[static_cast<std::size_t>(6 * places[row] + places[column])] =
          belief.covariance(row, column);
    }
  }
}

void fill(humanoid_league_msgs::msg::Position2D& message, const hl_soccer::PoseBelief& belief) {
  message.header.stamp = to_stamp(belief.stamp);
  message.header.frame_id = "map";
  message.pose.x = belief.pose.x;
  message.pose.y = belief.pose.y;
  message.pose.theta = belief.pose.yaw;
  message.confidence = static_cast<float>(belief.confidence);
}

}  // namespace hl_localization
