// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/labelled_view.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/formatted.hpp>
#include <map>
#include <optional>

namespace hl_simulation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using hl_description::formatted;

constexpr double kLineStep = 0.10;  // m, length of a piece of line
constexpr double kLineRange = 5.0;  // m
constexpr double kNoRange = 99.0;   // m: a piece that is there but need not be found

class Labels {
 public:
  Labels(const Simulation& simulation, std::size_t robot, const Renderer::Segments& segments)
      : simulation_(simulation), robot_(robot), segments_(segments), field_(simulation.world().field) {
    const CameraSpec& camera = simulation.robot(robot).spec().camera;
    world_from_camera_ = simulation.robot(robot).frame_pose(camera.frame);
    camera_from_world_ = world_from_camera_.inverse();
    focal_ = 0.5 * segments.width / std::tan(0.5 * camera.horizontal_fov);
    floor_ = segments.id("floor");
  }

  std::string write(const std::string& file) {
    const Vector3d up = camera_from_world_.linear().col(2);
    out_ = formatted("- file: %s\n  width: %d\n  height: %d\n", file.c_str(), segments_.width, segments_.height);
    out_ += formatted(
        "  camera: {focal_px: %.3f, centre_px: [%.1f, %.1f], height_m: %.4f, up_xyz: [%.6f, %.6f, %.6f]}\n", focal_,
        0.5 * segments_.width, 0.5 * segments_.height, world_from_camera_.translation().z(), up.x(), up.y(), up.z());
    out_ += "  complete: [balls, posts, robots, lines, crossings, penalty_mark]\n";
    ball();
    posts();
    robots();
    lines();
    distractors();
    return std::move(out_);
  }

 private:
  std::optional<Vector2d> pixel(const Vector3d& world) const {
    const Vector3d p = camera_from_world_ * world;
    if (p.z() < 0.05) return std::nullopt;
    return Vector2d(0.5 * segments_.width + focal_ * p.x() / p.z(), 0.5 * segments_.height + focal_ * p.y() / p.z());
  }
  double depth(const Vector3d& world) const { return (camera_from_world_ * world).z(); }
  double distance(const Vector3d& world) const { return (world - world_from_camera_.translation()).head<2>().norm(); }
  int shown(const Vector2d& p) const {
    const int x = static_cast<int>(std::floor(p.x())), y = static_cast<int>(std::floor(p.y()));
    if (x < 0 || y < 0 || x >= segments_.width || y >= segments_.height) return -3;
    return segments_.at(x, y);
  }
  std::optional<Vector2d> visible_ground(const Vector2d& place) const {
    const auto p = pixel({place.x(), place.y(), 0.0});
    if (!p || shown(*p) != floor_) return std::nullopt;
    return p;
  }

  void ball() {
    out_ += "  balls:\n";
    if (!simulation_.world().with_ball) return;
    const Vector3d at = simulation_.ball_position();
    const auto centre = pixel(at);
    const int id = segments_.id("ball");
    if (!centre || id < 0) return;
    const Vector3d p = camera_from_world_ * at;
    const double r = focal_ * field_.ball_radius / p.z() * std::sqrt(p.norm() / p.z());
    long seen = 0;
    for (const int s : segments_.ids) seen += s == id;
    const double share = static_cast<double>(seen) / std::max(1.0, M_PI * r * r);
    if (share < 0.05) return;
    out_ += formatted("  - {center: [%.2f, %.2f], diameter: %.2f, visible: %.2f, distance: %.3f}\n", centre->x(),
                      centre->y(), 2.0 * r, std::min(1.0, share), distance(at));
  }

