// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking tune SPEC.yaml OUT.yaml [...]: searches walk parameters in physics.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "hl_simulation/tuner.hpp"
#include "robots.hpp"
#include "trial.hpp"

namespace hl_walking {
namespace {

using hl_simulation::TunerSpec;
using hl_simulation::Values;

double weight(const Values& objective, const std::string& name, double otherwise) {
  const auto found = objective.find(name);
  return found == objective.end() ? otherwise : found->second;
}

/// Keys of a disturbance: duration (s), x, y, yaw (asked for; all zero: random commands), push (N), friction,
/// command_delay (s), mass (factor). Objective weights: speed, straight, heat.
hl_simulation::Evaluator make_evaluator(const TunerSpec& spec, const std::string& robot) {
  auto laboratory = std::make_shared<Laboratory>(urdf_of(robot), robot_config_of(robot));
  const Values objective = spec.objective;
  return [laboratory, objective](const hl_simulation::Trial& candidate) {
    Params params;
    for (const auto& [name, value] : candidate.parameters) {
      const ParameterInfo* info = find_parameter(name);
      if (info == nullptr) throw std::runtime_error("there is no walk parameter `" + name + "`");
      params.*info->value = value;
    }
    if (params.validate()) return -5.0;
    const hl_simulation::Scenario& scenario = *candidate.scenario;
    const Velocity wish = {scenario.get("x"), scenario.get("y"), scenario.get("yaw")};
    Trial trial;
    trial.duration = scenario.get("duration", 12.0);
    trial.seed = candidate.seed;
    trial.push = scenario.get("push");
    trial.friction = scenario.get("friction", 0.9);
    trial.command_delay = scenario.get("command_delay");
    trial.mass_factor = scenario.get("mass", 1.0);
    trial.velocity = [&](double time) {
      if (time < 0.3) return Velocity{};
      return wish.is_zero() ? random_command(params, time, trial.seed) : wish;
    };
    const TrialResult result = laboratory->run(params, trial);
    if (result.fell) return result.time / trial.duration - 1.0;  // -1..0: falling late is better than early
    double score = 1.0 - weight(objective, "heat", 1.0) * result.heat;
    if (!wish.is_zero()) {
      const Pose2 asked = {wish.x * trial.duration, wish.y * trial.duration, wish.yaw * trial.duration};
      const double way = result.travelled.position().norm(), wanted = asked.position().norm();
      score += weight(objective, "speed", 0.5) * std::min(1.0, wanted > 0.0 ? way / wanted : 1.0);
      score -= weight(objective, "straight", 0.2) * std::abs(result.travelled.yaw - asked.yaw);
    }
    return score;
  };
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  std::string robot = "minibot";
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::string(argv[i]) == "--robot" && i + 1 < argc) {
      robot = argv[++i];
    } else {
      rest.push_back(argv[i]);
    }
  }
  return hl_simulation::tune_main(
      static_cast<int>(rest.size()), rest.data(),
      [&](const hl_simulation::TunerSpec& spec) { return hl_walking::make_evaluator(spec, robot); });
}
