// SPDX-License-Identifier: Apache-2.0
// The walk-in of READY: both teams from the touch lines to their places, whole robots in physics.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/minds.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;
using hl_soccer::GamePhase;
using hl_soccer::KickOff;

constexpr double kOnTheLine = 0.15;  // m, a foot on the halfway line or on the circle

struct Result {
  bool legal = true, touched = false, crossed = false;
  std::size_t falls = 0;
  double slowest = 0.0;  // s until nobody had to go on
};

double side_of(const Vector2d& from, const Vector2d& to, const Vector2d& point) {
  const Vector2d way = to - from, there = point - from;
  return way.x() * there.y() - way.y() * there.x();
}

struct Way {
  Vector2d from, to;
  bool crosses(const Way& other) const {
    return side_of(from, to, other.from) * side_of(from, to, other.to) < 0.0 &&
           side_of(other.from, other.to, from) * side_of(other.from, other.to, to) < 0.0;
  }
};

/// In the own half; outside the centre circle if the kick-off is not ours.
bool is_legal(const Match& match, std::size_t robot) {
  const Vector2d place = match.true_pose(robot).position();
  const bool own_kick_off = match.player(robot).game().kick_off == KickOff::Own;
  return place.x() < kOnTheLine && (own_kick_off || place.norm() > match.params().field.circle_radius() - kOnTheLine);
}

Result walk_in(const Match::Params& world, int robots, std::uint64_t seed) {
  Match::Params params = world;
  params.players = {robots, robots};
  params.seed = seed;
  params.referee.emplace();
  params.referee->rules.players_per_team = robots;
  params.mind = our_minds(params);
  Match match(params);
  const auto in = [&](GamePhase phase) { return match.player(0).game().phase == phase; };
  match.run(60.0, [&] { return in(GamePhase::Ready); });
  const double begin = match.time();
  std::vector<Way> ways;
  for (std::size_t i = 0; i < match.size(); ++i) ways.push_back({match.true_pose(i).position(), Vector2d::Zero()});
  Result result;
  match.run(params.referee->rules.ready_time + 5.0, [&] {
    for (std::size_t i = 0; i < match.size(); ++i) {
      result.touched = result.touched || !match.simulation().robot(i).robots_touched().empty();
      const auto* decided = match.player(i).decided();
      if (decided == nullptr || decided->action != hl_soccer::Action::Waiting) result.slowest = match.time() - begin;
    }
    return !in(GamePhase::Ready);
  });
  for (std::size_t i = 0; i < match.size(); ++i) {
    ways[i].to = match.true_pose(i).position();
    result.legal = result.legal && is_legal(match, i);
  }
  for (std::size_t i = 0; i < match.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      result.crossed = result.crossed || (match.team(i) == match.team(k) && ways[i].crosses(ways[k]));
  result.falls = match.timeline().count("fall");
  std::fprintf(stderr, "walk-in %llu: %s, %s, %s, %zu falls, in place after %.0f s\n",
               static_cast<unsigned long long>(seed), result.legal ? "legal" : "ILLEGAL",
               result.touched ? "TOUCHED" : "no contact", result.crossed ? "ways CROSSED" : "no ways crossed",
               result.falls, result.slowest);
  for (std::size_t i = 0; i < match.size() && (result.crossed || result.touched || !result.legal); ++i)
    std::fprintf(stderr, "    team %d player %d: %.2f %.2f -> %.2f %.2f%s\n", match.team(i), match.number(i),
                 ways[i].from.x(), ways[i].from.y(), ways[i].to.x(), ways[i].to.y(),
                 is_legal(match, i) ? "" : ", illegal");
  return result;
}

}  // namespace

std::vector<Figure> evaluate_walk_in(EvaluationContext& context) {
  const auto world = installed_match(context.options().robot);
  std::vector<Result> results(context.trials());
  in_parallel(results.size(), context.options().threads,
              [&](std::size_t i) { results[i] = walk_in(world, context.options().teams, context.options().seed + i); });
  const auto share = [&](const std::string& name, bool (*holds)(const Result&)) {
    const auto count = std::count_if(results.begin(), results.end(), holds);
    return share_of(name, static_cast<std::size_t>(count), results.size());
  };
  std::size_t falls = 0;
  std::vector<double> slowest;
  for (const Result& result : results) {
    falls += result.falls;
    slowest.push_back(result.slowest);
  }
  return {share("when READY ends everybody stands where the rules want it", [](const Result& r) { return r.legal; }),
          share("nobody touched another robot", [](const Result& r) { return !r.touched; }),
          share("no two of a team crossed their ways", [](const Result& r) { return !r.crossed; }),
          rate_of("falls", falls, results.size(), "per walk-in"), mean_of("everybody has arrived after", slowest, "s")};
}

}  // namespace hl_match
