// SPDX-License-Identifier: Apache-2.0
#include "marking_messages.hpp"

namespace hl_visualization {
namespace {

using namespace humanoid_league_msgs::msg;

constexpr double kFarthest = 1e5;  // px; beyond this nothing can be drawn

bool usable(double value) {
  return std::isfinite(value) && std::abs(value) < kFarthest;
}

bool usable(const geometry_msgs::msg::Point& p) {
  return usable(p.x) && usable(p.y);
}

Pixel pixel(const geometry_msgs::msg::Point& p) {
  return {p.x, p.y};
}

void add_ball(std::vector<CircleMark>& balls, const BallInImage& ball, int& bad) {
  if (ball.confidence == 0.0F) return;
  if (!usable(ball.center) || !usable(ball.diameter) || !usable(ball.confidence)) {
    ++bad;
    return;
  }
  balls.push_back({pixel(ball.center), ball.diameter, ball.confidence});
}

void add_line(std::vector<LineMark>& lines, const geometry_msgs::msg::Point& from, const geometry_msgs::msg::Point& to,
              double width, double confidence, int& bad) {
  if (confidence == 0.0) return;
  if (!usable(from) || !usable(to) || !usable(width)) {
    ++bad;
    return;
  }
  lines.push_back({pixel(from), pixel(to), width, confidence});
}

}  // namespace

Markings markings_from(const BallInImage& message, int& bad) {
  Markings m;
  add_ball(m.balls, message, bad);
  return m;
}

Markings markings_from(const BallsInImage& message, int& bad) {
  Markings m;
  for (const BallInImage& ball : message.candidates) add_ball(m.candidates, ball, bad);
  return m;
}

Markings markings_from(const ObstaclesInImage& message, int& bad) {
  Markings m;
  for (const ObstacleInImage& o : message.obstacles) {
    if (o.confidence == 0.0F) continue;
    if (!usable(o.top_left)) {
      ++bad;
      continue;
    }
    m.obstacles.push_back({pixel(o.top_left), static_cast<double>(o.width), static_cast<double>(o.height), o.color,
                           o.player_number, o.confidence});
  }
  return m;
}

Markings markings_from(const GoalPartsInImage& message, int& bad) {
  Markings m;
  for (const PostInImage& post : message.posts)
    add_line(m.posts, post.foot_point, post.top_point, post.width, post.confidence, bad);
  for (const BarInImage& bar : message.bars)
    add_line(m.bars, bar.left_point, bar.right_point, bar.width, bar.confidence, bad);
  return m;
}

Markings markings_from(const GoalInImage& message, int& bad) {
  Markings m;
  if (message.confidence == 0.0F) return m;
  for (const PostInImage* post : {&message.left_post, &message.right_post})
    add_line(m.goal_posts, post->foot_point, post->top_point, post->width, post->confidence, bad);
  if (usable(message.center_direction)) {
    m.goal_centre.push_back(pixel(message.center_direction));
  } else {
    ++bad;
  }
  return m;
}

Markings markings_from(const LineInformationInImage& message, int& bad) {
  Markings m;
  for (const LineSegmentInImage& s : message.segments)
    add_line(m.lines, s.start, s.end, (s.start_width + s.end_width) / 2, s.confidence, bad);
  for (const LineIntersectionInImage& crossing : message.intersections) {
    if (crossing.segments.empty() || crossing.confidence == 0.0F) continue;
    const auto& at = crossing.segments.front().start;
    if (!usable(at)) {
      ++bad;
      continue;
    }
    constexpr char kTypes[] = {'?', 'L', 'T', 'X'};
    m.crossings.push_back({pixel(at), crossing.type < 4 ? kTypes[crossing.type] : '?'});
  }
  for (const LineCircleInImage& arc : message.circles) {
    if (usable(arc.left) && usable(arc.middle) && usable(arc.right)) {
      m.arcs.push_back({pixel(arc.left), pixel(arc.middle), pixel(arc.right)});
    } else {
      ++bad;
    }
  }
  return m;
}

Markings markings_from(const sensor_msgs::msg::RegionOfInterest& message, int&) {
  Markings m;
  m.regions.push_back({{static_cast<double>(message.x_offset), static_cast<double>(message.y_offset)},
                       static_cast<double>(message.width),
                       static_cast<double>(message.height),
                       0,
                       -1,
                       1.0});
  return m;
}

}  // namespace hl_visualization
