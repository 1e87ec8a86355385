// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_description/geometry.hpp"
#include "hl_soccer/odometry_history.hpp"
#include "hl_soccer/percepts.hpp"

namespace hl_localization {

/// A world without physics for tests and tuning: a robot that walks about and looks around, a ball, other robots. What
/// it sees is spoiled as a camera on a walking robot spoils it: each ray a little, all rays of a picture together,
/// things missed more often when far. Ten minutes take about a second.
class KinematicWorld {
 public:
  struct Options {
    double ray_noise = 0.005, attitude_noise = 0.01;  // rad
    double mount_error = 0.0;                         // rad, of the camera's pitch, roll and yaw, the same in all looks
    double miss_near = 0.02, miss_far = 0.3;          // shares
    double false_share = 0.0;                         // of the marks and lines seen that are not there
    double odometry_error = 0.04;                     // of the distance
    double turn_error = 0.02;                         // of the turn
    bool compass = true;
    double compass_noise = 0.15;  // rad
    double camera_height = 0.45, horizontal_fov = 1.012, vertical_fov = 0.79;
    double line_range = 4.0, goal_range = 9.0, ball_range = 6.0, robot_range = 6.0;  // m
  };

  struct OtherRobot {
    Eigen::Vector2d position = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();
    bool blue = true;
    int number = 1;
  };

  KinematicWorld(const hl_description::Field& field, const Options& options, std::uint64_t seed)
      : field_(field), options_(options), random_(seed) {
    way_scale_ = 1.0 + options.odometry_error * gaussian();
    side_scale_ = 1.0 + options.odometry_error * gaussian();
    turn_scale_ = 1.0 + options.turn_error * gaussian();
    turn_per_way_ = 0.5 * options.odometry_error * gaussian();
    odom_ = {uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-3.0, 3.0)};
    scan_phase_ = uniform(0.0, 4.0);
    if (options.mount_error > 0.0) {
      const double pitch = options.mount_error * gaussian(), roll = options.mount_error * gaussian(),
                   yaw = options.mount_error * gaussian();
      mounting_ = (Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) * Eigen::AngleAxisd(pitch, Vector3d::UnitY()) *
                   Eigen::AngleAxisd(roll, Vector3d::UnitX()))
                      .toRotationMatrix();
    }
    lines_ = field.lines();
    crossings_ = field.intersections();
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double gaussian() { return normal_(random_); }
  double time = 0.0;
  hl_description::Pose2 robot;  // the truth, in map
  std::optional<Eigen::Vector2d> ball;
  Eigen::Vector2d ball_velocity = Eigen::Vector2d::Zero();
  std::vector<OtherRobot> others;
  bool walking = true;
  bool scanning = true;
  double pan = 0.0, tilt = 0.35;                        // rad; of the camera, when it does not scan
  double rolling_friction = 0.04, rolling_drag = 0.15;  // of gravity; 1/s

  /// Lets the robot walk to random places, the ball roll and the others move for `dt`.
  void advance(double dt) {
    time += dt;
    if (walking) walk(dt);
    if (ball) {
      *ball += ball_velocity * dt;
      const double speed = ball_velocity.norm(),
                   slower = speed - dt * (rolling_friction * hl_description::kGravity + rolling_drag * speed);
      ball_velocity *= speed > 1e-6 && slower > 0.0 ? slower / speed : 0.0;
    }
    for (OtherRobot& other : others) other.position += other.velocity * dt;
    if (scanning) {
      const double phase = (time + scan_phase_) / 4.0 * 2.0 * M_PI;
      pan = 1.2 * std::sin(phase);
      tilt = std::cos(0.5 * phase) > 0.0 ? 0.3 : 0.6;
    }
  }

  /// Somebody or something moves the robot without steps.
  void place(const hl_description::Pose2& pose) {
    robot = pose;
    target_.reset();
  }

  /// What the walk counts.
  hl_soccer::Odometry odometry() const { return {time, odom_}; }

  hl_soccer::Percepts look() {
    begin_look();
    hl_soccer::Percepts percepts;
    percepts.stamp = time;
    percepts.view = view();
    see_goal(percepts);
    see_lines(percepts);
    see_crossings(percepts);
    see_circle(percepts);
    see_false(percepts);
    if (options_.compass && std::abs(std::fmod(time + 1e-9, 0.2)) < 0.039) {
      percepts.heading =
          hl_soccer::SeenHeading{hl_description::wrap_angle(robot.yaw + options_.compass_noise * gaussian()), 0.8};
    }
    see_ball(percepts);
    see_robots(percepts);
    return percepts;
  }

