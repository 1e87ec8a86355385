// SPDX-License-Identifier: Apache-2.0
#include "marker_scene.hpp"

#include <algorithm>
#include <cmath>

namespace hl_visualization {
namespace {

using visualization_msgs::msg::Marker;

struct Rgb {
  float r, g, b;
};
// The colours of the window's palette.
constexpr Rgb kLine{0.91F, 0.95F, 0.92F}, kTurf{0.12F, 0.35F, 0.20F}, kBall{1.0F, 0.60F, 0.24F},
    kMate{0.18F, 0.82F, 0.75F}, kRival{1.0F, 0.43F, 0.54F}, kUnknown{0.73F, 0.75F, 0.79F}, kPath{1.0F, 0.88F, 0.4F},
    kPurple{0.78F, 0.57F, 0.92F}, kSelf{0.35F, 0.69F, 1.0F}, kGood{0.42F, 0.81F, 0.44F};
constexpr double kRobotHeight = 0.5, kRobotWidth = 0.26, kPostHeight = 1.2, kPostWidth = 0.1;  // m, as drawn

void paint(Marker& marker, const Rgb& color, float alpha = 1.0F) {
  marker.color.r = color.r;
  marker.color.g = color.g;
  marker.color.b = color.b;
  marker.color.a = alpha;
}

void size(Marker& marker, double x, double y = 0.0, double z = 0.0) {
  marker.scale.x = x;
  marker.scale.y = y;
  marker.scale.z = z;
}

void place(Marker& marker, double x, double y, double z) {
  marker.pose.position.x = x;
  marker.pose.position.y = y;
  marker.pose.position.z = z;
}

const Rgb& color_of(Side side) {
  return side == Side::Own ? kMate : side == Side::Rival ? kRival : kUnknown;
}

bool usable(const Marker& m) {
  const auto ok = [](double x, double y, double z) { return std::isfinite(x) && std::isfinite(y) && std::isfinite(z); };
  if (!ok(m.pose.position.x, m.pose.position.y, m.pose.position.z) || !ok(m.scale.x, m.scale.y, m.scale.z))
    return false;
  return std::all_of(m.points.begin(), m.points.end(), [&](const auto& p) { return ok(p.x, p.y, p.z); });
}

}  // namespace

MarkerScene::MarkerScene(const hl_description::Field& field, double lifetime) : field_(field), lifetime_(lifetime) {
  build_still();
}

MarkerScene::Marker& MarkerScene::add(const char* layer, int type, const char* frame) {
  if (used_ == moving_.markers.size()) moving_.markers.emplace_back();
  Marker& m = moving_.markers[used_++];
  m.header.frame_id = frame;
  m.header.stamp.sec = 0;  // newest transform
  m.header.stamp.nanosec = 0;
  m.ns = layer;
  m.id = next_id_[layer]++;
  m.type = type;
  m.action = Marker::ADD;
  m.pose = geometry_msgs::msg::Pose();
  m.lifetime.sec = static_cast<std::int32_t>(lifetime_);
  m.lifetime.nanosec = static_cast<std::uint32_t>(1e9 * (lifetime_ - std::floor(lifetime_)));
  m.frame_locked = true;
  m.points.clear();
  m.colors.clear();
  m.text.clear();
  size(m, 0.0);
  shown_.emplace(layer, m.id);
  return m;
}

void MarkerScene::point(Marker& marker, double x, double y, double z) {
  marker.points.emplace_back();
  marker.points.back().x = x;
  marker.points.back().y = y;
  marker.points.back().z = z;
}

void MarkerScene::build_still() {
  const auto base = [this](const char* layer, int id, int type) -> Marker& {
    still_.markers.emplace_back();
    Marker& m = still_.markers.back();
    m.header.frame_id = "map";
    m.ns = layer;
    m.id = id;
    m.type = type;
    m.action = Marker::ADD;
    m.frame_locked = true;
    return m;
  };
  Marker& turf = base("field", 0, Marker::CUBE);
  place(turf, 0, 0, -0.012);
  size(turf, field_.length + 2 * field_.border, field_.width + 2 * field_.border, 0.01);
  paint(turf, kTurf);
  Marker& lines = base("field", 1, Marker::LINE_LIST);
  size(lines, field_.line_width);
  paint(lines, kLine);
  for (const auto& line : field_.lines()) {
    point(lines, line.from.x(), line.from.y(), 0.0);
    point(lines, line.to.x(), line.to.y(), 0.0);
  }
  constexpr int kArcs = 48;
  for (int i = 0; i < kArcs; ++i) {
    for (const int end : {i, i + 1}) {
      const double a = 2 * M_PI * end / kArcs;
      point(lines, field_.circle_radius() * std::cos(a), field_.circle_radius() * std::sin(a), 0.0);
    }
  }
  const double mark = field_.mark_length / 2, spot = field_.length / 2 - field_.penalty_mark;
  for (const double x : {-spot, 0.0, spot}) {
    point(lines, x - mark, 0, 0);
    point(lines, x + mark, 0, 0);
    point(lines, x, -mark, 0);
    point(lines, x, mark, 0);
  }
  int id = 0;
  const double half = (field_.goal_width + field_.post_diameter) / 2;
  for (const double end : {-1.0, 1.0}) {
    for (const double side : {-1.0, 1.0}) {
      Marker& post = base("goals", id++, Marker::CYLINDER);
      place(post, end * field_.length / 2, side * half, field_.goal_height / 2);
      size(post, field_.post_diameter, field_.post_diameter, field_.goal_height);
      paint(post, kLine);
    }
    Marker& bar = base("goals", id++, Marker::CUBE);
    place(bar, end * field_.length / 2, 0, field_.goal_height + field_.post_diameter / 2);
    size(bar, field_.post_diameter, 2 * half + field_.post_diameter, field_.post_diameter);
    paint(bar, kLine);
  }
}

const MarkerScene::MarkerArray& MarkerScene::still() {
  return still_;
}

const MarkerScene::MarkerArray& MarkerScene::moving(const SceneData& data) {
  used_ = 0;
  next_id_.clear();
  shown_.clear();
  add_ball(data);
  add_things(data);
  add_plan(data);
  add_body(data);
  drop_unusable();
  for (const auto& [layer, id] : before_) {
    if (shown_.count({layer, id}) > 0) continue;
    Marker& m = add(layer.c_str(), Marker::SPHERE, "map");
    m.id = id;
    m.action = Marker::DELETE;
  }
  before_.clear();
  for (std::size_t i = 0; i < used_; ++i)
    if (moving_.markers[i].action == Marker::ADD) before_.emplace(moving_.markers[i].ns, moving_.markers[i].id);
  moving_.markers.resize(used_);
  return moving_;
}

void MarkerScene::drop_unusable() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    Marker& m = moving_.markers[i];
    if (!usable(m)) {
      shown_.erase({m.ns, m.id});
      ++left_out_;
      continue;
    }
    if (kept != i) std::swap(moving_.markers[kept], m);
    ++kept;
  }
  used_ = kept;
}

