// SPDX-License-Identifier: Apache-2.0
// The shipped RTDL drills, from their text, by whole robots in physics.
#include <cstdio>

#include "hl_match/drills.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

constexpr double kGrace = 20.0;  // s beyond a drill's time limit
using State = hl_behavior::rtdl::Interpreter::State;

DrillView view_of(PlayTrial& trial) {
  DrillView view;
  view.time = trial.match().time();
  view.ball = trial.ball();
  view.touched_by = trial.match().world().ball_touched_by();
  for (std::size_t i = 0; i < trial.match().size(); ++i) {
    const auto& tasks = trial.tasks(i);
    view.tasks.push_back(tasks.active()                      ? DrillTask::Running
                         : tasks.state() == State::Succeeded ? DrillTask::Completed
                                                             : DrillTask::Failed);
  }
  return view;
}

void tell(const Drill& drill, std::uint64_t seed, bool good, PlayTrial& trial, double begin) {
  std::fprintf(stderr, "%s %llu: %s after %.0f s, ball at %.2f %.2f, %zu kicks, %zu falls", drill.task,
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

bool carry_out(const Drill& drill, const Match::Params& world, std::uint64_t seed) {
  const auto robots = static_cast<int>(drill.arguments.size());
  PlayTrial trial(world, {{robots, 0}, {0, 0}, {true, true}, seed});
  auto random = drill_random(seed);
  const Drill::Start start = drill.start(random);
  for (std::size_t i = 0; i < start.robots.size(); ++i) trial.place(i, start.robots[i]);
  trial.place_ball(start.ball);
  trial.stand();
  for (std::size_t i = 0; i < drill.arguments.size(); ++i)
    trial.begin_task(i, {"", drill.task, drill.arguments[i], drill.time_limit});
  const double begin = trial.match().time();
  DrillStory story(world.field);
  trial.match().run(drill.time_limit + kGrace, [&] {
    story.note(view_of(trial));
    return drill.over(story);
  });
  const bool good = drill.good(story);
  tell(drill, seed, good, trial, begin);
  return good;
}

}  // namespace

std::vector<Figure> evaluate_tasks(EvaluationContext& context) {
  const auto world = installed_match(context.options().robot);
  std::vector<Figure> figures;
  for (const Drill& drill : shipped_drills()) {
    if (!context.wants(drill.task)) continue;
    std::vector<char> results(context.trials());
    in_parallel(results.size(), context.options().threads,
                [&](std::size_t i) { results[i] = carry_out(drill, world, context.options().seed + i) ? 1 : 0; });
    std::size_t good = 0;
    for (const char result : results) good += result != 0 ? 1 : 0;
    figures.push_back(share_of(std::string(drill.task) + ": " + drill.aim, good, results.size()));
  }
  context.check_groups();
  return figures;
}

}  // namespace hl_match
