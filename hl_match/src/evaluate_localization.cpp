// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <hl_localization/track_picture.hpp>
#include <stdexcept>
#include <tuple>

#include "hl_match/evaluations.hpp"
#include "localization_trials.hpp"
#include "planning_trials.hpp"

namespace hl_match {
namespace {

constexpr double kWalk = 300.0;  // s of each walk; those of even seeds go on to twice that, to count flips

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

/// By how much the median of all samples grows; the interval is that of each walk's own growth.
Figure growth(const std::string& name, const std::vector<std::vector<double>>& from,
              const std::vector<std::vector<double>>& to) {
  const auto median = [](const std::vector<std::vector<double>>& samples) {
    return quantile_of("", samples, 0.5, "").value;
  };
  std::vector<double> each;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!from[i].empty() && !to[i].empty()) each.push_back(100.0 * (median({to[i]}) / median({from[i]}) - 1.0));
  Figure figure = mean_of(name, each, "%");
  const double shift = 100.0 * (median(to) / median(from) - 1.0) - figure.value;
  figure.value += shift;
  figure.low += shift;
  figure.high += shift;
  return figure;
}

void draw(const WalkAbout& walk, const EvaluationOptions& options, const hl_description::Field& field) {
  std::vector<hl_localization::Track> tracks{{"closed form from two landmarks, odometry between", "#ff7f0e", {}},
                                             {"odometry alone", "#1f77b4", {}},
                                             {"truth", "black", {}},
                                             {"believed", "#d62728", {}}};
  const std::size_t drawn[] = {3, 2, 0, 1};
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    double time = 0.0;
    for (const auto& pose : walk.tracks[drawn[i]]) tracks[i].points.push_back({time += kTrackPeriod, pose, true});
  }
  const std::string file = options.pictures + "/walk.svg";
  std::ofstream out(file);
  out << picture_of(field, tracks, "the first minute in physics, seed " + std::to_string(options.seed));
  if (!out) throw std::runtime_error("cannot write " + file);
}

void walking(const Match::Params& world, EvaluationContext& context, std::vector<Figure>& figures) {
  const EvaluationOptions& options = context.options();
  const LocalizationTrials trials(world);
  const double seconds = kWalk * options.half_time / 120.0;
  const auto walks = context.results<WalkAbout>("localization walk", count_of(options, 20), [&](std::uint64_t seed) {
    auto walk = trials.walk_about(seed, seed % 2 == 0 ? 2.0 * seconds : seconds);
    std::fprintf(stderr, "walk %zu: %zu samples%s\n", static_cast<std::size_t>(seed), walk.filter.place.size(),
                 walk.fell ? ", fell" : "");
    if (seed != options.seed) walk.tracks.clear();  // only the first is drawn
    return walk;
  });
  if (!options.pictures.empty()) draw(walks.front(), options, world.field);
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
    std::size_t flips = 0, longer = 0;
    for (const auto& walk : walks) {
      if (walk.seconds < 1.5 * seconds) continue;
      ++longer;
      flips += (walk.*of).flips;
    }
    figures.push_back(rate_of(what + ", flips", flips, longer, "per walk of 10 min"));
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
  for (const auto& [heading, name] : {std::pair(false, "20 % false: median of the place grows by"),
                                      {true, "20 % false: median of the heading grows by"}})
    figures.push_back(
        growth(name, samples(walks, &WalkAbout::filter, heading), samples(walks, &WalkAbout::false_things, heading)));
  std::size_t unknown = 0, all = 0, falls = 0;
  for (const auto& walk : walks) {
    unknown += walk.filter.unknown;
    all += walk.filter.unknown + walk.filter.place.size();
    falls += walk.fell;
  }
  figures.push_back(share_of("time without a pose", unknown, all));
  figures.push_back(share_of("walks with a fall", falls, walks.size()));
}

void surprises(const Match::Params& world, EvaluationContext& context, std::vector<Figure>& figures) {
  const EvaluationOptions& options = context.options();
  const LocalizationTrials trials(world);
  for (const auto& [surprise, group, name] : {std::tuple(Surprise::Unknown, "unknown", "unknown in the own half"),
                                              {Surprise::Carried, "carried", "carried elsewhere"},
                                              {Surprise::Reentry, "reentry", "re-entry after a penalty"},
                                              {Surprise::Fall, "fall", "push, fall and getting up"}}) {
    if (!context.wants(group)) continue;
    const auto all = context.results<Found>(
        std::string("localization ") + group, count_of(options, 100), [&, s = surprise, n = name](std::uint64_t seed) {
          const Found found = trials.find(s, seed);
          if (!found.happened || found.time >= kFoundLimit)
            std::fprintf(stderr, "%s, seed %zu: %s\n", n, static_cast<std::size_t>(seed),
                         found.happened ? "never found" : "did not happen");
          return found;
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
  if (context.wants("walking")) walking(world, context, figures);
  surprises(world, context, figures);
  return figures;
}

}  // namespace hl_match
