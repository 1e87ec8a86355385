// SPDX-License-Identifier: Apache-2.0
// Ball and robot anywhere; the ball must be in the goal within two minutes and
// never leave the field elsewhere. Empty goal, and against a keeper.
#include <cmath>
#include <cstdio>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

constexpr double kTime = 120.0;  // s

struct Result {
  bool goal = false, out = false;
  double time = kTime;  // s
};

Result score(const Match::Params& world, const hl_behavior::TacticsParams& tactics, bool keeper, std::uint64_t seed) {
  PlayTrial trial(world, {{1, keeper ? 1 : 0}, {0, 1}, {true, true}, seed, tactics});
  const double x = 0.5 * world.field.length - 0.3, y = 0.5 * world.field.width - 0.3;
  const Eigen::Vector2d ball(trial.in(-x, keeper ? x - 1.0 : x), trial.in(-y, y));
  hl_description::Pose2 robot;
  do {
    robot = {trial.in(-x, keeper ? x - 1.0 : x), trial.in(-y, y), trial.in(-M_PI, M_PI)};
  } while ((robot.position() - ball).norm() < 0.5);
  trial.place_ball(ball);
  trial.place(0, robot);
  if (keeper) trial.place(1, {-0.5 * world.field.length + 0.5, 0.0, 0.0});
  trial.stand();
  const double begin = trial.match().time();
  trial.match().run(kTime, [&] { return trial.out(); });
  Result result;
  result.goal = trial.in_goal() == PlayTrial::Side::Rival;
  result.out = trial.out() && !result.goal;
  result.time = trial.match().time() - begin;
  std::fprintf(stderr,
               "striker %llu%s: %s after %.0f s (ball %.1f %.1f -> %.1f %.1f, robot %.1f %.1f; %zu kicks, %zu falls)\n",
               static_cast<unsigned long long>(seed), keeper ? ", keeper" : "",
               result.goal  ? "goal"
               : result.out ? "out"
                            : "nothing",
               result.time, ball.x(), ball.y(), trial.ball().x(), trial.ball().y(), robot.x, robot.y,
               trial.match().timeline().count("kick"), trial.match().timeline().count("fall"));
  return result;
}

std::vector<Figure> rows(EvaluationContext& context, bool keeper, const std::string& name) {
  const auto world = installed_match(context.options().robot);
  const auto tactics = context.tactics();
  std::vector<Result> results(context.trials());
  in_parallel(results.size(), context.options().threads,
              [&](std::size_t i) { results[i] = score(world, tactics, keeper, context.options().seed + i); });
  std::size_t goals = 0, outs = 0;
  std::vector<double> times;
  for (const Result& result : results) {
    goals += result.goal ? 1 : 0;
    outs += result.out ? 1 : 0;
    if (result.goal) times.push_back(result.time);
  }
  std::vector<Figure> figures{share_of(name + ": goals within 120 s", goals, results.size()),
                              share_of(name + ": ball out of play", outs, results.size())};
  if (!times.empty()) figures.push_back(mean_of(name + ": time to the goal", times, "s"));
  return figures;
}

}  // namespace

std::vector<Figure> evaluate_striker(EvaluationContext& context) {
  return rows(context, false, "empty goal");
}

std::vector<Figure> evaluate_striker_keeper(EvaluationContext& context) {
  return rows(context, true, "against a keeper");
}

}  // namespace hl_match