  /// Whether a place on the ground is in the picture.
  bool in_picture(const Eigen::Vector2d& place) const { return visible(place, 0.0, 100.0); }
  std::mt19937_64& random() { return random_; }

 private:
  using Vector2d = Eigen::Vector2d;
  using Vector3d = Eigen::Vector3d;

  void walk(double dt) {
    if (!target_ || (target_->head<2>() - robot.position()).norm() < 0.2 || time > give_up_) {
      target_ = Vector2d(uniform(-0.45, 0.45) * field_.length, uniform(-0.45, 0.45) * field_.width);
      give_up_ = time + 20.0;
      stand_until_ = time + std::max(0.0, uniform(-2.0, 3.0));
    }
    if (time < stand_until_) return;
    const Vector2d way = robot.inverse() * *target_;
    const double bearing = std::atan2(way.y(), way.x());
    const double turn = std::clamp(1.5 * bearing, -0.6, 0.6);
    const double ahead = std::abs(bearing) < 0.8 ? 0.22 : 0.03, side = 0.04 * std::sin(time);
    const hl_description::Pose2 step{ahead * dt, side * dt, turn * dt};
    robot = robot * step;
    robot.yaw = hl_description::wrap_angle(robot.yaw);
    const double jitter = std::sqrt(dt) * 0.02;
    const hl_description::Pose2 counted{step.x * way_scale_ + jitter * 0.5 * gaussian(),
                                        step.y * side_scale_ + jitter * 0.5 * gaussian(),
                                        step.yaw * turn_scale_ + turn_per_way_ * step.x + 0.5 * jitter * gaussian()};
    odom_ = odom_ * counted;
    odom_.yaw = hl_description::wrap_angle(odom_.yaw);
  }

  void begin_look() {
    camera_ = Eigen::AngleAxisd(robot.yaw + pan, Vector3d::UnitZ()) * Eigen::AngleAxisd(tilt, Vector3d::UnitY());
    camera_inverse_ = camera_.transpose();
    const double pitch = options_.attitude_noise * gaussian(), roll = options_.attitude_noise * gaussian();
    attitude_error_ =
        mounting_ *
        (Eigen::AngleAxisd(pitch, Vector3d::UnitY()) * Eigen::AngleAxisd(roll, Vector3d::UnitX())).toRotationMatrix();
  }

  bool visible(const Vector2d& place, double height, double range) const {
    const Vector2d offset = place - robot.position();
    if (offset.norm() > range) return false;
    const Vector3d p = camera_inverse_ * Vector3d(offset.x(), offset.y(), height - options_.camera_height);
    if (p.x() < 0.05 || std::abs(p.y()) > p.x() * std::tan(0.5 * options_.horizontal_fov) ||
        std::abs(p.z()) > p.x() * std::tan(0.5 * options_.vertical_fov)) {
      return false;
    }
    for (const OtherRobot& other : others) {  // who stands between hides it
      const Vector2d to = other.position - robot.position();
      const double far = offset.norm();
      if (far < 0.3 || to.norm() > far - 0.15) continue;
      const double along = to.dot(offset) / far;
      if (along > 0.0 && std::abs(to.x() * offset.y() - to.y() * offset.x()) / far < 0.12) return false;
    }
    return true;
  }

  bool missed(const Vector2d& place, double range) {
    const double share = std::min(1.0, (place - robot.position()).norm() / range);
    return uniform(0.0, 1.0) < options_.miss_near + share * (options_.miss_far - options_.miss_near);
  }

  /// Where a place seems to be, in base_footprint.
  std::optional<Vector2d> measure(const Vector2d& place, double height, double range) {
    const Vector2d offset = place - robot.position();
    const Vector3d p = camera_inverse_ * Vector3d(offset.x(), offset.y(), height - options_.camera_height);
    const Eigen::Matrix3d own = (Eigen::AngleAxisd(options_.ray_noise * gaussian(), Vector3d::UnitY()) *
                                 Eigen::AngleAxisd(options_.ray_noise * gaussian(), Vector3d::UnitZ()))
                                    .toRotationMatrix();
    const Vector3d ray = camera_ * (attitude_error_ * (own * p));
    const double reach = (height - options_.camera_height) / ray.z();
    if (!(reach > 0.0) || !std::isfinite(reach)) return std::nullopt;
    const Vector2d seen = reach * ray.head<2>();
    if (seen.norm() > 1.5 * range) return std::nullopt;
    return Eigen::Rotation2Dd(-robot.yaw) * seen;
  }

