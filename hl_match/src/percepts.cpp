// SPDX-License-Identifier: Apache-2.0
#include "hl_match/percepts.hpp"

#include <Eigen/LU>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_match {
namespace {

using Eigen::Vector2d;

/// A camera errs by an angle: little across the line of sight, much along it
/// when far.
Eigen::Matrix2d covariance_at(const Vector2d& position, double camera_height, double noise) {
  const double distance = std::max(position.norm(), 1e-3), h = std::max(camera_height, 0.1);
  const Vector2d along = position / distance, across(-along.y(), along.x());
  const double far = noise * (distance * distance + h * h) / h, wide = noise * distance;
  return far * far * along * along.transpose() + wide * wide * across * across.transpose() +
         1e-4 * Eigen::Matrix2d::Identity();
}

}  // namespace

std::optional<Vector2d> circle_centre(const Vector2d& a, const Vector2d& b, const Vector2d& c, double radius) {
  // The perpendicular on the chord, towards the side that the middle point
  // bends away from; then three points decide.
  const Vector2d chord = c - a, middle = 0.5 * (a + c);
  if (!(chord.norm() > 0.1)) return std::nullopt;
  const Vector2d normal = Vector2d(-chord.y(), chord.x()).normalized();
  const double bend = (b - middle).dot(normal);
  const double half = 0.5 * chord.norm();
  const double depth = half < radius ? std::sqrt(radius * radius - half * half) : 0.0;
  Vector2d centre = middle - std::copysign(std::abs(bend) > radius ? -depth : depth, bend) * normal;
  for (int i = 0; i < 10; ++i) {
    Eigen::Matrix2d hessian = Eigen::Matrix2d::Identity() * 1e-6;
    Vector2d gradient = Vector2d::Zero();
    for (const Vector2d& p : {a, b, c}) {
      const Vector2d off = centre - p;
      const double distance = std::max(off.norm(), 1e-6);
      const Vector2d j = off / distance;
      hessian += j * j.transpose();
      gradient += j * (distance - radius);
    }
    centre -= hessian.inverse() * gradient;
  }
  if (!centre.allFinite()) return std::nullopt;
  for (const Vector2d& p : {a, b, c})
    if (std::abs((centre - p).norm() - radius) > 0.3 * radius) return std::nullopt;
  return centre;
}

hl_soccer::Percepts soccer_percepts(const hl_simulation::Percepts& seen, const std::vector<Jersey>& jerseys,
                                    double map_turn, const hl_description::Field& field, double camera_height,
                                    double noise) {
  hl_soccer::Percepts out;
  out.stamp = seen.stamp;
  if (seen.ball) {
    const Vector2d at = seen.ball->position.head<2>();
    out.ball = hl_soccer::SeenBall{at, covariance_at(at, camera_height, noise), seen.ball->confidence};
  }
  if (seen.goal) {
    out.goal =
        hl_soccer::SeenGoal{seen.goal->left_post.head<2>(), seen.goal->right_post.head<2>(), seen.goal->confidence};
  }
  for (const auto& robot : seen.robots) {
    hl_soccer::SeenObstacle obstacle;
    obstacle.kind = hl_soccer::ObstacleKind::RobotUndefined;  // a false one has no jersey
    if (robot.robot < jerseys.size()) {
      const Jersey& jersey = jerseys[robot.robot];
      obstacle.kind = jersey.blue ? hl_soccer::ObstacleKind::RobotBlue : hl_soccer::ObstacleKind::RobotRed;
      if (robot.number_read) obstacle.number = jersey.number;
    }
    obstacle.position = robot.spot.position.head<2>();
    obstacle.covariance = covariance_at(obstacle.position, camera_height, noise);
    obstacle.width = robot.width;
    obstacle.confidence = robot.spot.confidence;
    out.obstacles.push_back(obstacle);
  }
  for (const auto& line : seen.lines) out.segments.push_back({line.from.head<2>(), line.to.head<2>(), line.confidence});
  for (const auto& crossing : seen.crossings) {
    if (crossing.arms.empty()) continue;
    hl_soccer::SeenCrossing mark;
    mark.type = crossing.type;
    mark.position = crossing.arms.front().from.head<2>();
    for (const auto& arm : crossing.arms) mark.arms.emplace_back((arm.to - arm.from).head<2>().normalized());
    mark.confidence = crossing.confidence;
    out.crossings.push_back(mark);
  }
  for (const auto& arc : seen.arcs) {
    const auto centre =
        circle_centre(arc.left.head<2>(), arc.middle.head<2>(), arc.right.head<2>(), field.circle_radius());
    if (centre) out.circles.push_back({*centre, 0.9});
  }
  for (const auto& point : seen.line_points) out.line_points.emplace_back(point.head<2>());
  if (seen.heading) {
    out.heading =
        hl_soccer::SeenHeading{hl_description::wrap_angle(seen.heading->yaw + map_turn), seen.heading->confidence};
  }
  if (seen.turn) out.turn = hl_soccer::SeenTurn{seen.turn->since, seen.turn->yaw, seen.turn->confidence};
  for (const auto& corner : seen.view) out.view.emplace_back(corner.head<2>());
  return out;
}

}  // namespace hl_match
