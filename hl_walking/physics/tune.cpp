// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking tune SPEC.yaml OUT.yaml [--robot NAME] [--config FILE] [...]: searches parameters of walk and
// kick in physics. What the specification does not name is as in the configuration.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "hl_simulation/tuner.hpp"
#include "robots.hpp"
#include "trial.hpp"

namespace hl_walking {
namespace {

using hl_simulation::Scenario;
using hl_simulation::TunerSpec;
using hl_simulation::Values;

double weight(const Values& objective, const std::string& name, double otherwise) {
  const auto found = objective.find(name);
  return found == objective.end() ? otherwise : found->second;
}

void set(WalkConfig& config, const std::string& name, double value) {
  if (const ParameterInfo* info = find_parameter(name)) {
    config.walk.*info->value = value;
    return;
  }
  for (const Kick::ParameterInfo& info : Kick::parameter_table()) {
    if (name == std::string("kick.") + info.name) {
      config.kick.*info.value = value;
      return;
    }
  }
  throw std::runtime_error("there is no parameter `" + name + "` of walk or kick");
}

/// Keys of a disturbance: duration (s), x, y, yaw (asked for; all zero: random commands), push (N), friction,
/// command_delay (s), mass (factor). Objective weights: speed, straight, heat.
double score_walk(Laboratory& laboratory, const WalkConfig& config, const Scenario& scenario, const Values& objective,
                  std::uint64_t seed) {
  const Velocity wish = {scenario.get("x"), scenario.get("y"), scenario.get("yaw")};
  Trial trial;
  trial.duration = scenario.get("duration", 12.0);
  trial.seed = seed;
  trial.push = scenario.get("push");
  trial.friction = scenario.get("friction", 0.9);
  trial.command_delay = scenario.get("command_delay");
  trial.mass_factor = scenario.get("mass", 1.0);
  trial.velocity = [&](double time) {
    if (time < 0.3) return Velocity{};
    return wish.is_zero() ? random_command(config.walk, time, trial.seed) : wish;
  };
  const TrialResult result = laboratory.run(config.walk, trial);
  if (result.fell) return result.time / trial.duration - 1.0;  // -1..0: falling late is better than early
  double score = 1.0 - weight(objective, "heat", 1.0) * result.heat;
  if (!wish.is_zero()) {
    const Pose2 asked = {wish.x * trial.duration, wish.y * trial.duration, wish.yaw * trial.duration};
    const double way = result.travelled.position().norm(), wanted = asked.position().norm();
    score += weight(objective, "speed", 0.5) * std::min(1.0, wanted > 0.0 ? way / wanted : 1.0);
    score -= weight(objective, "straight", 0.2) * std::abs(result.travelled.yaw - asked.yaw);
  }
  return score;
}

/// A disturbance with the key `kick` is one kick. Objective weights: distance (per m), direction (per rad), fall.
double score_kick(Laboratory& laboratory, const WalkConfig& config, const Values& objective, std::uint64_t seed) {
  const KickResult kick = laboratory.kick(config, seed, Roll::Predicted);
  return weight(objective, "distance", 1.0) * kick.distance -
         weight(objective, "direction", 1.0) * std::abs(kick.error) -
         (kick.fell || !kick.kicked ? weight(objective, "fall", 3.0) : 0.0);
}

hl_simulation::Evaluator make_evaluator(const TunerSpec& spec, const std::string& robot, const WalkConfig& base) {
  auto laboratory = std::make_shared<Laboratory>(urdf_of(robot), robot_config_of(robot));
  const Values objective = spec.objective;
  return [laboratory, objective, base](const hl_simulation::Trial& candidate) {
    WalkConfig config = base;
    for (const auto& [name, value] : candidate.parameters) set(config, name, value);
    if (config.walk.validate() || config.kick.validate()) return -5.0;
    const Scenario& scenario = *candidate.scenario;
    return scenario.get("kick") != 0.0 ? score_kick(*laboratory, config, objective, candidate.seed)
                                       : score_walk(*laboratory, config, scenario, objective, candidate.seed);
  };
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  std::string robot = "minibot", config;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if ((argument == "--robot" || argument == "--config") && i + 1 < argc) {
      (argument == "--robot" ? robot : config) = argv[++i];
    } else {
      rest.push_back(argv[i]);
    }
  }
  try {
    const auto base = hl_walking::load_config(config.empty() ? hl_walking::walk_config_of(robot) : config);
    return hl_simulation::tune_main(
        static_cast<int>(rest.size()), rest.data(),
        [&](const hl_simulation::TunerSpec& spec) { return hl_walking::make_evaluator(spec, robot, base); });
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tune: %s\n", e.what());
    return 2;
  }
}