  std::vector<Vector2d> view() const {
    std::vector<Vector2d> corners;
    for (const auto& [side, down] :
         {std::pair(1.0, 1.0), std::pair(-1.0, 1.0), std::pair(-1.0, -1.0), std::pair(1.0, -1.0)}) {
      const Vector3d ray =
          Eigen::AngleAxisd(pan, Vector3d::UnitZ()) * Eigen::AngleAxisd(tilt, Vector3d::UnitY()) *
          Vector3d(1.0, side * std::tan(0.5 * options_.horizontal_fov), -down * std::tan(0.5 * options_.vertical_fov));
      double reach = ray.z() < -1e-3 ? options_.camera_height / -ray.z() : 100.0;
      reach = std::min(reach, 8.0 / ray.head<2>().norm());
      corners.emplace_back(reach * ray.head<2>());
    }
    return corners;
  }

  void see_goal(hl_soccer::Percepts& percepts) {
    std::size_t most = 0;
    for (const double side : {1.0, -1.0}) {
      std::vector<Vector2d> posts;
      for (const double hand : {1.0, -1.0}) {
        const Vector2d foot(side * 0.5 * field_.length, hand * 0.5 * (field_.goal_width + field_.post_diameter));
        if (!visible(foot, 0.0, options_.goal_range) || missed(foot, options_.goal_range)) continue;
        if (const auto seen = measure(foot, 0.0, options_.goal_range)) posts.push_back(*seen);
      }
      if (posts.size() <= most) continue;
      most = posts.size();
      std::sort(posts.begin(), posts.end(), [](const Vector2d& a, const Vector2d& b) {
        return std::atan2(a.y(), a.x()) > std::atan2(b.y(), b.x());
      });
      percepts.goal = hl_soccer::SeenGoal{posts.front(), posts.back(), 0.8};
    }
  }

  void see_lines(hl_soccer::Percepts& percepts) {
    for (const auto& line : lines_) {
      const double length = (line.to - line.from).norm();
      const int points = std::max(1, static_cast<int>(std::ceil(length / 0.1)));
      const auto point = [&](int n) -> Vector2d { return line.from + (line.to - line.from) * n / points; };
      for (int n = 0; n <= points; ++n) {
        if (!visible(point(n), 0.0, options_.line_range)) continue;
        const int first = n;
        while (n < points && visible(point(n + 1), 0.0, options_.line_range)) ++n;
        if (length * (n - first) / points < 0.3 || missed(point(first), options_.line_range)) continue;
        const auto from = measure(point(first), 0.0, options_.line_range),
                   to = measure(point(n), 0.0, options_.line_range);
        if (from && to) percepts.segments.push_back({*from, *to, 0.8});
      }
    }
  }

  void see_crossings(hl_soccer::Percepts& percepts) {
    for (const auto& crossing : crossings_) {
      if (!visible(crossing.position, 0.0, options_.line_range) || missed(crossing.position, options_.line_range)) {
        continue;
      }
      const auto seen = measure(crossing.position, 0.0, options_.line_range);
      if (!seen) continue;
      hl_soccer::SeenCrossing percept;
      percept.type = crossing.type;
      percept.position = *seen;
      percept.confidence = 0.8;
      for (const auto& line : lines_) {
        const Vector2d along = (line.to - line.from).normalized(), offset = crossing.position - line.from;
        const double t = offset.dot(along), length = (line.to - line.from).norm();
        if ((offset - t * along).norm() > field_.line_width || t < -0.05 || t > length + 0.05) continue;
        const Eigen::Rotation2Dd to_robot(-robot.yaw + 0.03 * gaussian());
        if (t > 0.3) percept.arms.emplace_back(to_robot * -along);
        if (length - t > 0.3) percept.arms.emplace_back(to_robot * along);
      }
      percepts.crossings.push_back(percept);
    }
  }

