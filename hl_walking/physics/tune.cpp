// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking tune SPEC.yaml OUT.yaml [--robot NAME] [--config FILE] [...]: searches parameters of walk and
// kick in physics. What the specification does not name is as in the configuration. Writes the found values to OUT.yaml
// and a complete parameter file of the node beside it.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "hl_simulation/tune_command_line.hpp"
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

/// Every value that the search tries or holds. Throws std::runtime_error on a name that nothing has.
WalkConfig with(WalkConfig config, const Values& values) {
  for (const auto& [name, value] : values) {
    if (!config.set(name, value)) throw std::runtime_error("there is no parameter `" + name + "` of walk or kick");
  }
  return config;
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
    const WalkConfig config = with(base, candidate.parameters);
    if (config.walk.validate() || config.kick.validate()) return -5.0;
    const Scenario& scenario = *candidate.scenario;
    return scenario.get("kick") != 0.0 ? score_kick(*laboratory, config, objective, candidate.seed)
                                       : score_walk(*laboratory, config, scenario, objective, candidate.seed);
  };
}

struct Arguments {
  std::string robot = "minibot", config;
  hl_simulation::TuneOrder order;
};

/// The found values as a complete parameter file of the node, for `evaluate --config` and `ros2 launch`.
void write_config(const WalkConfig& base, const Arguments& arguments) {
  const std::string &spec_path = arguments.order.spec_file, &found_path = arguments.order.out_file;
  const WalkConfig config = with(base, hl_simulation::values_from_file(found_path));
  const std::filesystem::path path = std::filesystem::path(found_path).replace_extension(".config.yaml");
  std::ofstream out(path);
  const std::string spec_name = std::filesystem::path(spec_path).filename().string();
  out << config_text(config, "Walk of the " + arguments.robot + ", found with `tune` from " + spec_name +
                                 ". Meaning and range: `ros2 param describe`.");
  if (!out) throw std::runtime_error(path.string() + ": cannot be written");
  std::printf("judge it: ros2 run hl_walking evaluate --robot %s --config %s\n", arguments.robot.c_str(), path.c_str());
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  hl_walking::Arguments arguments;
  CLI::App cli(
      "Looks for better values of a walk's parameters in physics. What SPEC (as in share/hl_walking/tuning) does not "
      "name\n"
      "is as in --config. Ctrl-C saves, and the same command goes on.\n");
  hl_simulation::add_options(cli, arguments.order);
  cli.add_option("--robot", arguments.robot, "minibot or darwin_op")->capture_default_str();
  cli.add_option("--config", arguments.config, "parameter file of the walk; else the robot's");
  CLI11_PARSE(cli, argc, argv);
  try {
    if (arguments.config.empty()) arguments.config = hl_walking::walk_config_of(arguments.robot);
    const auto base = hl_walking::load_config(arguments.config);
    const int result = hl_simulation::tune(arguments.order, [&](const hl_simulation::TunerSpec& spec) {
      return hl_walking::make_evaluator(spec, arguments.robot, base);
    });
    if (result == 0) hl_walking::write_config(base, arguments);
    return result;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tune: %s\n", e.what());
    return 2;
  }
}
