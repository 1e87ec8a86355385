// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace hl_vision {
namespace {

using Crossing = hl_description::Field::Crossing;
using hl_soccer::ObstacleKind;

geometry_msgs::msg::Point point(const cv::Point2d& p) {
  geometry_msgs::msg::Point result;
  result.x = p.x;
  result.y = p.y;
  return result;
}
geometry_msgs::msg::Point point(const Eigen::Vector2d& p) {
  return point(cv::Point2d(p.x(), p.y()));
}
cv::Point2d pixel(const geometry_msgs::msg::Point& p) {
  return {p.x, p.y};
}
/// 0..1; what is no number is not sure at all.
double share(float confidence) {
  return confidence > 0.0f ? std::min(1.0, static_cast<double>(confidence)) : 0.0;
}

msg::PostInImage to_message(const std_msgs::msg::Header& header, const PostInImage& post) {
  msg::PostInImage m;
  m.header = header;
  m.foot_point = point(post.foot);
  m.top_point = point(post.top);
  m.width = static_cast<float>(post.width);
  m.confidence = static_cast<float>(post.confidence);
  return m;
}
PostInImage from_message(const msg::PostInImage& m) {
  return {pixel(m.foot_point), pixel(m.top_point), m.width, m.confidence};
}

std::uint8_t type_of(Crossing type) {
  switch (type) {
    case Crossing::L:
      return msg::LineIntersectionInImage::L;
    case Crossing::T:
      return msg::LineIntersectionInImage::T;
    case Crossing::X:
      return msg::LineIntersectionInImage::X;
  }
  return msg::LineIntersectionInImage::UNDEFINED;
}
std::optional<Crossing> type_of(std::uint8_t type) {
  switch (type) {
    case msg::LineIntersectionInImage::L:
      return Crossing::L;
    case msg::LineIntersectionInImage::T:
      return Crossing::T;
    case msg::LineIntersectionInImage::X:
      return Crossing::X;
    default:
      return std::nullopt;
  }
}

/// Centre of the circle through three places.
std::optional<Eigen::Vector2d> centre_of(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  Eigen::Matrix2d m;
  m.row(0) = 2.0 * (b - a).transpose();
  m.row(1) = 2.0 * (c - a).transpose();
  if (std::abs(m.determinant()) < 1e-4) return std::nullopt;
  return m.inverse() * Eigen::Vector2d(b.squaredNorm() - a.squaredNorm(), c.squaredNorm() - a.squaredNorm());
}

}  // namespace

msg::BallInImage to_message(const std_msgs::msg::Header& header, const BallInImage& ball) {
  msg::BallInImage m;
  m.header = header;
  m.center = point(ball.center);
  m.diameter = ball.diameter;
  m.confidence = static_cast<float>(ball.confidence);
  return m;
}

msg::GoalPartsInImage goal_parts_message(const std_msgs::msg::Header& header, const Detection::Outputs& found) {
  msg::GoalPartsInImage m;
  m.header = header;
  for (const PostInImage& post : found.posts) m.posts.push_back(to_message(header, post));
  for (const BarInImage& bar : found.bars) {
    msg::BarInImage b;
    b.header = header;
    b.left_point = point(bar.left);
    b.right_point = point(bar.right);
    b.width = static_cast<float>(bar.width);
    b.confidence = static_cast<float>(bar.confidence);
    m.bars.push_back(b);
  }
  return m;
}

msg::GoalInImage to_message(const std_msgs::msg::Header& header, const std::optional<GoalInImage>& goal) {
  msg::GoalInImage m;
  m.header = header;
  if (!goal) return m;
  m.left_post = to_message(header, goal->left);
  if (goal->right) m.right_post = to_message(header, *goal->right);
  m.center_direction = point(goal->center);
  m.confidence = static_cast<float>(goal->confidence);
  return m;
}

msg::ObstaclesInImage obstacles_message(const std_msgs::msg::Header& header, const Detection::Outputs& found) {
  msg::ObstaclesInImage m;
  m.header = header;
  for (const ObstacleInImage& o : found.obstacles) {
    msg::ObstacleInImage obstacle;
    obstacle.header = header;
    obstacle.color = static_cast<std::uint8_t>(o.kind);
    obstacle.player_number = static_cast<std::int8_t>(o.number.value_or(-1));
    obstacle.top_left = point(cv::Point2d(o.box.x, o.box.y));
    obstacle.width = static_cast<std::uint16_t>(o.box.width);
    obstacle.height = static_cast<std::uint16_t>(o.box.height);
    obstacle.confidence = static_cast<float>(o.confidence);
    m.obstacles.push_back(obstacle);
  }
  return m;
}

