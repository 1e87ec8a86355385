// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/avoidance.hpp"

#include <algorithm>
#include <limits>

namespace hl_path_planning {
namespace {

constexpr double kWalks = 0.08;          // m/s from which a robot counts as walking, hence as one who gives way too
constexpr double kOwnShare = 0.7;        // of giving way, the other is trusted with the rest
constexpr double kNear = 2.5;            // m, farther robots do not matter yet
constexpr double kChangeCost = 0.15;     // per m/s of difference to the last command: no dithering
constexpr double kRightHandCost = 0.02;  // m/s: of two ways equally good, pass on the right
constexpr int kDirections = 16;

}  // namespace

double time_to_contact(const Vector2d& at, const Vector2d& approach, double radius) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double closing = at.dot(approach), c = at.squaredNorm() - radius * radius;
  if (closing <= 0.0) return kNever;
  if (c <= 0.0) return 0.0;
  const double a = approach.squaredNorm(), discriminant = closing * closing - a * c;
  return discriminant < 0.0 ? kNever : (closing - std::sqrt(discriminant)) / a;
}

AvoidanceResult avoid_robots(const Velocity& wanted, const Velocity& last, const Pose2& here,
                             const std::vector<OtherRobot>& robots, const WalkingLimits& limits, const Params& params) {
  AvoidanceResult best{wanted, -1};
  const Eigen::Rotation2Dd turn = here.rotation();
  const Vector2d own = turn * last.linear();

  const auto danger = [&](const Vector2d& velocity, int* who) {
    double worst = 0.0;
    for (std::size_t i = 0; i < robots.size(); ++i) {
      const OtherRobot& robot = robots[i];
      const Vector2d at = robot.position - here.position();
      if (at.norm() > kNear) continue;
      const double radius = params.robot_radius + robot.radius + params.personal_space;
      const double share = robot.velocity.norm() > kWalks ? kOwnShare : 1.0;
      const Vector2d counted = own + (velocity - own) / share;
      const double time = time_to_contact(at, counted - robot.velocity, radius);
      double cost = 0.0;
      if (at.norm() < radius) {  // too near already: whatever leads away is better
        const double deep = (radius - at.norm()) / params.personal_space;
        cost = params.avoidance_weight * (1.0 + deep) * (1.0 + 5.0 * at.normalized().dot(velocity - robot.velocity));
        cost = std::max(cost, 0.0);
      } else if (time < params.avoidance_horizon) {
        cost = params.avoidance_weight * (1.0 / std::max(time, 0.15) - 1.0 / params.avoidance_horizon);
      }
      if (cost > worst) {
        worst = cost;
        if (who != nullptr) *who = static_cast<int>(i);
      }
    }
    return worst;
  };

  int culprit = -1;
  const Vector2d wanted_velocity = turn * wanted.linear();
  double best_cost = danger(wanted_velocity, &culprit);
  if (best_cost <= 0.0) return best;
  best_cost += kChangeCost * (wanted_velocity - own).norm();

  const auto consider = [&](Velocity v) {
    v = limits.cut(v);
    const Vector2d velocity = turn * v.linear();
    double cost =
        (velocity - wanted_velocity).norm() + kChangeCost * (velocity - own).norm() + danger(velocity, nullptr);
    if (cross(wanted_velocity, velocity) > 1e-6) cost += kRightHandCost;
    if (cost < best_cost) {
      best_cost = cost;
      best = {v, culprit};
    }
  };
  for (const double share : {0.75, 0.5, 0.25, 0.0}) consider({share * wanted.x, share * wanted.y, wanted.yaw});
  const double turning = std::min(std::abs(wanted.yaw), 0.5 * limits.turn) * (wanted.yaw < 0.0 ? -1.0 : 1.0);
  for (int k = 0; k < kDirections; ++k) {
    const double direction = 2.0 * M_PI * k / kDirections;
    const double most = limits.speed_towards(direction) * (1.0 - std::abs(turning) / limits.turn);
    for (const double share : {1.0, 0.6, 0.3}) {
      const Vector2d v = unit(direction) * most * share;
      consider({v.x(), v.y(), turning});
    }
  }
  return best;
}

}  // namespace hl_path_planning
