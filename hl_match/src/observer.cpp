// SPDX-License-Identifier: Apache-2.0
#include "hl_match/observer.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <hl_player/mind.hpp>

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_description::wrap_angle;
using hl_soccer::BodyState;

constexpr double kPeriod = 0.5;     // s between samples
constexpr double kBallRange = 4.0;  // m
constexpr double kWrongSide = 1.0;  // m of error from which the opposite pose is looked at

const hl_player::Mind* mind_of(const Match& match, std::size_t robot) {
  return dynamic_cast<const hl_player::Mind*>(match.player(robot).mind());
}

bool on_its_feet(BodyState body) {
  return body == BodyState::Controllable || body == BodyState::Walking || body == BodyState::Kicking;
}

const char* name_of(hl_path_planning::Outcome outcome) {
  using hl_path_planning::Outcome;
  switch (outcome) {
    case Outcome::Reached:
      return "reached";
    case Outcome::NoWay:
      return "no way";
    case Outcome::NoProgress:
      return "no progress";
    case Outcome::BadGoal:
      return "bad goal";
    case Outcome::Lost:
      return "lost";
    case Outcome::Replaced:
      return "replaced";
    case Outcome::Cancelled:
      return "cancelled";
    case Outcome::NotAllowed:
      break;
  }
  return "not allowed";
}

}  // namespace

void Observer::look_at_robot(const Match& match, std::size_t robot) {
  const auto& player = match.player(robot);
  const hl_player::Mind* mind = mind_of(match, robot);
  if (mind == nullptr || player.paused() || !on_its_feet(match.outputs(robot).motion->body)) return;
  minutes += kPeriod / 60.0;
  touching += !match.world().body(robot).touching.empty();

  const Pose2 truth = match.true_pose(robot);
  const auto& belief = mind->localization().belief;
  ++pose_samples;
  if (!belief.known()) {
    ++pose_unknown;
  } else {
    const double error = (belief.pose.position() - truth.position()).norm();
    position_errors.push_back(error);
    heading_errors.push_back(std::abs(wrap_angle(belief.pose.yaw - truth.yaw)));
    const double opposite = (belief.pose.position() + truth.position()).norm();
    wrong_side += error > kWrongSide && opposite < 0.5 * error;
  }
  const Eigen::Vector2d ball = truth.inverse() * match.in_map(robot, match.world().ball_position().head<2>());
  if (ball.norm() > kBallRange) return;
  ++ball_samples;
  if (mind->model().ball.confidence > 0.0)
    ball_errors.push_back((mind->model().ball.position - ball).norm());
  else
    ++ball_unknown;
}

void Observer::look(const Match& match) {
  for (std::size_t i = 0; i < match.size(); ++i) {
    const hl_player::Mind* mind = mind_of(match, i);
    if (mind == nullptr || !mind->just_planned()) continue;
    if (const auto& result = mind->planner().last_outputs().result) ++outcomes[name_of(result->outcome)];
  }
  if (match.time() < next_) return;
  next_ = match.time() + kPeriod;
  // Without a referee everybody may play all the time.
  if (match.referee() != nullptr && match.player(0).game().phase != hl_soccer::GamePhase::Playing) return;
  std::array<std::size_t, 2> team_strikers{};
  for (std::size_t i = 0; i < match.size(); ++i) {
    look_at_robot(match, i);
    const hl_player::Mind* mind = mind_of(match, i);
    const bool plays = mind != nullptr && mind->behavior() != nullptr && !match.player(i).paused();
    if (plays && mind->behavior()->decision.role == hl_soccer::Role::Striker)
      ++team_strikers[static_cast<std::size_t>(match.team(i))];
  }
  for (const std::size_t count : team_strikers) ++strikers[std::min<std::size_t>(count, 3)];
}

void Observer::conclude(const Match& match) {
  const Timeline& timeline = match.timeline();
  if (match.referee() != nullptr) goals = {match.referee()->score(0), match.referee()->score(1)};
  kicks = timeline.count("kick");
  failed_kicks = timeline.count("kick_failed");
  falls = timeline.count("fall");
  penalties = timeline.count("penalty");
  failures = timeline.count(Severity::Failure);
  simulated = match.time();
}

}  // namespace hl_match
