// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <hl_animation/animation_file.hpp>
#include <hl_animation/verifier.hpp>
#include <hl_simulation/tune_command_line.hpp>
#include <memory>

#include "hl_match/impact.hpp"
#include "hl_match/match_from.hpp"
#include "hl_match/motions.hpp"
#include "tune.hpp"
#include "tuned_animation.hpp"

namespace hl_match {
namespace {

using hl_animation::Animation;
using hl_simulation::Values;

/// The rules that a motion must keep anyway are steep slopes in the score; the rest is a matter of weights.
double score(const MotionResult& result, const Animation& motion, const Values& objective) {
  return weight(objective, "stand", 3.0) * (result.as_declared ? 1.0 : 0.0) +
         weight(objective, "upright", 1.0) * result.alignment +
         weight(objective, "high", 2.0) * std::min(result.height, 1.0) -
         weight(objective, "balance", 3.0) * std::min(result.balance, 0.3) -
         weight(objective, "fast", 0.1) * motion.duration() - weight(objective, "gentle", 1.0) * result.saturation +
         weight(objective, "kick", 0.0) * result.ball;
}

/// Protective poses: the less the ground shakes head and hip, the better; forces count where they touch it.
double score(const Impact& impact, const Values& objective) {
  return -weight(objective, "head", 1.0) * 0.01 * impact.head_acceleration -
         weight(objective, "hip", 1.0) * 0.01 * impact.hip_acceleration -
         weight(objective, "head_force", 1.0) * 0.01 * impact.head_force -
         weight(objective, "hip_force", 1.0) * 0.01 * impact.trunk_force;
}

/// How far a motion goes beyond what the verifier allows: the sum of the shares by which limits are exceeded.
double excess(const Animation& animation, const hl_animation::Verifier& verifier) {
  double sum = 0.0;
  for (const auto& finding : verifier.verify(animation, verifier.start_pose(animation.start))) {
    const double scale = std::max(std::abs(finding.limit), 0.1);  // limits of distances are zero
    sum += std::min(std::abs(finding.value - finding.limit) / scale, 1.0);
  }
  return sum;
}

struct Order {
  std::string animation, robot = "minibot", workspace;
  hl_simulation::TuneOrder search;
};

int search(const Order& order) {
  const Animation animation = hl_animation::load_animations(order.animation).front();
  const auto world = match_from(order.workspace, order.robot);
  hl_animation::Verifier::Params coarse;
  coarse.sample_time = 0.01;
  const hl_animation::Verifier verifier(world.files->model, world.files->config, coarse);
  hl_simulation::TuneOrder search = order.search;
  search.out_file += ".values";
  const int result = hl_simulation::tune(search, [&](const hl_simulation::TunerSpec& spec) {
    return [&, objective = spec.objective, side = protects(animation)](const hl_simulation::Trial& trial) {
      const Animation candidate = with_values(animation, trial.parameters);
      const double gained =
          side ? score(push_down(with_protective_pose(world, *side, candidate), *side, trial.seed), objective)
               : score(perform(with_animation(world, candidate), candidate.name, trial.seed), candidate, objective);
      return gained - weight(objective, "limits", 1.0) * excess(candidate, verifier);
    };
  });
  std::ofstream out(order.search.out_file);
  out << hl_animation::to_yaml(with_values(animation, hl_simulation::values_from_file(search.out_file)));
  if (!out) throw std::runtime_error(order.search.out_file + ": cannot be written");
  std::printf("written: %s\njudge it: ros2 run hl_match evaluate animation --robot %s --animation %s\n",
              order.search.out_file.c_str(), order.robot.c_str(), order.search.out_file.c_str());
  return result;
}

}  // namespace

std::function<int()> tune_animation(CLI::App& command) {
  auto order = std::make_shared<Order>();
  command.add_option("ANIMATION", order->animation, "where the search begins; fall_...: a protective pose")->required();
  hl_simulation::add_options(command, order->search);
  command.add_option("--robot", order->robot, "robot of hl_description")->capture_default_str();
  command.add_option("--from", order->workspace, "workspace that add_robot wrote it into; otherwise what is installed");
  return [order] { return search(*order); };
}

}  // namespace hl_match
