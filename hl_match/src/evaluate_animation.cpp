// SPDX-License-Identifier: Apache-2.0
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"

namespace hl_match {

std::vector<Figure> evaluate_animation(EvaluationContext& context) {
  const EvaluationOptions& options = context.options();
  const auto world = installed_match(options.robot);
  const std::size_t count = context.trials();
  std::vector<Figure> figures;
  for (const char* name : {"kick_left", "kick_right", "kick_soft_left", "sit_down", "greeting", "dive_center"}) {
    if (world.files->animations.animations.count(name) == 0) continue;
    std::vector<AnimationResult> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) { results[i] = animate(world, name, options.seed + i); });
    std::size_t good = 0;
    std::vector<double> times;
    std::vector<std::vector<double>> balls;
    for (const auto& result : results) {
      good += result.as_declared;
      times.push_back(result.time);
      balls.push_back({result.ball});
    }
    figures.push_back(share_of(std::string(name) + ": ends as declared", good, count));
    figures.push_back(mean_of(std::string(name) + ": time", times, "s"));
    if (std::string(name).rfind("kick", 0) == 0)
      figures.push_back(quantile_of(std::string(name) + ": median distance of the ball", balls, 0.5, "m"));
  }
  return figures;
}

}  // namespace hl_match