  /// The centre of an arc of the known radius, from its ends and its middle.
  void see_circle(hl_soccer::Percepts& percepts) {
    if (robot.position().norm() > options_.line_range + 1.0) return;
    std::vector<Vector2d> arc, longest;
    for (int n = 0; n < 144; ++n) {
      const double angle = 2.0 * M_PI * n / 72;
      const Vector2d p = field_.circle_radius() * Vector2d(std::cos(angle), std::sin(angle));
      if (visible(p, 0.0, options_.line_range)) {
        if (arc.size() < 72) arc.push_back(p);
        if (arc.size() > longest.size()) longest = arc;
      } else {
        arc.clear();
      }
    }
    if (longest.size() < 15 || missed(Vector2d::Zero(), options_.line_range)) return;
    const auto a = measure(longest.front(), 0.0, options_.line_range),
               b = measure(longest[longest.size() / 2], 0.0, options_.line_range),
               c = measure(longest.back(), 0.0, options_.line_range);
    if (!a || !b || !c) return;
    const Vector2d ab = *b - *a, ac = *c - *a;
    const double cross = 2.0 * (ab.x() * ac.y() - ab.y() * ac.x());
    if (std::abs(cross) < 0.05) return;
    const Vector2d centre = *a + Vector2d(ac.y() * ab.squaredNorm() - ab.y() * ac.squaredNorm(),
                                          ab.x() * ac.squaredNorm() - ac.x() * ab.squaredNorm()) /
                                     cross;
    if (std::abs((centre - *a).norm() - field_.circle_radius()) > 0.2) return;
    percepts.circles.push_back({centre, 0.8});
  }

  void see_false(hl_soccer::Percepts& percepts) {
    if (options_.false_share <= 0.0) return;
    const double rate = options_.false_share / (1.0 - options_.false_share);
    const auto somewhere = [this]() -> Vector2d {
      const double distance = uniform(0.5, 4.0), angle = pan + uniform(-0.5, 0.5);
      return distance * Vector2d(std::cos(angle), std::sin(angle));
    };
    const std::size_t marks = percepts.crossings.size(), segments = percepts.segments.size();
    for (std::size_t n = 0; n < marks; ++n) {
      if (uniform(0.0, 1.0) > rate) continue;
      hl_soccer::SeenCrossing crossing;
      crossing.type = uniform(0.0, 1.0) < 0.5 ? hl_description::Field::Crossing::L : hl_description::Field::Crossing::T;
      crossing.position = somewhere();
      crossing.confidence = 0.8;
      const double angle = uniform(-M_PI, M_PI);
      crossing.arms = {{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}};
      percepts.crossings.push_back(crossing);
    }
    for (std::size_t n = 0; n < segments; ++n) {
      if (uniform(0.0, 1.0) > rate) continue;
      const Vector2d from = somewhere();
      percepts.segments.push_back({from, somewhere(), 0.8});
    }
    if (percepts.goal && uniform(0.0, 1.0) < rate) {
      const Vector2d post = 1.5 * somewhere();
      percepts.goal = hl_soccer::SeenGoal{post, post, 0.8};
    }
  }

  void see_ball(hl_soccer::Percepts& percepts) {
    const double height = field_.ball_radius;
    if (!ball || !visible(*ball, height, options_.ball_range) || missed(*ball, options_.ball_range)) return;
    if (const auto seen = measure(*ball, height, options_.ball_range)) {
      hl_soccer::SeenBall percept;
      percept.position = *seen;
      percept.covariance.setZero();  // not told: the receiver's noise model counts
      percept.confidence = 0.8;
      percepts.ball = percept;
    }
  }

  void see_robots(hl_soccer::Percepts& percepts) {
    for (const OtherRobot& other : others) {
      if (!visible(other.position, 0.1, options_.robot_range) || missed(other.position, options_.robot_range)) continue;
      const auto seen = measure(other.position, 0.0, options_.robot_range);
      if (!seen) continue;
      hl_soccer::SeenObstacle percept;
      percept.kind = other.blue ? hl_soccer::ObstacleKind::RobotBlue : hl_soccer::ObstacleKind::RobotRed;
      percept.position = *seen;
      percept.covariance.setZero();
      percept.width = 0.25;
      if (seen->norm() < 1.5) percept.number = other.number;
      percept.confidence = 0.8;
      percepts.obstacles.push_back(percept);
    }
  }

  hl_description::Field field_;
  Options options_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<hl_description::Field::Line> lines_;
  std::vector<hl_description::Field::Intersection> crossings_;
  double way_scale_ = 1.0, side_scale_ = 1.0, turn_scale_ = 1.0, turn_per_way_ = 0.0, scan_phase_ = 0.0;
  hl_description::Pose2 odom_;
  std::optional<Vector2d> target_;
  double give_up_ = 0.0, stand_until_ = 0.0;
  Eigen::Matrix3d camera_ = Eigen::Matrix3d::Identity(), camera_inverse_ = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d mounting_ = Eigen::Matrix3d::Identity(), attitude_error_ = Eigen::Matrix3d::Identity();
};

}  // namespace hl_localization
