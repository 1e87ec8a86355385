// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <hl_simulation/tune_command_line.hpp>
#include <memory>
#include <stdexcept>

#include "hl_match/match_from.hpp"
#include "hl_match/scenarios.hpp"
#include "tune.hpp"

namespace hl_match {
namespace {

using hl_simulation::Scenario;
using hl_simulation::Values;
using hl_walking::Velocity;
using hl_walking::WalkConfig;

/// Every value that the search tries or holds. Throws std::runtime_error on a name that nothing has.
WalkConfig with(WalkConfig config, const Values& values) {
  for (const auto& [name, value] : values) {
    if (!config.set(name, value)) throw std::runtime_error("there is no parameter `" + name + "` of walk or kick");
  }
  return config;
}

/// Keys of a disturbance: duration (s), x, y, yaw (asked for; all zero: random commands), push (N), friction,
/// command_delay (s), mass (factor). Objective weights: speed, straight, heat.
double score_walk(const Match::Params& world, const Scenario& scenario, const Values& objective, std::uint64_t seed) {
  const Velocity commanded = {scenario.get("x"), scenario.get("y"), scenario.get("yaw")};
  WalkTrial trial;
  trial.duration = scenario.get("duration", 12.0);
  trial.seed = seed;
  trial.push = scenario.get("push");
  trial.friction = scenario.get("friction", 0.9);
  trial.command_delay = scenario.get("command_delay");
  trial.mass_factor = scenario.get("mass", 1.0);
  trial.velocity = [&](double time) {
    if (time < 0.3) return Velocity{};
    return commanded.is_zero() ? random_command(world.files->walk.walk, time, seed) : commanded;
  };
  const WalkResult result = walk(world, trial);
  if (result.fell) return result.time / trial.duration - 1.0;  // -1..0: falling late is better than early
  double score = 1.0 - weight(objective, "heat", 1.0) * result.heat;
  if (!commanded.is_zero()) {
    const Eigen::Vector2d asked(commanded.x * trial.duration, commanded.y * trial.duration);
    const double wanted = asked.norm();
    const double way = wanted > 0.0 ? result.way.position().dot(asked / wanted) : 0.0;  // the other way counts less
    score += weight(objective, "speed", 0.5) * std::clamp(wanted > 0.0 ? way / wanted : 1.0, -1.0, 1.0);
    score -= weight(objective, "straight", 0.2) * std::abs(result.way.yaw - commanded.yaw * trial.duration);
  }
  return score;
}

/// A disturbance with the key `kick` is one kick. Objective weights: distance (per m), direction (per rad), fall.
double score_kick(const Match::Params& world, const Values& objective, std::uint64_t seed) {
  const KickResult result = kick(world, seed, Roll::Predicted);
  return weight(objective, "distance", 1.0) * result.distance -
         weight(objective, "direction", 1.0) * std::abs(result.error) -
         (result.fell || !result.kicked ? weight(objective, "fall", 3.0) : 0.0);
}

struct Order {
  std::string robot = "minibot", from, config;
  hl_simulation::TuneOrder search;
};

/// The found values as a complete parameter file of the node, for `evaluate walking --walk` and `ros2 launch`.
void write_config(const WalkConfig& base, const Order& order) {
  const std::string &spec = order.search.spec_file, &found = order.search.out_file;
  const std::filesystem::path path = std::filesystem::path(found).replace_extension(".config.yaml");
  std::ofstream out(path);
  out << config_text(with(base, hl_simulation::values_from_file(found)),
                     "Walk of the " + order.robot + ", found with `tune` from " +
                         std::filesystem::path(spec).filename().string() +
                         ". Meaning and range: `ros2 param describe`.");
  if (!out) throw std::runtime_error(path.string() + ": cannot be written");
  std::printf("judge it: ros2 run hl_match evaluate walking --robot %s --walk %s\n", order.robot.c_str(), path.c_str());
}

int search(const Order& order) {
  const auto world = match_from(order.from, order.robot);
  const WalkConfig base = order.config.empty() ? world.files->walk : hl_walking::load_config(order.config);
  const int result = hl_simulation::tune(order.search, [&](const hl_simulation::TunerSpec& spec) {
    return [&world, &base, objective = spec.objective](const hl_simulation::Trial& candidate) {
      const WalkConfig config = with(base, candidate.parameters);
      if (config.walk.validate() || config.kick.validate()) return -5.0;
      const auto tried = with_files(world, [&](auto& files) { files.walk = config; });
      const Scenario& scenario = *candidate.scenario;
      return scenario.get("kick") != 0.0 ? score_kick(tried, objective, candidate.seed)
                                         : score_walk(tried, scenario, objective, candidate.seed);
    };
  });
  if (result == 0) write_config(base, order);
  return result;
}

}  // namespace

std::function<int()> tune_walking(CLI::App& command) {
  auto order = std::make_shared<Order>();
  hl_simulation::add_options(command, order->search);
  command.add_option("--robot", order->robot, "its name")->capture_default_str();
  command.add_option("--from", order->from, "workspace that add_robot wrote it into; otherwise what is installed");
  command.add_option("--config", order->config,
                     "parameter file of the walk that the search starts from; else the robot's");
  return [order] { return search(*order); };
}

}  // namespace hl_match
