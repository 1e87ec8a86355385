// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "hl_match/evaluations.hpp"
#include "localization_trials.hpp"
#include "planning_trials.hpp"

namespace hl_match {
namespace {

constexpr double kWalk = 300.0;  // s of each walk; half of them go on to twice that, to count flips

std::size_t count_of(const EvaluationOptions& options, std::size_t usual) {  // --trials 20 asks for the usual number
  return std::max<std::size_t>(1, usual * static_cast<std::size_t>(options.games) / 20);
}

using Errors = PoseErrors WalkAbout::*;

std::vector<std::vector<double>> samples(const std::vector<WalkAbout>& walks, Errors of, bool heading) {
  std::vector<std::vector<double>> all;
  for (const auto& walk : walks) {
    const PoseErrors& errors = walk.*of;
    auto values = heading ? errors.heading : errors.place;
    values.resize(std::min(values.size(), static_cast<std::size_t>(2.0 * kWalk)));  // the first five minutes
    if (heading)
      for (double& value : values) value *= 180.0 / M_PI;
    all.push_back(values);
  }
  return all;
}

void walking(const Match::Params& world, const EvaluationOptions& options, std::vector<Figure>& figures) {
  std::vector<WalkAbout> walks(count_of(options, 20));
  const LocalizationTrials trials(world);
  const double seconds = kWalk * options.half_time / 120.0;
  in_parallel(walks.size(), options.threads, [&](std::size_t i) {
    walks[i] = trials.walk_about(options.seed + i, i % 2 == 0 ? 2.0 * seconds : seconds);
    std::fprintf(stderr, "walk %zu: %zu samples%s\n", static_cast<std::size_t>(options.seed) + i,
                 walks[i].filter.place.size(), walks[i].fell ? ", fell" : "");
  });
  for (const auto& [of, name] : {std::pair<Errors, const char*>{&WalkAbout::filter, "walking about"},
                                 {&WalkAbout::no_compass, "without compass"},
                                 {&WalkAbout::false_things, "20 % false lines, posts, crossings"},
                                 {&WalkAbout::odometry, "odometry alone"},
                                 {&WalkAbout::closed_form, "closed form from two landmarks, odometry between"}}) {
    const auto place = samples(walks, of, false), heading = samples(walks, of, true);
    const std::string what = name;
    figures.push_back(quantile_of(what + ", median", place, 0.5, "m"));
    figures.push_back(quantile_of(what + ", median", heading, 0.5, "degrees"));
    figures.push_back(quantile_of(what + ", 95 %", place, 0.95, "m"));
    figures.push_back(quantile_of(what + ", 95 %", heading, 0.95, "degrees"));
    std::vector<double> flips;
    for (std::size_t i = 0; i < walks.size(); i += 2) flips.push_back(static_cast<double>((walks[i].*of).flips));
    figures.push_back(mean_of(what + ", flips", flips, "per walk of 10 min"));
  }
  for (const auto& [of, name] : {std::pair<Errors, const char*>{&WalkAbout::filter, "errors inside the 95 % ellipse"},
                                 {&WalkAbout::false_things, "errors inside the ellipse, 20 % false"}}) {
    std::vector<double> shares;
    for (const auto& walk : walks) {
      const auto& errors = walk.*of;
      if (!errors.place.empty())
        shares.push_back(100.0 * static_cast<double>(errors.inside) / static_cast<double>(errors.place.size()));
    }
    figures.push_back(mean_of(name, shares, "%"));
  }
  std::size_t unknown = 0, all = 0;
  for (const auto& walk : walks) {
    unknown += walk.filter.unknown;
    all += walk.filter.unknown + walk.filter.place.size();
  }
  figures.push_back(share_of("time without a pose", unknown, all));
}

void surprises(const Match::Params& world, EvaluationContext& context, std::vector<Figure>& figures) {
  const EvaluationOptions& options = context.options();
  const LocalizationTrials trials(world);
  for (const auto& [surprise, group, name] : {std::tuple(Surprise::Unknown, "unknown", "unknown in the own half"),
                                              {Surprise::Carried, "carried", "carried elsewhere"},
                                              {Surprise::Reentry, "reentry", "re-entry after a penalty"},
                                              {Surprise::Fall, "fall", "push, fall and getting up"}}) {
    if (!context.wants(group)) continue;
    std::vector<Found> all(count_of(options, 100));
    in_parallel(all.size(), options.threads, [&, s = surprise, n = name](std::size_t i) {
      all[i] = trials.find(s, options.seed + i);
      if (!all[i].happened || all[i].time >= kFoundLimit)
        std::fprintf(stderr, "%s, seed %zu: %s\n", n, static_cast<std::size_t>(options.seed) + i,
                     all[i].happened ? "never found" : "did not happen");
    });
    std::vector<double> times;
    std::size_t within = 0;
    for (const Found& found : all) {
      if (!found.happened) continue;
      times.push_back(found.time);
      within += found.error <= 0.5;
    }
    const std::string what = name;
    figures.push_back(order_statistic(what + ": until within 0.5 m and 20 degrees, median", times, 0.5, "s"));
    figures.push_back(order_statistic(what + ": 95 %", times, 0.95, "s"));
    if (surprise == Surprise::Fall)
      figures.push_back(share_of(what + ": within 0.5 m after 5 s", within, times.size()));
  }
}

}  // namespace

/// Physics, perception from the truth with its noise and wrongly mounted cameras.
std::vector<Figure> evaluate_localization(EvaluationContext& context) {
  const auto world = context.world();
  std::vector<Figure> figures;
  if (context.wants("walking")) walking(world, context.options(), figures);
  surprises(world, context, figures);
  return figures;
}

}  // namespace hl_match