void MarkerScene::add_ball(const SceneData& data) {
  const double r = field_.ball_radius;
  if (data.around.ball) {
    Marker& m = add("ball_seen", Marker::SPHERE, "base_footprint");
    place(m, data.around.ball->x, data.around.ball->y, r);
    size(m, 2.2 * r, 2.2 * r, 2.2 * r);
    paint(m, kBall, 0.35F);
  }
  if (data.around.model_ball) {
    const BelievedBall& ball = *data.around.model_ball;
    Marker& m = add("ball", Marker::SPHERE, "base_footprint");
    place(m, ball.x, ball.y, r);
    size(m, 2 * r, 2 * r, 2 * r);
    paint(m, kBall, static_cast<float>(std::clamp(1.0 - ball.age / 10.0, 0.3, 1.0)));
    if (std::hypot(ball.vx, ball.vy) > 0.05) {
      Marker& v = add("ball_velocity", Marker::ARROW, "base_footprint");
      point(v, ball.x, ball.y, r);
      point(v, ball.x + ball.vx, ball.y + ball.vy, r);
      size(v, 0.025, 0.06, 0.08);
      paint(v, kBall);
    }
  }
  if (data.ball_trail.size() > 1) {
    Marker& m = add("ball_trail", Marker::LINE_STRIP, "map");
    for (const Point2& p : data.ball_trail) point(m, p.x, p.y, 0.01);
    size(m, 0.02);
    paint(m, kBall, 0.6F);
  }
}

