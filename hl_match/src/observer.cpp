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

template <class T>
std::vector<double> per_game(const std::vector<Observer>& games, T value) {
  std::vector<double> values;
  for (const Observer& game : games) values.push_back(value(game));
  return values;
}

template <class T>
std::size_t sum_of(const std::vector<Observer>& games, T value) {
  std::size_t sum = 0;
  for (const Observer& game : games) sum += value(game);
  return sum;
}

std::vector<std::vector<double>> samples_of(const std::vector<Observer>& games,
                                            std::vector<double> Observer::*samples) {
  std::vector<std::vector<double>> all;
  for (const Observer& game : games) all.push_back(game.*samples);
  return all;
}

}  // namespace

void Observer::look_at_robot(const Match& match, std::size_t robot) {
  const auto& player = match.player(robot);
  const hl_player::Mind* mind = mind_of(match, robot);
  if (mind == nullptr || player.paused() || !on_its_feet(match.outputs(robot).motion->body)) return;
  minutes += kPeriod / 60.0;
  touching += !match.simulation().robot(robot).robots_touched().empty();

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
  const Eigen::Vector2d ball = truth.inverse() * match.in_map(robot, match.simulation().ball_position().head<2>());
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
  if (match.player(0).game().phase != hl_soccer::GamePhase::Playing) return;
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

std::vector<Figure> localization_figures(const std::vector<Observer>& games) {
  const auto position = samples_of(games, &Observer::position_errors);
  auto heading = samples_of(games, &Observer::heading_errors);
  for (auto& game : heading)
    for (double& error : game) error *= 180.0 / M_PI;
  return {quantile_of("position error, median", position, 0.5, "m"),
          quantile_of("position error, 95 % of the time below", position, 0.95, "m"),
          quantile_of("heading error, median", heading, 0.5, "degrees"),
          quantile_of("heading error, 95 % of the time below", heading, 0.95, "degrees"),
          share_of("time on the wrong side", sum_of(games, [](const auto& g) { return g.wrong_side; }),
                   sum_of(games, [](const auto& g) { return g.pose_samples; })),
          share_of("time without a pose", sum_of(games, [](const auto& g) { return g.pose_unknown; }),
                   sum_of(games, [](const auto& g) { return g.pose_samples; }))};
}

std::vector<Figure> model_figures(const std::vector<Observer>& games) {
  const auto errors = samples_of(games, &Observer::ball_errors);
  return {
      quantile_of("ball error within 4 m, median", errors, 0.5, "m"),
      quantile_of("ball error within 4 m, 95 % of the time below", errors, 0.95, "m"),
      share_of("time without a ball although within 4 m", sum_of(games, [](const auto& g) { return g.ball_unknown; }),
               sum_of(games, [](const auto& g) { return g.ball_samples; }))};
}

std::vector<Figure> planning_figures(const std::vector<Observer>& games) {
  std::vector<Figure> figures;
  for (const char* outcome : {"reached", "no way", "no progress", "lost", "not allowed", "cancelled"}) {
    figures.push_back(mean_of(std::string("navigate ends: ") + outcome,
                              per_game(games,
                                       [&](const auto& g) {
                                         const auto found = g.outcomes.find(outcome);
                                         return found == g.outcomes.end() ? 0.0 : static_cast<double>(found->second);
                                       }),
                              "per game"));
  }
  figures.push_back(share_of("time in contact with another robot",
                             sum_of(games, [](const auto& g) { return g.touching; }),
                             sum_of(games, [](const auto& g) { return g.pose_samples; })));
  figures.push_back(mean_of(
      "falls",
      per_game(games, [](const auto& g) { return g.minutes > 0.0 ? static_cast<double>(g.falls) / g.minutes : 0.0; }),
      "per robot and minute of play"));
  return figures;
}

std::vector<Figure> behavior_figures(const std::vector<Observer>& games) {
  const auto teams =
      sum_of(games, [](const auto& g) { return g.strikers[0] + g.strikers[1] + g.strikers[2] + g.strikers[3]; });
  std::vector<Figure> figures{
      mean_of("goals", per_game(games, [](const auto& g) { return static_cast<double>(g.goals[0] + g.goals[1]); }),
              "per game"),
      mean_of("kicks", per_game(games, [](const auto& g) { return static_cast<double>(g.kicks); }), "per game"),
      mean_of("kicks that failed", per_game(games, [](const auto& g) { return static_cast<double>(g.failed_kicks); }),
              "per game"),
      mean_of("removals", per_game(games, [](const auto& g) { return static_cast<double>(g.penalties); }), "per game"),
      mean_of("broken invariants", per_game(games, [](const auto& g) { return static_cast<double>(g.failures); }),
              "per game")};
  figures.push_back(
      share_of("games with a goal",
               sum_of(games, [](const auto& g) { return static_cast<std::size_t>(g.goals[0] + g.goals[1] > 0); }),
               games.size()));
  const char* kNames[] = {"time of a team without a striker", "with one striker", "with two strikers", "with more"};
  for (std::size_t i = 0; i < 4; ++i)
    figures.push_back(share_of(kNames[i], sum_of(games, [&](const auto& g) { return g.strikers[i]; }), teams));
  return figures;
}

}  // namespace hl_match
