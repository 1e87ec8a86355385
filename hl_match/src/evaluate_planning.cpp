// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <drawing.hpp>  // of hl_path_planning
#include <hl_description/geometry.hpp>

#include "hl_match/evaluations.hpp"
#include "planning_trials.hpp"

namespace hl_match {
namespace {

using hl_path_planning::KickSide;

struct Rows {
  EvaluationContext& context;
  std::vector<Figure> figures;

  const EvaluationOptions& options() const { return context.options(); }
  std::size_t count(std::size_t usual) const {  // --trials 20 asks for the usual number of each row
    return std::max<std::size_t>(1, usual * static_cast<std::size_t>(options().games) / 20);
  }
  template <class Run>
  std::vector<WayResult> all(const std::string& what, std::size_t usual, const Run& run) {
    return context.results<WayResult>("planning " + what, count(usual), [&](std::uint64_t seed) {
      WayResult r = run(seed);
      if (!r.reached || r.contact || r.ball_touched || r.fell)
        std::fprintf(stderr, "%s, seed %zu: %s after %.1f s%s%s%s\n", what.c_str(), static_cast<std::size_t>(seed),
                     r.reason.c_str(), r.time, r.contact ? ", contact" : "", r.ball_touched ? ", ball touched" : "",
                     r.fell ? ", fell" : "");
      if (seed != options().seed) r.traces.clear();  // only the first is drawn
      return r;
    });
  }
  template <class Value>
  void quantile(const std::string& name, const std::vector<WayResult>& results, double q, const char* unit,
                const Value& value) {
    std::vector<double> values;
    for (const auto& r : results)
      if (r.reached) values.push_back(value(r));
    figures.push_back(order_statistic(name, values, q, unit));
  }
  template <class Value>
  void share(const std::string& name, const std::vector<WayResult>& results, const Value& value) {
    figures.push_back(
        share_of(name, static_cast<std::size_t>(std::count_if(results.begin(), results.end(), value)), results.size()));
  }
};

hl_path_planning::DrawnRun drawn(const WayResult& result, std::size_t thinking) {
  hl_path_planning::DrawnRun run{"physics", result.traces, {}, {}, result.reached, result.contact, result.time};
  run.traces.resize(std::min(thinking, run.traces.size()));
  for (std::size_t i = thinking; i < result.traces.size(); ++i)
    if (!result.traces[i].empty()) run.others.push_back(result.traces[i].back().position());
  return run;
}

void worlds(Rows& rows, const WayTrials& trials, std::size_t usual, const std::string& by) {
  const auto results = rows.all(by + "world", usual, [&](std::uint64_t seed) { return trials.random_world(seed); });
  if (by.empty() && !rows.options().pictures.empty())
    draw_world(rows.options().pictures + "/world.svg", static_cast<std::uint32_t>(rows.options().seed), trials.field(),
               drawn(results.front(), 1));
  rows.share(by + "random worlds, 0-8 others: arrives", results, [](const auto& r) { return r.reached; });
  rows.share(by + "random worlds: contact", results, [](const auto& r) { return r.contact; });
  rows.share(by + "random worlds: contact with one who stands", results, [](const auto& r) { return r.hit_standing; });
  rows.quantile(by + "time against straight way at 0.4 m/s, turns and 1.5 s, median", results, 0.5, "x",
                [](const auto& r) { return r.time / r.ideal; });
  rows.quantile(by + "final error, 90 %", results, 0.9, "cm", [](const auto& r) { return 100.0 * r.position_error; });
  rows.quantile(by + "final heading error, 90 %", results, 0.9, "degrees",
                [](const auto& r) { return r.heading_error * 180.0 / M_PI; });
}

void kicks(Rows& rows, const WayTrials& trials, std::size_t usual, const std::string& by) {
  for (const auto& [side, name] :
       {std::pair(KickSide::Any, "kick pose from 2 m"), {KickSide::Worst, "kick pose from the worst side"}}) {
    const auto results = rows.all(by + name, usual, [&, s = side](std::uint64_t seed) { return trials.kick(seed, s); });
    if (by.empty() && side == KickSide::Worst && !rows.options().pictures.empty())
      draw_kick(rows.options().pictures + "/kick.svg", static_cast<std::uint32_t>(rows.options().seed), side,
                trials.field(), drawn(results.front(), 1));
    rows.quantile(by + name + ", median", results, 0.5, "s", [](const auto& r) { return r.time; });
    rows.share(by + name + ": arrives", results, [](const auto& r) { return r.reached; });
    rows.share(by + name + ": ball touched", results, [](const auto& r) { return r.ball_touched; });
    rows.quantile(by + name + ", error of the place, 90 %", results, 0.9, "cm",
                  [](const auto& r) { return 100.0 * r.position_error; });
  }
}

void crossings(Rows& rows, const WayTrials& trials, std::size_t usual, const std::string& by) {
  const auto results = rows.all(by + "crossing", usual, [&](std::uint64_t seed) { return trials.crossing(seed); });
  if (by.empty() && !rows.options().pictures.empty())
    draw_crossing(rows.options().pictures + "/crossing.svg", static_cast<std::uint32_t>(rows.options().seed),
                  trials.field(), drawn(results.front(), 8));
  rows.share(by + "eight robots crossing: all arrive", results, [](const auto& r) { return r.reached; });
  rows.share(by + "eight robots crossing: runs with contact", results, [](const auto& r) { return r.contact; });
  double longest = 0.0;
  for (const auto& r : results) longest = std::max(longest, r.longest_wait);
  rows.figures.push_back(
      {by + "eight robots crossing: longest dead-lock", longest, longest, longest, "s", results.size()});
  rows.quantile(by + "eight robots crossing: time until all are there, median", results, 0.5, "s",
                [](const auto& r) { return r.time; });
}

}  // namespace

/// Physics, pose and surroundings from the truth; then, with a quarter of the trials, by what the robots know.
std::vector<Figure> evaluate_planning(EvaluationContext& context) {
  const auto world = context.world();
  Rows rows{context, {}};
  const WayTrials by_truth(world, WayTrials::By::Truth), by_knowledge(world, WayTrials::By::Knowledge);
  if (context.wants("worlds")) worlds(rows, by_truth, 200, "");
  if (context.wants("kicks")) kicks(rows, by_truth, 100, "");
  if (context.wants("crossing")) crossings(rows, by_truth, 20, "");
  if (context.wants("knowing")) {
    const std::string by = "by what it knows: ";
    worlds(rows, by_knowledge, 50, by);
    kicks(rows, by_knowledge, 25, by);
    crossings(rows, by_knowledge, 5, by);
  }
  return rows.figures;
}

}  // namespace hl_match
