// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <hl_animation/animation_file.hpp>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/motions.hpp"

namespace hl_match {

std::vector<Figure> evaluate_animation(EvaluationContext& context) {
  const EvaluationOptions& options = context.options();
  auto world = installed_match(options.robot);
  std::vector<std::string> names;
  if (options.animation.empty()) {
    for (const auto& [name, animation] : world.files->animations.animations) names.push_back(name);
  } else {
    for (const auto& animation : hl_animation::load_animations(options.animation)) {
      world = with_animation(world, animation);
      names.push_back(animation.name);
    }
  }
  const std::size_t count = context.trials();
  std::vector<Figure> figures;
  for (const std::string& name : names) {
    if (!context.wants(name)) continue;
    std::vector<MotionResult> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) { results[i] = perform(world, name, options.seed + i); });
    std::size_t good = 0;
    std::vector<double> times;
    std::vector<std::vector<double>> balls;
    for (const auto& result : results) {
      good += result.as_declared;
      if (result.played) times.push_back(result.time);
      balls.push_back({result.ball});
    }
    const auto end = hl_animation::name(world.files->animations.animations.at(name).end);
    figures.push_back(share_of(name + ": ends as declared (" + end + ")", good, count));
    figures.push_back(mean_of(name + ": takes", times, "s"));
    if (name.rfind("kick", 0) != 0) continue;
    figures.push_back(quantile_of(name + ": the ball goes, median", balls, 0.5, "m"));
    figures.push_back(quantile_of(name + ": the ball goes, least", balls, 0.0, "m"));
  }
  return figures;
}

}  // namespace hl_match
