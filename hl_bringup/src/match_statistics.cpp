// SPDX-License-Identifier: Apache-2.0
#include "match_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace hl_bringup {
namespace {

constexpr double kHeatPeriod = 0.2;  // s between two marks on the heat maps
constexpr double kWayStep = 0.05;    // m; smaller moves are the swing of the trunk
constexpr double kCarried = 0.3;     // m in one look: somebody carried it

}  // namespace

double Series::percentile(double share) const {
  if (values_.empty()) return 0.0;
  auto sorted = values_;
  const auto k = static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
  std::nth_element(sorted.begin(), sorted.begin() + k, sorted.end());
  return sorted[static_cast<std::size_t>(k)];
}

void HeatMap::add(double x, double y) {
  const int column = static_cast<int>(std::floor(x / kCell)) + kColumns / 2;
  const int row = static_cast<int>(std::floor(y / kCell)) + kRows / 2;
  if (column < 0 || column >= kColumns || row < 0 || row >= kRows) return;
  ++counts[static_cast<std::size_t>(row * kColumns + column)];
}

int HeatMap::most() const {
  return *std::max_element(counts.begin(), counts.end());
}

void MatchStatistics::look(const MatchView& view, int owner_team, bool playing) {
  const double dt = last_time_ < 0.0 ? 0.0 : std::clamp(view.time - last_time_, 0.0, 1.0);
  last_time_ = view.time;
  const bool mark = view.time >= next_heat_;
  if (mark) next_heat_ = view.time + kHeatPeriod;
  for (const auto& player : view.players) {
    Robot& robot = robots_[player.name];
    robot.team = player.team;
    robot.seen += dt;
    if (player.upright) robot.upright += dt;
    if (mark) robot.heat.add(player.x, player.y);
    const auto [last, first] = last_.emplace(player.name, std::make_pair(player.x, player.y));
    if (first) continue;
    const double step = std::hypot(player.x - last->second.first, player.y - last->second.second);
    if (step < kWayStep) continue;
    if (step < kCarried) robot.way += step;
    last->second = {player.x, player.y};
  }
  if (playing) {
    played_ += dt;
    if (owner_team != 0) owned_[owner_team] += dt;
    if (mark) ball_.add(view.ball_x, view.ball_y);
    const double step = std::hypot(view.ball_x - last_ball_x_, view.ball_y - last_ball_y_);
    if (step < kCarried) ball_way_ += step;
  }
  last_ball_x_ = view.ball_x;
  last_ball_y_ = view.ball_y;
}

void MatchStatistics::count(const MatchEvent& event) {
  if (event.who.empty()) return;
  Robot& robot = robots_[event.who];
  robot.falls += event.kind == "fall";
  robot.dives += event.kind == "dive";
  robot.recoveries += event.kind == "up";
  robot.shots += event.kind == "shot";
  robot.penalties += event.kind == "penalty";
}

void MatchStatistics::pose(const std::string& name, bool known, double error) {
  Robot& robot = robots_[name];
  ++robot.pose_samples;
  if (known)
    robot.position_error.add(error);
  else
    ++robot.pose_unknown;
}

double MatchStatistics::possession(int team) const {
  double all = 0.0;
  for (const auto& [_, time] : owned_) all += time;
  const auto found = owned_.find(team);
  return all > 0.0 && found != owned_.end() ? found->second / all : 0.0;
}

}  // namespace hl_bringup
