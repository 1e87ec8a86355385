// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "hl_behavior/rtdl/soccer.hpp"

namespace hl_behavior::rtdl {
namespace {

constexpr double kMateSilence = 5.0;  // s after which what a team mate said counts no more

/// Points that never move.
std::optional<Eigen::Vector2d> field_point(std::string_view name, const hl_description::Field& field) {
  const double x = 0.5 * field.length;
  const double y = 0.5 * field.width;
  const double post = 0.5 * field.goal_width;
  const double mark = x - field.penalty_mark;
  struct Point {
    std::string_view name;
    double x, y;
  };
  const std::array<Point, 15> points{{{"OwnGoal", -x, 0.0},
                                      {"OpponentGoal", x, 0.0},
                                      {"CentreSpot", 0.0, 0.0},
                                      {"OwnPenaltyMark", -mark, 0.0},
                                      {"OpponentPenaltyMark", mark, 0.0},
                                      {"OwnLeftCorner", -x, y},
                                      {"OwnRightCorner", -x, -y},
                                      {"OpponentLeftCorner", x, y},
                                      {"OpponentRightCorner", x, -y},
                                      {"HalfwayLeft", 0.0, y},
                                      {"HalfwayRight", 0.0, -y},
                                      {"OwnGoalLeftPost", -x, post},
                                      {"OwnGoalRightPost", -x, -post},
                                      {"OpponentGoalLeftPost", x, post},
                                      {"OpponentGoalRightPost", x, -post}}};
  const auto found = std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.name == name; });
  if (found == points.end()) return std::nullopt;
  return Eigen::Vector2d(found->x, found->y);
}

}  // namespace

const Waypoint* SoccerWorld::waypoint(const Datum& thing) const {
  const auto found = waypoints_.find(thing.entity);
  return thing.entity < 0 || found == waypoints_.end() ? nullptr : &found->second;
}

const hl_soccer::TeamMate* SoccerWorld::mate(const Datum& player) const {
  const auto& mates = situation_->mates;
  if (player.text == "NearestMate") {
    const hl_soccer::TeamMate* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& mate : mates) {
      if (now_ - mate.stamp > kMateSilence || !mate.pose || !situation_->model.pose.known()) continue;
      const double distance = (mate.pose->position() - situation_->model.pose.pose.position()).norm();
      if (distance >= least) continue;
      least = distance;
      best = &mate;
    }
    return best;
  }
  if (player.text.substr(0, 6) != "Player" || player.text.size() != 7) return nullptr;
  const int number = player.text[6] - '0';
  const auto found = std::find_if(mates.begin(), mates.end(), [&](const auto& m) { return m.number == number; });
  return found == mates.end() || now_ - found->stamp > kMateSilence ? nullptr : &*found;
}

bool SoccerWorld::is_me(const Datum& player) const {
  if (player.text == "Me") return true;
  return player.text.size() == 7 && player.text.substr(0, 6) == "Player" &&
         player.text[6] - '0' == situation_->game.own_player;
}

std::optional<Eigen::Vector2d> SoccerWorld::relative(const Datum& thing) const {
  const hl_soccer::Model& model = situation_->model;
  if (thing.kind != Datum::Kind::Entity) return std::nullopt;
  if (thing.entity < 0) {
    if (thing.text == "Ball") {
      if (model.ball.confidence <= 0.0) return std::nullopt;
      return model.ball.position;
    }
    if (is_me(thing)) return Eigen::Vector2d::Zero();
    if (thing.text == "NearestOpponent") {
      std::optional<Eigen::Vector2d> best;
      for (const auto& robot : model.robots) {
        if (robot.team == hl_soccer::Team::Own || robot.confidence <= 0.0) continue;
        if (!best || robot.position.norm() < best->norm()) best = robot.position;
      }
      return best;
    }
  }
  const auto there = place(thing);
  if (!there || !model.pose.known()) return std::nullopt;
  return model.pose.pose.inverse() * *there;
}

std::optional<Eigen::Vector2d> SoccerWorld::place(const Datum& thing) const {
  const hl_soccer::Model& model = situation_->model;
  if (thing.kind != Datum::Kind::Entity) return std::nullopt;
  if (thing.entity >= 0) {
    const Waypoint* found = waypoint(thing);
    if (found == nullptr) return std::nullopt;
    return found->position;
  }
  if (const auto point = field_point(thing.text, field_)) return point;
  if (thing.text == "Ball" || thing.text == "NearestOpponent" || is_me(thing)) {
    const auto seen = relative(thing);
    if (!seen || !model.pose.known()) return std::nullopt;
    return model.pose.pose * *seen;
  }
  const hl_soccer::TeamMate* found = mate(thing);
  if (found == nullptr || !found->pose) return std::nullopt;
  return found->pose->position();
}

}  // namespace hl_behavior::rtdl