  void posts() {
    out_ += "  posts:\n";
    if (!simulation_.world().with_goals) return;
    for (const double side : {-1.0, 1.0}) {
      const int id = segments_.id(side < 0 ? "goal_own" : "goal_other");
      for (const double hand : {-1.0, 1.0}) {
        const Vector3d foot(side * 0.5 * field_.length, hand * 0.5 * (field_.goal_width + field_.post_diameter), 0.0);
        const auto p = pixel(foot), up = pixel(foot + Vector3d(0, 0, 0.3)),
                   at_foot = pixel(foot + Vector3d(0, 0, 0.06));
        if (!p || !up || !at_foot) continue;
        const bool upper = shown(*up) == id, lower = shown(*at_foot) == id;
        const bool inside = p->x() > 2 && p->y() > 2 && p->x() < segments_.width - 2 && p->y() < segments_.height - 2;
        if (!upper && !lower) continue;
        out_ += formatted("  - {foot: [%.2f, %.2f], width: %.2f, foot_visible: %s, distance: %.3f}\n", p->x(), p->y(),
                          focal_ * field_.post_diameter / depth(foot), inside && upper && lower ? "true" : "false",
                          distance(foot));
      }
    }
  }

  void robots() {
    out_ += "  robots:\n";
    for (std::size_t n = 0; n < simulation_.robot_count(); ++n) {
      if (n == robot_) continue;
      const Robot& robot = simulation_.robot(n);
      const int id = segments_.id(robot.name());
      if (id < 0) continue;
      int left = segments_.width, right = -1, top = segments_.height, bottom = -1;
      long seen = 0;
      for (int y = 0; y < segments_.height; ++y) {
        for (int x = 0; x < segments_.width; ++x) {
          if (segments_.at(x, y) != id) continue;
          left = std::min(left, x);
          right = std::max(right, x);
          top = std::min(top, y);
          bottom = std::max(bottom, y);
          ++seen;
        }
      }
      if (seen < 40) continue;
      const Vector3d at = robot.pose().translation();
      // A standing robot fills about 0.045 m^2 of the view; feet must be in the picture to tell where it is.
      const double whole = 0.045 * std::pow(focal_ / depth(at), 2);
      double share = std::min(1.0, static_cast<double>(seen) / whole);
      if (bottom >= segments_.height - 2 || left <= 1 || right >= segments_.width - 2) share = std::min(share, 0.45);
      const auto& colour = simulation_.world().robots[n].colour;
      out_ += formatted("  - {box: [%d, %d, %d, %d], team: %s, number: %d, visible: %.2f, distance: %.3f}\n", left, top,
                        right - left + 1, bottom - top + 1, colour[0] > colour[2] ? "red" : "blue",
                        segments_.numbers.at(n), share, distance(at));
    }
  }

  void piece(const Vector2d& a, const Vector2d& b, double range) {
    const Vector2d middle = 0.5 * (a + b);
    const Vector3d at(middle.x(), middle.y(), 0.0);
    if (distance(at) > kLineRange) return;
    if (!visible_ground(middle)) return;
    const auto p = pixel({a.x(), a.y(), 0.0}), q = pixel({b.x(), b.y(), 0.0});
    if (!p || !q) return;
    const Vector2d along = (b - a).normalized(), across(-along.y(), along.x());
    const auto s = pixel({middle.x() + 0.5 * field_.line_width * across.x(),
                          middle.y() + 0.5 * field_.line_width * across.y(), 0.0}),
               t = pixel({middle.x() - 0.5 * field_.line_width * across.x(),
                          middle.y() - 0.5 * field_.line_width * across.y(), 0.0});
    const double width = s && t ? (*s - *t).norm() : 0.0;
    out_ += formatted("  - [%.1f, %.1f, %.1f, %.1f, %.1f, %.2f]\n", p->x(), p->y(), q->x(), q->y(), width,
                      range > 0.0 ? range : distance(at));
  }

