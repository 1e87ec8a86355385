// SPDX-License-Identifier: Apache-2.0
#include "surroundings.hpp"

#include <cmath>
#include <cstring>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/goal_relative.hpp>

#include "messages.hpp"

namespace hl_visualization {
namespace {

using namespace humanoid_league_msgs::msg;
using sensor_msgs::msg::PointCloud2;

constexpr double kReach = 9.0;         // m, of the field of view as drawn
constexpr double kPerceptLasts = 1.0;  // s: what was seen before is no longer "seen now"
constexpr std::size_t kMostPoints = 600;

}  // namespace

Surroundings::Surroundings(RobotTopics& topics) : topics_(topics), camera_(topics) {
  using namespace hl_node;
  topics_.subscribe<BallRelative>(topics::kBallRelative, 3.0, [this](const BallRelative& m) {
    ball_ = seen();
    data_.ball.reset();
    if (m.confidence > 0.0F && usable(m.ball_relative, "ball_relative"))
      data_.ball = Point2{m.ball_relative.x, m.ball_relative.y};
  });
  topics_.subscribe<ObstaclesRelative>(topics::kObstaclesRelative, 3.0,
                                       [this](const ObstaclesRelative& m) { on_obstacles(m); });
  topics_.subscribe<GoalRelative>(topics::kGoalRelative, 3.0, [this](const GoalRelative& m) {
    goal_ = seen();
    data_.posts.clear();
    if (m.confidence <= 0.0F) return;
    for (const auto& post : {m.left_post, m.right_post})
      if (usable(post, "goal_relative")) data_.posts.push_back({post.x, post.y});
  });
  topics_.subscribe<LineInformationRelative>(topics::kLinesRelative, 0.0,
                                             [this](const LineInformationRelative& m) { on_lines(m); });
  topics_.subscribe<PointCloud2>(topics::kLinePoints, 0.0, [this](const PointCloud2& m) { on_points(m); });
  topics_.subscribe<Model>(topics::kPersonalModel, 2.0, [this](const Model& m) {
    topics_.went_back(seconds(m.header.stamp));
    const ModelView model = model_from(m, seconds(m.header.stamp));
    data_.model_ball = model.ball;
    data_.model_robots = model.robots;
    for (const std::string& fault : model.faults) topics_.complain("personal_model: " + fault);
  });
}

bool Surroundings::old(Clock::time_point then) {
  return age(then) > kPerceptLasts;
}

RelativeData Surroundings::now() const {
  RelativeData data = data_;
  if (old(ball_)) data.ball.reset();
  if (old(obstacles_)) data.obstacles.clear();
  if (old(goal_)) data.posts.clear();
  if (old(lines_)) data.lines.clear(), data.crossings.clear();
  if (old(points_)) data.line_points.clear();
  data.seen_age = heard_ ? age(last_) : -1.0;
  data.field_of_view = camera_.field_of_view(kReach);
  return data;
}

bool Surroundings::usable(const geometry_msgs::msg::Point& point, const char* topic) {
  if (finite(point.x, point.y)) return true;
  topics_.complain(topics_.name_of(topic) + ": not a number, left out");
  return false;
}

void Surroundings::on_obstacles(const ObstaclesRelative& m) {
  obstacles_ = seen();
  data_.obstacles.clear();
  for (const ObstacleRelative& o : m.obstacles) {
    if (o.confidence <= 0.0F || !usable(o.position, "obstacles_relative")) continue;
    data_.obstacles.push_back({{o.position.x, o.position.y},
                               std::isfinite(o.width) ? o.width : 0.0,
                               Side::Unknown,
                               o.player_number,
                               o.confidence});
  }
}

void Surroundings::on_lines(const LineInformationRelative& m) {
  lines_ = seen();
  data_.lines.clear();
  data_.crossings.clear();
  for (const auto& s : m.segments) {
    if (finite(s.start.x, s.start.y, s.end.x, s.end.y))
      data_.lines.push_back({{s.start.x, s.start.y}, {s.end.x, s.end.y}});
  }
  for (const auto& crossing : m.markings) {
    if (crossing.segments.empty()) continue;
    const auto& p = crossing.segments.front().start;
    if (finite(p.x, p.y)) data_.crossings.push_back({p.x, p.y});
  }
}

void Surroundings::on_points(const PointCloud2& m) {
  points_ = seen();
  data_.line_points.clear();
  std::size_t x = m.point_step, y = m.point_step;
  for (const auto& field : m.fields) {
    if (field.datatype != sensor_msgs::msg::PointField::FLOAT32) continue;
    if (field.name == "x") x = field.offset;
    if (field.name == "y") y = field.offset;
  }
  const std::size_t count = static_cast<std::size_t>(m.width) * m.height;
  if (x + 4 > m.point_step || y + 4 > m.point_step || m.is_bigendian || m.data.size() / m.point_step < count) {
    topics_.complain("line_points: a cloud without x and y as FLOAT32, or shorter than it says");
    return;
  }
  for (std::size_t i = 0; i < count; i += 1 + count / kMostPoints) {
    float px = 0, py = 0;
    std::memcpy(&px, &m.data[i * m.point_step + x], 4);
    std::memcpy(&py, &m.data[i * m.point_step + y], 4);
    if (finite(px, py)) data_.line_points.push_back({px, py});
  }
}

}  // namespace hl_visualization
