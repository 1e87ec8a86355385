// SPDX-License-Identifier: Apache-2.0
// A robot that knows its surroundings from the pictures of its camera alone: ball and robot anywhere, empty goal. It is
// told where it stands at the beginning, because the field looks the same from both sides.
#include <cmath>
#include <cstdio>
#include <opencv2/core/utility.hpp>
#include <optional>

#include "camera_diary.hpp"
#include "camera_eyes.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/observer.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

constexpr double kTime = 120.0;  // s

struct Result {
  bool goal = false, out = false;
  double time = kTime, falls = 0.0;  // s
  std::vector<double> place_errors, heading_errors, ball_errors;
  std::size_t ball_unknown = 0, ball_samples = 0;
};

void exchange(TrialValues& values, Result& result) {
  values(result.goal);
  values(result.out);
  values(result.time);
  values(result.falls);
  values(result.place_errors);
  values(result.heading_errors);
  values(result.ball_errors);
  values(result.ball_unknown);
  values(result.ball_samples);
}

/// `folder`: for the diary; empty = none is kept.
Result score(Match::Params world, std::uint64_t seed, const std::string& folder) {
  const CameraEyes* eyes = nullptr;
  world.eyes = [&eyes](Match& match, std::size_t robot) {
    auto made = std::make_unique<CameraEyes>(match, robot);
    eyes = made.get();
    return made;
  };
  PlayTrial trial(world, {{1, 0}, {0, 1}, {true, true}, seed});
  std::optional<CameraDiary> diary;
  if (!folder.empty()) diary.emplace(folder, seed);
  const double x = 0.5 * world.field.length - 0.3, y = 0.5 * world.field.width - 0.3;
  const Eigen::Vector2d ball(trial.in(-x, x), trial.in(-y, y));
  hl_description::Pose2 robot;
  do {
    robot = {trial.in(-x, x), trial.in(-y, y), trial.in(-M_PI, M_PI)};
  } while ((robot.position() - ball).norm() < 0.5);
  trial.place_ball(ball);
  trial.place(0, robot);
  trial.stand();
  trial.tell_pose(0);
  Match& match = trial.match();
  const double begin = match.time();
  Observer observer;
  match.run(kTime, [&] {
    observer.look(match);
    if (diary) diary->look(match, 0, trial.mind(0), *eyes);
    return trial.out();
  });
  observer.conclude(match);
  const bool goal = trial.in_goal() == PlayTrial::Side::Rival, out = trial.out() && !goal;
  const double time = match.time() - begin;
  std::fprintf(
      stderr, "camera %llu: %s after %.0f s (ball %.1f %.1f -> %.1f %.1f, robot %.1f %.1f; %zu kicks, %zu falls)\n",
      static_cast<unsigned long long>(seed),
      goal  ? "goal"
      : out ? "out"
            : "nothing",
      time, ball.x(), ball.y(), trial.ball().x(), trial.ball().y(), robot.x, robot.y, observer.kicks, observer.falls);
  return {goal,
          out,
          time,
          static_cast<double>(observer.falls),
          observer.position_errors,
          observer.heading_errors,
          observer.ball_errors,
          observer.ball_unknown,
          observer.ball_samples};
}

}  // namespace

std::vector<Figure> evaluate_camera(EvaluationContext& context) {
  cv::setNumThreads(1);
  const auto world = installed_match(context.options().robot);
  const auto results = context.results<Result>(
      "camera", context.trials(), [&](std::uint64_t seed) { return score(world, seed, context.options().pictures); });
  std::size_t goals = 0, outs = 0;
  std::vector<Events> unknown;
  std::vector<double> times, falls;
  std::vector<std::vector<double>> places, headings, balls;
  for (const Result& result : results) {
    goals += result.goal;
    outs += result.out;
    if (result.goal) times.push_back(result.time);
    falls.push_back(result.falls);
    places.push_back(result.place_errors);
    headings.push_back(result.heading_errors);
    balls.push_back(result.ball_errors);
    unknown.push_back({result.ball_unknown, result.ball_samples});
  }
  return {share_of("goals within 120 s (wanted 75)", goals, results.size()),
          share_of("ball out of play", outs, results.size()),
          mean_of("time to the goal", times, "s"),
          mean_of("falls in a trial", falls, ""),
          quantile_of("believed place, error, median", places, 0.5, "m"),
          quantile_of("believed place, error, 95 %", places, 0.95, "m"),
          quantile_of("believed heading, error, median", headings, 0.5, "rad"),
          quantile_of("believed heading, error, 95 %", headings, 0.95, "rad"),
          quantile_of("believed ball within 4 m, error, median", balls, 0.5, "m"),
          quantile_of("believed ball within 4 m, error, 95 %", balls, 0.95, "m"),
          share_in("ball within 4 m not known, samples", unknown)};
}

}  // namespace hl_match
