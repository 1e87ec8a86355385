// SPDX-License-Identifier: Apache-2.0
// The same trials above the driver and its bus in both physics engines, side by side.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "bus_trials.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"

namespace hl_match {
namespace {

constexpr double kStand = 30.0;      // s
constexpr double kWay = 2.0;         // m
constexpr double kWalkSpeed = 0.15;  // m/s

struct Engine {
  const char* name;
  MakeStage make;
};

/// One row of trials in one engine.
template <class Trial>
void measure(EvaluationContext& context, const Engine& engine, const std::string& what, const char* measured,
             const char* unit, Trial trial, std::vector<Figure>& figures) {
  std::size_t good = 0;
  std::vector<double> values, faster, cheaper;
  for (std::size_t n = 0; n < context.trials(); ++n) {
    const std::uint64_t seed = context.options().seed + n;
    BusTrial result;
    try {
      result = trial(seed);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "%s, %s, seed %llu: %s\n", engine.name, what.c_str(), static_cast<unsigned long long>(seed),
                   error.what());
    }
    good += result.well;
    if (!result.well)
      std::fprintf(stderr, "%s, %s: not with seed %llu\n", engine.name, what.c_str(),
                   static_cast<unsigned long long>(seed));
    if (result.well) values.push_back(result.value);
    if (result.real > 0.0) faster.push_back(result.simulated / result.real);
    if (result.cpu > 0.0) cheaper.push_back(result.simulated / result.cpu);
  }
  const std::string head = std::string(engine.name) + ": " + what;
  figures.push_back(share_of(head, good, context.trials()));
  figures.push_back(mean_of(head + ", " + measured, values, unit));
  figures.push_back(mean_of(head + ", simulated per real time", faster, "x"));
  figures.push_back(mean_of(head + ", simulated per processor time", cheaper, "x"));
}

}  // namespace

std::vector<Figure> evaluate_gazebo(EvaluationContext& context) {
  const auto& options = context.options();
  const auto world = installed_match(options.robot);
  std::vector<Engine> engines{
      {"MuJoCo", [&](std::uint64_t seed) { return std::make_unique<MujocoStage>(world, seed); }},
      {"Gazebo", [&](std::uint64_t seed) { return std::make_unique<GazeboStage>(options.robot, seed); }}};
  std::vector<Figure> figures;
  const auto row = [&](const char* group, const std::string& what, const char* measured, const char* unit, auto trial) {
    if (!context.wants(group)) return;
    for (const Engine& engine : engines)
      measure(
          context, engine, what, measured, unit, [&](std::uint64_t seed) { return trial(engine.make, seed); }, figures);
  };
  row("stand", "stands 30 s", "largest tilt", "rad",
      [&](const MakeStage& make, std::uint64_t seed) { return stand(world.files, make, kStand, seed); });
  row("walk", "walks 2 m ahead at 0.15 m/s", "speed", "m/s",
      [&](const MakeStage& make, std::uint64_t seed) { return walk_ahead(world.files, make, kWay, kWalkSpeed, seed); });
  for (const auto side : {hl_hcm::Direction::Front, hl_hcm::Direction::Back}) {
    row("get_up", std::string("gets up from its ") + name_of(side), "time", "s",
        [&](const MakeStage& make, std::uint64_t seed) { return get_up_on_bus(world.files, make, side, seed); });
  }
  row("kick", "kicks and stands", "way of the ball", "m",
      [&](const MakeStage& make, std::uint64_t seed) { return kick_on_bus(world.files, make, seed); });
  return figures;
}

}  // namespace hl_match
