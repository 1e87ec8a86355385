// SPDX-License-Identifier: Apache-2.0
// The fast motion against physics, on seeds it was not fitted on.
#include <algorithm>
#include <cmath>
#include <hl_description/formatted.hpp>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "motion_trials.hpp"

namespace hl_match {
namespace {

class Comparison {
 public:
  explicit Comparison(EvaluationContext& context)
      : context_(context), physics_(installed_match(context.options().robot)) {
    fast_ = physics_;
    fast_.fast = installed_fast(context.options().robot);
  }

  /// Medians of the same trial in both; the figure is fast over physics, its interval from those of both medians.
  template <class Trial>
  void compare(const std::string& name, const std::string& unit, Trial trial) {
    const Figure physics = quantile_of(name, samples(physics_, trial), 0.5, unit);
    const Figure fast = quantile_of(name, samples(fast_, trial), 0.5, unit);
    const std::string text =
        hl_description::formatted("%s: physics %.2f %s, fast %.2f %s; fast over physics", name.c_str(), physics.value,
                                  unit.c_str(), fast.value, unit.c_str());
    const double share = 100.0 / physics.value;
    Figure figure{text, share * fast.value, 100.0 * fast.low / physics.high, 100.0 * fast.high / physics.low,
                  "%",  context_.trials()};
    figures.push_back(figure);
  }
  const Match::Params& world() const { return physics_; }

  std::vector<Figure> figures;

 private:
  template <class Trial>
  std::vector<std::vector<double>> samples(const Match::Params& world, Trial trial) {
    const auto& options = context_.options();
    std::vector<std::vector<double>> all(context_.trials());
    in_parallel(all.size(), options.threads, [&](std::size_t i) {
      const double value = trial(world, options.seed + i);
      if (!std::isnan(value)) all[i].push_back(value);
    });
    return all;
  }

  EvaluationContext& context_;
  Match::Params physics_, fast_;
};

}  // namespace

std::vector<Figure> evaluate_motion(EvaluationContext& context) {
  Comparison both(context);
  const auto& limits = both.world().files->walk.walk;
  using Velocity = hl_walking::Velocity;
  const struct {
    const char* name;
    Velocity command;
    const char* unit;
  } ways[] = {{"5 s ahead", {0.8 * limits.max_forward, 0.0, 0.0}, "m"},
              {"5 s back", {-0.8 * limits.max_backward, 0.0, 0.0}, "m"},
              {"5 s to the right", {0.0, -0.8 * limits.max_sideways, 0.0}, "m"},
              {"5 s turning", {0.0, 0.0, -0.8 * limits.max_turn}, "rad"}};
  for (const auto& way : ways) {
    both.compare(way.name, way.unit, [&](const Match::Params& world, std::uint64_t seed) {
      return walk_sample(world, way.command, 5.0, seed).way;
    });
  }
  both.compare("time to stop", "s", [&](const Match::Params& world, std::uint64_t seed) {
    return walk_sample(world, ways[0].command, 5.0, seed).stop_time;
  });
  const auto kick = [&](const char* name, const char* unit, double KickSample::*value, double speed) {
    both.compare(name, unit, [value, speed](const Match::Params& world, std::uint64_t seed) {
      const auto sample = kick_sample(world, speed, seed);
      return sample.kicked ? std::abs(sample.*value) : std::nan("");
    });
  };
  kick("kick, order to contact", "s", &KickSample::contact, 1.0);
  kick("kick, order to end", "s", &KickSample::time, 1.0);
  kick("kick, distance", "m", &KickSample::distance, 1.0);
  kick("kick, direction error", "rad", &KickSample::direction, 1.0);
  kick("kick at half speed, distance", "m", &KickSample::distance, 0.5);
  both.compare("kick in walk, distance", "m", [](const Match::Params& world, std::uint64_t seed) {
    const auto sample = walk_kick_sample(world, seed);
    return sample.kicked ? sample.distance : std::nan("");
  });
  for (const auto& [name, direction] :
       {std::pair<const char*, double>{"front", 0.0}, {"back", M_PI}, {"left", M_PI_2}, {"right", -M_PI_2}}) {
    both.compare(std::string("from falling on its ") + name + " until it stands", "s",
                 [direction = direction](const Match::Params& world, std::uint64_t seed) {
                   const auto sample = fall_sample(world, direction, seed);
                   return sample.direction.empty() ? std::nan("") : sample.time;
                 });
  }
  return both.figures;
}

}  // namespace hl_match