void MarkerScene::add_things(const SceneData& data) {
  for (const Point2& post : data.around.posts) {
    Marker& m = add("posts", Marker::CYLINDER, "base_footprint");
    place(m, post.x, post.y, kPostHeight / 2);
    size(m, kPostWidth, kPostWidth, kPostHeight);
    paint(m, kPath, 0.7F);
  }
  for (const SeenThing& thing : data.around.obstacles) {
    Marker& m = add("obstacles", Marker::CYLINDER, "base_footprint");
    const double wide = thing.width > 0 ? thing.width : kRobotWidth;
    place(m, thing.at.x, thing.at.y, kRobotHeight / 2);
    size(m, wide, wide, kRobotHeight);
    paint(m, color_of(thing.side), 0.35F);
  }
  for (const BelievedRobot& robot : data.around.model_robots) {
    Marker& m = add("robots", Marker::CYLINDER, "base_footprint");
    place(m, robot.x, robot.y, kRobotHeight / 2);
    size(m, kRobotWidth, kRobotWidth, kRobotHeight);
    paint(m, color_of(robot.side), static_cast<float>(std::clamp(0.9 - robot.age / 10.0, 0.3, 0.9)));
    if (robot.number > 0) {
      Marker& text = add("labels", Marker::TEXT_VIEW_FACING, "base_footprint");
      place(text, robot.x, robot.y, kRobotHeight + 0.12);
      text.scale.z = 0.14;
      text.text = std::to_string(robot.number);
      paint(text, color_of(robot.side));
    }
  }
  if (!data.around.lines.empty()) {
    Marker& m = add("lines", Marker::LINE_LIST, "base_footprint");
    for (const Segment2& s : data.around.lines) {
      point(m, s.from.x, s.from.y, 0.01);
      point(m, s.to.x, s.to.y, 0.01);
    }
    size(m, 0.03);
    paint(m, kSelf, 0.8F);
  }
}

void MarkerScene::add_plan(const SceneData& data) {
  if (data.path.size() > 1) {
    Marker& m = add("path", Marker::LINE_STRIP, "map");
    for (const FieldPose& p : data.path) point(m, p.x, p.y, 0.02);
    size(m, 0.03);
    paint(m, kPath);
    Marker& goal = add("goal", Marker::ARROW, "map");
    const FieldPose& end = data.path.back();
    place(goal, end.x, end.y, 0.02);
    goal.pose.orientation.z = std::sin(end.yaw / 2);
    goal.pose.orientation.w = std::cos(end.yaw / 2);
    size(goal, 0.25, 0.04, 0.04);
    paint(goal, kPurple);
  }
  if (!data.label.empty()) {
    Marker& m = add("labels", Marker::TEXT_VIEW_FACING, "base_footprint");
    place(m, 0, 0, kRobotHeight + 0.25);
    m.scale.z = 0.13;
    m.text = data.label;
    paint(m, kSelf);
  }
}

void MarkerScene::add_body(const SceneData& data) {
  const auto outline = [&](const char* layer, const std::vector<Point2>& points, double height, double width,
                           const Rgb& color) {
    if (points.size() < 3) return;
    Marker& m = add(layer, Marker::LINE_STRIP, "base_footprint");
    for (const Point2& p : points) point(m, p.x, p.y, height);
    point(m, points.front().x, points.front().y, height);
    size(m, width);
    paint(m, color);
  };
  outline("support_polygon", data.support, 0.005, 0.008, kGood);
  outline("field_of_view", data.around.field_of_view, 0.01, 0.015, kSelf);
  if (data.capture_known) {
    Marker& m = add("capture_point", Marker::SPHERE, data.capture_frame.c_str());
    place(m, data.capture.x, data.capture.y, 0.01);
    size(m, 0.03, 0.03, 0.03);
    paint(m, kPurple);
  }
}

}  // namespace hl_visualization
