// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <hl_simulation/tune_command_line.hpp>
#include <string>
#include <vector>

#include "fall_stage.hpp"
#include "hl_animation/animation_file.hpp"
#include "hl_animation/verifier.hpp"
#include "installed.hpp"
#include "stage.hpp"
#include "tuned_animation.hpp"

namespace {

using hl_animation::Animation;
using hl_animation::Outcome;
using hl_simulation::Values;

constexpr const char* kPurpose =
    "Changes the values that SPEC names (2.Knee in degrees, 2.duration in s) until the motion does best in physics, "
    "and\n"
    "writes the tuned animation to OUT. Ctrl-C saves; the same command continues.\n"
    "Weights in SPEC's objective: stand, upright, high, balance, fast, gentle, limits, kick;\n"
    "of protective falls: head, hip, head_force, hip_force, limits, pose (1: as the HCM takes it, at full speed).\n";

double weight(const Values& objective, const std::string& key, double otherwise) {
  const auto found = objective.find(key);
  return found == objective.end() ? otherwise : found->second;
}

/// The rules that a motion must keep anyway are steep slopes in the score; the rest is a matter of weights.
double score(const Outcome& outcome, const Values& objective) {
  return weight(objective, "stand", 3.0) * (outcome.ended_as_declared ? 1.0 : 0.0) +
         weight(objective, "upright", 1.0) * outcome.alignment +
         weight(objective, "high", 2.0) * std::min(outcome.height, 1.0) -
         weight(objective, "balance", 3.0) * std::min(outcome.balance, 0.3) -
         weight(objective, "fast", 0.1) * outcome.duration - weight(objective, "gentle", 1.0) * outcome.saturation +
         weight(objective, "kick", 0.0) * outcome.ball_distance;
}

/// Protective falls: the less the ground shakes head and hip, the better; forces count where they touch it.
double score(const hl_animation::Impact& impact, const Values& objective) {
  return -weight(objective, "head", 1.0) * 0.01 * impact.head_acceleration -
         weight(objective, "hip", 1.0) * 0.01 * impact.hip_acceleration -
         weight(objective, "head_force", 1.0) * 0.01 * impact.head_force -
         weight(objective, "hip_force", 1.0) * 0.01 * impact.hip_force;
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

}  // namespace

int main(int argc, char** argv) {
  std::string animation_file, robot_name = "minibot", workspace;
  hl_simulation::TuneOrder order;
  CLI::App cli(kPurpose);
  cli.add_option("ANIMATION", animation_file, "where the search begins")->required();
  hl_simulation::add_options(cli, order);
  cli.add_option("--robot", robot_name, "its name")->capture_default_str();
  cli.add_option("--from", workspace, "workspace that add_robot wrote it into; otherwise what is installed");
  CLI11_PARSE(cli, argc, argv);
  try {
    const Animation animation = hl_animation::load_animations(animation_file).front();
    const hl_animation::RobotPlace place(robot_name, workspace);
    const auto robot = place.spec();
    const auto model = hl_description::RobotModel::from_file(place.urdf());
    const auto config = hl_description::RobotConfig::from_file(place.config());
    hl_animation::Verifier::Params coarse;
    coarse.sample_time = 0.01;
    const hl_animation::Verifier verifier(model, config, coarse);

    const std::string out_file = order.out_file, values_file = out_file + ".values";
    order.out_file = values_file;
    const int result =
        hl_simulation::tune(order, [&](const hl_simulation::TunerSpec& spec) -> hl_simulation::Evaluator {
          if (const auto direction = hl_animation::protects_in(animation)) {
            auto stage = std::make_shared<hl_animation::FallStage>(robot, hl_animation::FallStage::Params{});
            return [stage, direction, &spec, &animation, &verifier](const hl_simulation::Trial& trial) {
              const auto candidate = with_values(animation, trial.parameters);
              const auto reaction = weight(spec.objective, "pose", 0.0) > 0.0
                                        ? stage->go(candidate.keyframes.front().goals)
                                        : stage->play(candidate);
              return score(stage->fall(*direction, reaction, trial.seed), spec.objective) -
                     weight(spec.objective, "limits", 1.0) * excess(candidate, verifier);
            };
          }
          hl_animation::Stage::Params params;
          params.timestep = 0.004;
          params.with_ball = weight(spec.objective, "kick", 0.0) > 0.0;
          auto stage = std::make_shared<hl_animation::Stage>(robot, params);
          return [stage, &spec, &animation, &verifier](const hl_simulation::Trial& trial) {
            const auto candidate = with_values(animation, trial.parameters);
            return score(stage->play(candidate, trial.seed), spec.objective) -
                   weight(spec.objective, "limits", 1.0) * excess(candidate, verifier);
          };
        });
    std::ofstream(out_file) << hl_animation::to_yaml(
        with_values(animation, hl_simulation::values_from_file(values_file)));
    std::printf("written: %s\n", out_file.c_str());
    return result;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tune: %s\n", error.what());
    return 1;
  }
}