msg::LineInformationInImage lines_message(const std_msgs::msg::Header& header, const Detection::Outputs& found) {
  msg::LineInformationInImage m;
  m.header = header;
  for (const SegmentInImage& s : found.segments) {
    msg::LineSegmentInImage segment;
    segment.header = header;
    segment.start = point(s.from);
    segment.end = point(s.to);
    segment.start_width = static_cast<float>(s.from_width);
    segment.end_width = static_cast<float>(s.to_width);
    segment.confidence = static_cast<float>(s.confidence);
    m.segments.push_back(segment);
  }
  const auto add_crossing = [&](std::uint8_t type, const cv::Point2d& at, const std::vector<cv::Point2d>& arms,
                                double confidence) {
    msg::LineIntersectionInImage crossing;
    crossing.header = header;
    crossing.type = type;
    crossing.confidence = static_cast<float>(confidence);
    for (const cv::Point2d& arm : arms) {
      msg::LineSegmentInImage segment;
      segment.header = header;
      segment.start = point(at);
      segment.end = point(arm);
      segment.confidence = crossing.confidence;
      crossing.segments.push_back(segment);
    }
    m.intersections.push_back(crossing);
  };
  for (const CrossingInImage& c : found.crossings) add_crossing(type_of(c.type), c.position, c.arms, c.confidence);
  // The penalty mark is a crossing of no type: four short arms.
  for (const MarkInImage& mark : found.marks)
    add_crossing(msg::LineIntersectionInImage::UNDEFINED, mark.center, mark.arms, mark.confidence);
  for (const CircleInImage& c : found.circles) {
    msg::LineCircleInImage circle;
    circle.header = header;
    circle.left = point(c.left);
    circle.middle = point(c.middle);
    circle.right = point(c.right);
    m.circles.push_back(circle);
  }
  return m;
}

std::optional<BallInImage> from_message(const msg::BallInImage& m) {
  if (!(m.confidence > 0.0f)) return std::nullopt;
  return BallInImage{pixel(m.center), m.diameter, share(m.confidence)};
}

std::optional<GoalInImage> from_message(const msg::GoalInImage& m) {
  if (!(m.confidence > 0.0f) || !(m.left_post.confidence > 0.0f)) return std::nullopt;
  GoalInImage goal;
  goal.left = from_message(m.left_post);
  if (m.right_post.confidence > 0.0f) goal.right = from_message(m.right_post);
  goal.center = pixel(m.center_direction);
  goal.confidence = share(m.confidence);
  return goal;
}

std::vector<ObstacleInImage> from_message(const msg::ObstaclesInImage& m) {
  std::vector<ObstacleInImage> obstacles;
  for (const auto& o : m.obstacles) {
    if (!(o.confidence > 0.0f) || !(std::abs(o.top_left.x) < 1e5) || !(std::abs(o.top_left.y) < 1e5)) continue;
    ObstacleInImage obstacle;
    obstacle.kind = o.color <= static_cast<std::uint8_t>(ObstacleKind::Pole) ? static_cast<ObstacleKind>(o.color)
                                                                             : ObstacleKind::Undefined;
    obstacle.box = cv::Rect(static_cast<int>(o.top_left.x), static_cast<int>(o.top_left.y), o.width, o.height);
    if (o.player_number > 0) obstacle.number = o.player_number;
    obstacle.confidence = share(o.confidence);
    obstacles.push_back(obstacle);
  }
  return obstacles;
}

