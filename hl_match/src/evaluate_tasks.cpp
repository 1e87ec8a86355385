// SPDX-License-Identifier: Apache-2.0
// The shipped RTDL drills, from their text, by whole robots in physics.
#include <cmath>
#include <cstdio>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;
using State = hl_behavior::rtdl::Interpreter::State;

void tell(const char* task, std::uint64_t seed, bool good, PlayTrial& trial, double begin) {
  std::fprintf(stderr, "%s %llu: %s after %.0f s, ball at %.2f %.2f, %zu kicks, %zu falls", task,
               static_cast<unsigned long long>(seed), good ? "good" : "FAILED", trial.match().time() - begin,
               trial.ball().x(), trial.ball().y(), trial.match().timeline().count("kick"),
               trial.match().timeline().count("fall"));
  for (std::size_t i = 0; i < trial.match().size(); ++i)
    std::fprintf(stderr, "; task %d %s", static_cast<int>(trial.tasks(i).state()), trial.tasks(i).reason().c_str());
  std::fputc('\n', stderr);
  for (std::size_t i = 0; i < trial.match().size() && !good; ++i) {
    const auto events = trial.tasks(i).take_events();
    for (std::size_t k = events.size() > 12 ? events.size() - 12 : 0; k < events.size(); ++k)
      std::fprintf(stderr, "    %zu: %s\n", i + 1, events[k].c_str());
  }
}

/// The ball within a kick of the goal, the robot somewhere around: it must be
/// in the goal.
bool kick_to_goal(const Match::Params& world, std::uint64_t seed) {
  PlayTrial trial(world, {{1, 0}, {0, 0}, {true, true}, seed});
  const Vector2d ball(trial.in(2.4, 3.4), trial.in(-1.0, 1.0));
  const double from = trial.in(-M_PI, M_PI);
  const Vector2d robot = ball + trial.in(1.0, 2.5) * Vector2d(-std::abs(std::cos(from)), std::sin(from));
  trial.place(0, {robot.x(), std::clamp(robot.y(), -2.8, 2.8), trial.in(-M_PI, M_PI)});
  trial.place_ball(ball);
  trial.stand();
  trial.begin_task(0, {"", "kick_to_goal", {}, 120.0});
  const double begin = trial.match().time();
  double ended = 0.0;
  trial.match().run(140.0, [&] {
    if (!trial.tasks(0).active() && ended == 0.0) ended = trial.match().time();
    return trial.out() || (ended > 0.0 && trial.match().time() - ended > 8.0);  // the ball rolls on
  });
  const bool good = trial.in_goal() == PlayTrial::Side::Rival;
  tell("kick_to_goal", seed, good, trial, begin);
  return good;
}

/// Around three poles on the centre line: left, right, left of them, then to
/// the goal.
bool slalom(const Match::Params& world, std::uint64_t seed) {
  PlayTrial trial(world, {{1, 0}, {0, 0}, {true, true}, seed});
  trial.place(0, {trial.in(-4.0, -3.6), trial.in(-0.5, 0.5), trial.in(-0.5, 0.5)});
  trial.place_ball({trial.in(-3.1, -2.9), trial.in(-0.1, 0.1)});
  trial.stand();
  trial.begin_task(0, {"", "slalom", {}, 400.0});
  const double begin = trial.match().time();
  const double poles[] = {-1.5, 0.0, 1.5};
  double side[3] = {0.0, 0.0, 0.0};  // y of the last crossing
  Vector2d last = trial.ball();
  trial.match().run(420.0, [&] {
    const Vector2d now = trial.ball();
    for (int i = 0; i < 3; ++i)
      if ((last.x() < poles[i]) != (now.x() < poles[i])) side[i] = now.y();
    last = now;
    return trial.out() || !trial.tasks(0).active();
  });
  const bool around = side[0] > 0.0 && side[1] < 0.0 && side[2] > 0.0;
  const bool there = trial.in_goal() == PlayTrial::Side::Rival || trial.tasks(0).state() == State::Succeeded;
  const bool good = around && there && !(trial.out() && trial.in_goal() != PlayTrial::Side::Rival);
  tell("slalom", seed, good, trial, begin);
  if (!good) std::fprintf(stderr, "    passed the poles at y %.2f %.2f %.2f\n", side[0], side[1], side[2]);
  return good;
}

/// One gives, the other receives and gives back.
bool passing(const Match::Params& world, std::uint64_t seed) {
  PlayTrial trial(world, {{2, 0}, {0, 0}, {true, true}, seed});
  trial.place(0, {trial.in(-1.6, -1.2), trial.in(-0.3, 0.3), trial.in(-0.5, 0.5)});
  trial.place(1, {trial.in(1.0, 1.4), trial.in(-0.3, 0.3), M_PI + trial.in(-0.5, 0.5)});
  trial.place_ball({trial.in(-0.9, -0.7), trial.in(-0.2, 0.2)});
  trial.stand();
  trial.begin_task(0, {"", "passing_drill", {"Player2", "1"}, 200.0});
  trial.begin_task(1, {"", "passing_drill", {"Player1", "0"}, 200.0});
  const double begin = trial.match().time();
  trial.match().run(220.0, [&] { return trial.out() || (!trial.tasks(0).active() && !trial.tasks(1).active()); });
  const bool good = !trial.out() && trial.tasks(0).state() == State::Succeeded &&
                    trial.tasks(1).state() == State::Succeeded && trial.match().timeline().count("kick") >= 2;
  tell("passing_drill", seed, good, trial, begin);
  return good;
}

}  // namespace

std::vector<Figure> evaluate_tasks(EvaluationContext& context) {
  const auto world = installed_match(context.options().robot);
  std::vector<Figure> figures;
  const std::pair<const char*, bool (*)(const Match::Params&, std::uint64_t)> kDrills[] = {
      {"kick_to_goal: in the goal", kick_to_goal},
      {"slalom: around three poles", slalom},
      {"passing_drill: there and back", passing}};
  for (const auto& [name, drill] : kDrills) {
    std::vector<char> results(context.trials());
    in_parallel(results.size(), context.options().threads,
                [&, run = drill](std::size_t i) { results[i] = run(world, context.options().seed + i) ? 1 : 0; });
    std::size_t good = 0;
    for (const char result : results) good += result != 0 ? 1 : 0;
    figures.push_back(share_of(name, good, results.size()));
  }
  return figures;
}

}  // namespace hl_match
