// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/verifier.hpp"
#include "installed.hpp"
#ifdef WITH_PHYSICS
#include "fall_stage.hpp"
#include "stage.hpp"
#endif

namespace {

using hl_animation::Animation;
using hl_animation::Verifier;

struct Options {
  std::vector<std::string> files;
  std::string robot = "minibot";
  bool simulate = false;
  int runs = 3;
};

/// Prints what is wrong with one animation; the number of findings.
std::size_t check(const Animation& animation, const Verifier& verifier) {
  const auto findings = verifier.verify(animation, verifier.start_pose(animation.start));
  std::printf("%-24s %5.2f s  %s\n", animation.name.c_str(), animation.duration(), findings.empty() ? "ok" : "");
  for (const auto& finding : findings) {
    std::printf("    %-18s %-28s keyframe %d, %.2f s: %.3f, allowed %.3f %s\n", name(finding.kind).c_str(),
                finding.what.c_str(), finding.keyframe, finding.time, finding.value, finding.limit,
                finding.unit.c_str());
  }
  return findings.size();
}

#ifdef WITH_PHYSICS
/// Plays one animation several times, protective ones in falls, which must only end down; the number of runs that did
/// not end as declared.
std::size_t simulate(const Animation& animation, const std::shared_ptr<const hl_simulation::RobotSpec>& robot,
                     int runs) {
  constexpr std::uint64_t kFirstSeed = 1000;  // lower ones belong to the tuner
  const auto fall = hl_animation::protects_in(animation);
  hl_animation::Stage stage(robot, {});
  hl_animation::FallStage fall_stage(robot, {});
  int good = 0;
  for (int i = 0; i < runs; ++i) {
    const auto seed = kFirstSeed + static_cast<std::uint64_t>(i);
    const bool ended = fall ? fall_stage.fall(*fall, fall_stage.play(animation), seed).fell
                            : stage.play(animation, seed).ended_as_declared;
    good += ended ? 1 : 0;
  }
  std::printf("    in physics         ends %-12s %d of %d\n", fall ? "on the ground" : name(animation.end).c_str(),
              good, runs);
  return static_cast<std::size_t>(runs - good);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App cli(
      "Checks animations before a robot plays them: joint, velocity, acceleration and torque limits on the "
      "interpolated\n"
      "curve, self-collision, and the centre of mass where a keyframe names its support. Exit code 0 only if all is "
      "well.\n");
  cli.add_option("FILES", options.files, "animations")->required();
  cli.add_option("--robot", options.robot, "minibot or darwin_op")->capture_default_str();
  cli.add_flag("--simulate", options.simulate, "also play each in physics: it must end in the posture it declares");
  cli.add_option("--runs", options.runs, "in physics, with noise")->capture_default_str()->check(CLI::PositiveNumber);
  CLI11_PARSE(cli, argc, argv);
  try {
    const auto model = hl_description::RobotModel::from_file(hl_animation::urdf_of(options.robot));
    const auto config = hl_description::RobotConfig::from_file(hl_animation::config_of(options.robot));
    const Verifier verifier(model, config, {});
#ifdef WITH_PHYSICS
    std::shared_ptr<const hl_simulation::RobotSpec> robot;
    if (options.simulate) robot = hl_animation::spec_of(options.robot);
#else
    if (options.simulate) {
      std::fputs("verify: built without hl_simulation (MuJoCo), so --simulate is not possible\n", stderr);
      return 2;
    }
#endif
    std::size_t problems = 0;
    for (const auto& file : options.files) {
      for (const auto& animation : hl_animation::load_animations(file)) {
        problems += check(animation, verifier);
#ifdef WITH_PHYSICS
        if (robot) problems += simulate(animation, robot, options.runs);
#endif
      }
    }
    std::printf("%zu problems\n", problems);
    return problems == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "verify: %s\n", error.what());
    return 2;
  }
}
