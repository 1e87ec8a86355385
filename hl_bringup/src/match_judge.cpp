// SPDX-License-Identifier: Apache-2.0
#include "match_judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hl_bringup {
namespace {

constexpr double kStopTime = 4.0;     // s from the referee's word to standing still: packet, last steps, penalty pose
constexpr double kStandsStill = 0.2;  // m a penalised robot may be from where it stopped
constexpr double kCarried = 0.3;      // m in one look: the referee's helpers carried it
constexpr double kTwoStrikers = 5.0;  // s

}  // namespace

void MatchJudge::add(double time, Severity severity, const std::string& rule, const std::string& text) {
  if (told_.insert(rule + text).second) findings_.push_back({time, severity, rule, text});
}

void MatchJudge::look(const MatchView& view, std::uint64_t step) {
  if (step < step_)
    add(view.time, Severity::Failure, "physics", "the physics diverged, everything is back at its start");
  step_ = step;
  for (const auto& player : view.players) {
    if (!std::isfinite(player.x) || !std::isfinite(player.y))
      add(view.time, Severity::Failure, "no NaN", player.name + " is nowhere");
    const auto [last, first] = last_.emplace(player.name, std::make_pair(player.x, player.y));
    const bool carried = !first && std::hypot(player.x - last->second.first, player.y - last->second.second) > kCarried;
    last->second = {player.x, player.y};
    const auto found = penalised_.find(player.name);
    if (found == penalised_.end()) continue;
    Penalised& penalised = found->second;
    if (carried || player.held) penalised.at.reset(), penalised.since = view.time;
    if (view.time - penalised.since < kStopTime) continue;
    if (!penalised.at) penalised.at = std::make_pair(player.x, player.y);
    const double moved = std::hypot(player.x - penalised.at->first, player.y - penalised.at->second);
    if (moved > kStandsStill && player.upright)
      add(view.time, Severity::Failure, "penalised robots do not move",
          player.name + " moves although it is penalised");
  }
  if (!std::isfinite(view.ball_x) || !std::isfinite(view.ball_y))
    add(view.time, Severity::Failure, "no NaN", "the ball is nowhere");
}

void MatchJudge::hear(const RefereeWord& word) {
  const std::string name = team_name(word.team) + std::to_string(word.player);
  if (word.kind == "penalty" && word.player != 0) penalised_[name] = {word.time, std::nullopt};
  if (word.kind == "release") penalised_.erase(name);
}

void MatchJudge::strikers(const std::map<int, int>& by_team, double time) {
  for (const auto& [team, count] : by_team) {
    if (count < 2) {
      two_since_.erase(team);
    } else if (time - two_since_.emplace(team, time).first->second > kTwoStrikers) {
      add(time, Severity::Warning, "one striker", "two strikers of " + team_name(team) + " for more than 5 s");
    }
  }
}

void MatchJudge::writers(const std::string& robot, std::size_t count, double time) {
  if (count > 1)
    add(time, Severity::Failure, "one writer per joint",
        std::to_string(count) + " nodes write motor_goals of " + robot);
}

std::size_t MatchJudge::failures() const {
  return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), [](const Finding& finding) {
    return finding.severity == Severity::Failure;
  }));
}

}  // namespace hl_bringup