  void lines() {
    out_ += "  line_pieces:\n";
    for (const auto& line : field_.lines()) {
      const double length = (line.to - line.from).norm();
      const int count = static_cast<int>(std::ceil(length / kLineStep));
      for (int n = 0; n < count; ++n)
        piece(line.from + (line.to - line.from) * n / count, line.from + (line.to - line.from) * (n + 1) / count, 0.0);
    }
    const double r = field_.circle_radius();
    const auto on_circle = [&](double angle) { return Vector2d(r * std::cos(angle), r * std::sin(angle)); };
    int seen = 0, near = 0;
    for (int n = 0; n < 48; ++n) {
      const double a = n * M_PI / 24.0;
      const Vector2d p = on_circle(a);
      piece(p, on_circle(a + M_PI / 24.0), 0.0);
      if (visible_ground(p)) {
        ++seen;
        near += distance({p.x(), p.y(), 0.0}) < 3.0;
      }
    }
    for (const double x : {0.0, 0.5 * field_.length - field_.penalty_mark, field_.penalty_mark - 0.5 * field_.length}) {
      const double h = 0.5 * field_.mark_length;
      piece({x - h, 0.0}, {x + h, 0.0}, kNoRange);
      piece({x, -h}, {x, h}, kNoRange);
    }
    // With less than a third of it within 3 m it need not be found.
    if (const auto centre = pixel({0, 0, 0}); centre && seen > 0)
      out_ += formatted("  %s: [%.2f, %.2f]\n", seen > 16 && near > 14 ? "circle_center" : "circle_partly", centre->x(),
                        centre->y());
    out_ += "  penalty_marks:\n";
    for (const double side : {-1.0, 1.0}) {
      const Vector2d mark(side * (0.5 * field_.length - field_.penalty_mark), 0.0);
      const Vector3d at(mark.x(), mark.y(), 0.0);
      bool whole = distance(at) < 6.0;
      for (const double angle : {0.0, 0.5 * M_PI, M_PI, 1.5 * M_PI})
        whole = whole && visible_ground(mark + 0.2 * Vector2d(std::cos(angle), std::sin(angle)));
      const auto p = visible_ground(mark);
      if (p)
        out_ += formatted("  - {at: [%.2f, %.2f], distance: %.3f}\n", p->x(), p->y(), whole ? distance(at) : kNoRange);
    }
    out_ += "  line_crossings:\n";
    for (const auto& crossing : field_.intersections()) {
      const Vector3d at(crossing.position.x(), crossing.position.y(), 0.0);
      const auto p = pixel(at);
      if (!p || distance(at) > 6.0 || !visible_ground(crossing.position)) continue;
      // All arms in sight, else nobody can tell its kind.
      bool whole = true;
      for (const double angle : {0.0, 0.5 * M_PI, M_PI, 1.5 * M_PI})
        whole = whole && visible_ground(crossing.position + 0.25 * Vector2d(std::cos(angle), std::sin(angle)));
      out_ += formatted("  - {type: %c, at: [%.2f, %.2f], distance: %.3f}\n", "LTX"[static_cast<int>(crossing.type)],
                        p -> x(), p -> y(), whole ? distance(at) : kNoRange);
    }
  }

  /// Feet of people and poles: the lowest pixels of each.
  void distractors() {
    std::map<int, std::pair<Vector2d, long>> lowest;
    for (int y = 0; y < segments_.height; ++y) {
      for (int x = 0; x < segments_.width; ++x) {
        const int id = segments_.at(x, y);
        if (id < 0) continue;
        const std::string& name = segments_.names[static_cast<std::size_t>(id)];
        if (name.rfind("person_", 0) != 0 && name.rfind("pole_", 0) != 0) continue;
        auto& entry = lowest[id];
        if (entry.second == 0 || y > entry.first.y()) entry.first = {x + 0.5, y + 1.0};
        ++entry.second;
      }
    }
    out_ += "  distractors:\n";
    for (const auto& [id, entry] : lowest) {
      if (entry.second > 80 && entry.first.y() < segments_.height - 2)
        out_ += formatted("  - [%.1f, %.1f]\n", entry.first.x(), entry.first.y());
    }
  }

  const Simulation& simulation_;
  std::size_t robot_;
  const Renderer::Segments& segments_;
  const hl_description::Field& field_;
  Eigen::Isometry3d world_from_camera_, camera_from_world_;
  double focal_ = 0.0;
  int floor_ = -2;
  std::string out_;
};

}  // namespace

std::string labels_of(const Simulation& simulation, std::size_t robot, const Renderer::Segments& segments,
                      const std::string& file) {
  return Labels(simulation, robot, segments).write(file);
}

}  // namespace hl_simulation
