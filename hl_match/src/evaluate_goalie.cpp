// SPDX-License-Identifier: Apache-2.0
// A keeper alone: balls from 3 to 4 m that would cross the goal line anywhere
// between the posts, at 0.3 to 1 m/s and faster; and a robot that only stands
// there.
#include <cmath>
#include <cstdio>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;

/// m/s^2 of a ball that rolls freely, measured in this very world.
double deceleration(const Match::Params& world) {
  PlayTrial trial(world, {{1, 0}, {0, 0}, {false, false}, 1});
  trial.place(0, {-4.0, 2.5, 0.0});
  trial.stand();
  trial.place_ball({0.0, 0.0}, {1.2, 0.0});
  trial.match().run(0.3);
  const double before = trial.simulation().ball_velocity().norm();
  trial.match().run(1.0);
  return before - trial.simulation().ball_velocity().norm();
}

/// The ball is stopped, or would have gone in anyway.
bool stopped(const Match::Params& world, double brake, bool thinks, double slowest, double fastest,
             std::uint64_t seed) {
  PlayTrial trial(world, {{1, 0}, {1, 0}, {thinks, true}, seed});
  const double line = -0.5 * world.field.length, post = 0.5 * world.field.goal_width - world.field.ball_radius;
  const double distance = trial.in(3.0, 4.0), aside = trial.in(-1.5, 1.5);
  const double crossing = trial.in(-post, post), speed = trial.in(slowest, fastest);
  const Vector2d from(line + distance, aside), to(line, crossing);
  trial.place(0, {line + 0.5, 0.0, 0.0});
  trial.place_ball(from);
  trial.stand();
  trial.match().run(5.0);  // sees the ball and finds its place
  const Vector2d way = to - from;
  const double begin = std::sqrt(speed * speed + 2.0 * brake * way.norm());
  trial.place_ball(from, begin * way.normalized());
  trial.match().run(12.0, [&] { return trial.out(); });
  return trial.in_goal() != PlayTrial::Side::Own;
}

}  // namespace

std::vector<Figure> evaluate_goalie(EvaluationContext& context) {
  const auto world = installed_match(context.options().robot);
  const double brake = deceleration(world);
  std::fprintf(stderr, "a rolling ball loses %.2f m/s in a second\n", brake);
  std::vector<Figure> figures;
  const struct {
    const char* name;
    bool thinks;
    double slowest, fastest;
  } kRows[] = {{"keeper: stopped, 0.3-1.0 m/s", true, 0.3, 1.0},
               {"standing robot: stopped, 0.3-1.0 m/s", false, 0.3, 1.0},
               {"keeper: stopped, 1.0-1.5 m/s", true, 1.0, 1.5}};
  for (const auto& row : kRows) {
    std::vector<char> results(context.trials());
    in_parallel(results.size(), context.options().threads, [&](std::size_t i) {
      results[i] = stopped(world, brake, row.thinks, row.slowest, row.fastest, context.options().seed + i) ? 1 : 0;
    });
    std::size_t good = 0;
    for (const char result : results) good += result != 0 ? 1 : 0;
    figures.push_back(share_of(row.name, good, results.size()));
    std::fprintf(stderr, "%s: %zu of %zu\n", row.name, good, results.size());
  }
  return figures;
}

}  // namespace hl_match
