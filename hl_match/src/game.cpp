// SPDX-License-Identifier: Apache-2.0
#include "hl_match/game.hpp"

#include <cmath>
#include <ctime>

#include "hl_match/minds.hpp"

namespace hl_match {
namespace {

constexpr double kShotSpeed = 0.8;  // m/s from which a ball that was slow is shot
constexpr double kSlow = 0.4;       // m/s
constexpr double kReach = 0.5;      // m from the ball of who has it

double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Shots at the goal and possession, from the truth; by team of the match.
struct Watch {
  std::array<std::size_t, 2> shots{};
  std::array<double, 2> possession{};
  bool slow = true;

  void look(const Match& match) {
    if (match.player(0).game().phase != hl_soccer::GamePhase::Playing) return;
    const Eigen::Vector2d ball = match.world().ball_position().head<2>();
    const Eigen::Vector2d speed = match.world().ball_velocity().head<2>();
    if (speed.norm() < kSlow) slow = true;
    const auto toucher = match.world().ball_touched_by();
    if (slow && speed.norm() > kShotSpeed && toucher) {
      slow = false;
      const Eigen::Vector2d at = match.in_map(*toucher, ball), v = match.in_map(*toucher, speed);
      const auto& field = match.params().field;
      const double crosses = v.x() > 0.0 ? at.y() + v.y() / v.x() * (0.5 * field.length - at.x()) : 1e9;
      if (std::abs(crosses) < 0.5 * field.goal_width) ++shots[static_cast<std::size_t>(match.team(*toucher))];
    }
    double nearest = kReach;
    int owner = -1;
    for (std::size_t i = 0; i < match.size(); ++i) {
      const double distance = (match.world().body(i).trunk - ball).norm();
      if (distance >= nearest) continue;
      nearest = distance;
      owner = match.team(i);
    }
    if (owner >= 0) possession[static_cast<std::size_t>(owner)] += kPeriod;
  }
  static constexpr double kPeriod = 0.1;  // s between looks
};

}  // namespace

GameResult play_game(Match::Params params, const GameOptions& options, std::uint64_t seed) {
  params.seed = seed;
  params.players = {options.teams, options.teams};
  params.threads = options.player_threads;
  auto tactics = options.tactics;
  if (options.change_sides) std::swap(tactics[0], tactics[1]);
  params.mind = minds_of(params, tactics);
  hl_game_controller::Referee::Params referee;
  referee.rules.players_per_team = options.teams;
  referee.rules.half_time = options.half_time;
  referee.rules.ready_time = options.ready_time;
  referee.rules.break_time = 10.0;  // nothing happens in it
  params.referee = referee;
  const double before = cpu_time();
  Match match(params);
  Watch watch;
  double next = 0.0;
  const bool well = match.run(options.until > 0.0 ? options.until : 4.0 * options.half_time + 600.0, [&] {
    if (options.watch) options.watch(match);
    if (match.time() >= next) watch.look(match), next = match.time() + Watch::kPeriod - 1e-6;
    return false;
  });
  GameResult game;
  game.seed = seed;
  game.cpu = cpu_time() - before;
  game.simulated = match.time();
  game.finished = well && (match.over() || options.until > 0.0);
  for (const int team : {0, 1}) {
    const auto t = static_cast<std::size_t>(team), index = options.change_sides ? 1 - t : t;
    game.score[index] = match.referee()->score(t);
    game.falls[index] = match.timeline().count("fall", team + 1);
    game.kicks[index] = match.timeline().count("kick", team + 1);
    game.penalties[index] = match.timeline().count("penalty", team + 1);
    game.shots[index] = watch.shots[t];
    game.possession[index] = watch.possession[t];
  }
  game.failures = match.timeline().count(Severity::Failure);
  game.warnings = match.timeline().count(Severity::Warning) - game.failures;
  game.timeline = match.timeline().events();
  for (const auto& event : game.timeline)
    if (event.severity == Severity::Failure) game.broken.push_back(event);
  return game;
}

}  // namespace hl_match