void from_message(const msg::LineInformationInImage& m, const CameraView& view, Detection::Outputs& seen) {
  for (const auto& s : m.segments)
    seen.segments.push_back({pixel(s.start), pixel(s.end), s.start_width, s.end_width, share(s.confidence)});
  for (const auto& i : m.intersections) {
    const auto type = type_of(i.type);
    if (!type || i.segments.empty()) continue;
    CrossingInImage crossing;
    crossing.type = *type;
    crossing.position = pixel(i.segments.front().start);
    for (const auto& arm : i.segments) crossing.arms.push_back(pixel(arm.end));
    crossing.confidence = share(i.confidence);
    seen.crossings.push_back(std::move(crossing));
  }
  for (const auto& c : m.circles) {
    const auto a = view.on_plane(pixel(c.left)), b = view.on_plane(pixel(c.middle)), d = view.on_plane(pixel(c.right));
    const auto centre = a && b && d ? centre_of(*a, *b, *d) : std::nullopt;
    const auto at = centre ? view.project(*centre) : std::nullopt;
    if (at) seen.circles.push_back({pixel(c.left), pixel(c.middle), pixel(c.right), *at, 0.7});
  }
}

msg::ObstaclesRelative obstacles_message(const std_msgs::msg::Header& header, const hl_soccer::Percepts& percepts) {
  msg::ObstaclesRelative m;
  m.header = header;
  for (const auto& o : percepts.obstacles) {
    msg::ObstacleRelative obstacle;
    obstacle.header = header;
    obstacle.color = static_cast<std::uint8_t>(o.kind);
    obstacle.player_number = static_cast<std::int8_t>(o.number.value_or(-1));
    obstacle.position = point(o.position);
    obstacle.width = static_cast<float>(o.width);
    obstacle.confidence = static_cast<float>(o.confidence);
    m.obstacles.push_back(obstacle);
  }
  return m;
}

msg::LineInformationRelative lines_message(const std_msgs::msg::Header& header, const hl_soccer::Percepts& percepts,
                                           double circle_radius) {
  msg::LineInformationRelative m;
  m.header = header;
  const auto segment = [&](const Eigen::Vector2d& from, const Eigen::Vector2d& to, double confidence) {
    msg::LineSegmentRelative s;
    s.header = header;
    s.start = point(from);
    s.end = point(to);
    s.confidence = static_cast<float>(confidence);
    return s;
  };
  for (const auto& s : percepts.segments) m.segments.push_back(segment(s.from, s.to, s.confidence));
  for (const auto& c : percepts.crossings) {
    msg::LineIntersectionRelative crossing;
    crossing.header = header;
    crossing.type = type_of(c.type);
    crossing.confidence = static_cast<float>(c.confidence);
    for (const auto& arm : c.arms)
      crossing.segments.push_back(segment(c.position, c.position + 0.2 * arm, c.confidence));
    m.markings.push_back(crossing);
  }
  for (const auto& c : percepts.circles) {
    // The near half: left, middle and right as seen from here.
    const Eigen::Vector2d towards =
        c.centre.norm() > 1e-3 ? Eigen::Vector2d(-c.centre.normalized()) : Eigen::Vector2d(-1.0, 0.0);
    const Eigen::Vector2d left(towards.y(), -towards.x());
    msg::LineCircleRelative circle;
    circle.header = header;
    circle.left = point(Eigen::Vector2d(c.centre + circle_radius * left));
    circle.middle = point(Eigen::Vector2d(c.centre + circle_radius * towards));
    circle.right = point(Eigen::Vector2d(c.centre - circle_radius * left));
    m.circles.push_back(circle);
  }
  return m;
}

sensor_msgs::msg::PointCloud2 points_message(const std_msgs::msg::Header& header,
                                             const std::vector<Eigen::Vector2d>& points) {
  sensor_msgs::msg::PointCloud2 m;
  m.header = header;
  m.height = 1;
  m.width = static_cast<std::uint32_t>(points.size());
  m.is_dense = true;
  m.point_step = 12;
  m.row_step = m.point_step * m.width;
  std::uint32_t offset = 0;
  for (const char* name : {"x", "y", "z"}) {
    sensor_msgs::msg::PointField field;
    field.name = name;
    field.offset = offset;
    field.datatype = sensor_msgs::msg::PointField::FLOAT32;
    field.count = 1;
    m.fields.push_back(field);
    offset += 4;
  }
  m.data.resize(m.row_step);
  for (std::size_t n = 0; n < points.size(); ++n) {
    const float xyz[3] = {static_cast<float>(points[n].x()), static_cast<float>(points[n].y()), 0.0f};
    std::memcpy(m.data.data() + 12 * n, xyz, sizeof xyz);
  }
  return m;
}

}  // namespace hl_vision
