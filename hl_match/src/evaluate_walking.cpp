// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"

namespace hl_match {

std::vector<Figure> evaluate_walking(EvaluationContext& context) {
  const EvaluationOptions& options = context.options();
  const auto world = installed_match(options.robot);
  const hl_walking::Params& p = world.files->walk.walk;
  const std::size_t count = context.trials();
  const auto trials = [&](WalkTrial trial, const std::function<hl_walking::Velocity(double, std::uint64_t)>& command) {
    std::vector<WalkResult> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) {
      WalkTrial own = trial;
      own.seed = options.seed + i;
      own.velocity = [&command, seed = own.seed](double time) { return command(time, seed); };
      results[i] = walk(world, own);
    });
    return results;
  };
  std::vector<Figure> figures;
  const auto speed = [&](const char* name, const hl_walking::Velocity& velocity) {
    WalkTrial trial;
    trial.duration = 10.0;
    std::vector<double> speeds, wrong;
    for (const WalkResult& result : trials(trial, [&](double, std::uint64_t) { return velocity; })) {
      const bool turns = velocity.yaw != 0.0;
      const double way = turns ? std::abs(result.way.yaw) : result.way.position().norm();
      speeds.push_back(result.fell ? 0.0 : way / result.time);
      wrong.push_back(turns ? std::abs(result.counted.yaw - result.way.yaw) / way * 360.0
                            : (result.counted.position() - result.way.position()).norm() / way * 100.0);
    }
    figures.push_back(mean_of(std::string("walk ") + name, speeds, velocity.yaw != 0.0 ? "rad/s" : "m/s"));
    figures.push_back(mean_of(std::string("odometry error, ") + name, wrong,
                              velocity.yaw != 0.0 ? "degrees per turn" : "% of the way"));
  };
  speed("forward", {p.max_forward, 0.0, 0.0});
  speed("back", {-p.max_backward, 0.0, 0.0});
  speed("aside", {0.0, p.max_sideways, 0.0});
  speed("turning", {0.0, 0.0, p.max_turn});
  const auto falls = [&](const std::string& name, const WalkTrial& trial) {
    const auto results = trials(trial, [&](double time, std::uint64_t seed) { return random_command(p, time, seed); });
    const auto standing = std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.fell; });
    figures.push_back(share_of("without a fall: " + name, static_cast<std::size_t>(standing), count));
  };
  WalkTrial trial;
  trial.duration = options.half_time;
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "%g s of random commands", options.half_time);
  falls(seconds, trial);
  for (const double push : {5.0, 8.0}) {
    trial.push = push;
    falls("the same with pushes of " + std::to_string(static_cast<int>(push)) + " N every 2 s", trial);
  }
  trial.push = 0.0;
  for (const double friction : {0.5, 1.3}) {
    trial.friction = friction;
    falls("the same with friction " + std::to_string(friction).substr(0, 3), trial);
  }
  trial.friction = 0.9;
  trial.command_delay = 0.016;
  falls("the same with 16 ms more actuator lag", trial);
  trial.command_delay = 0.0;
  trial.mass_factor = 1.1;
  falls("the same with mass +10 %", trial);
  std::vector<KickResult> kicks(count);
  in_parallel(count, options.threads, [&](std::size_t i) { kicks[i] = kick(world, options.seed + i); });
  std::vector<std::vector<double>> distances(count), errors(count);
  std::size_t standing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    distances[i] = {kicks[i].distance};
    errors[i] = {std::abs(kicks[i].error) * 180.0 / M_PI};
    standing += kicks[i].kicked && !kicks[i].fell;
  }
  figures.push_back(quantile_of("kick, median distance", distances, 0.5, "m"));
  figures.push_back(quantile_of("kick, median direction error", errors, 0.5, "degrees"));
  figures.push_back(share_of("kicked and standing", standing, count));
  return figures;
}

}  // namespace hl_match
