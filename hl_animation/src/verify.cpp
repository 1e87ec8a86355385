// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/verifier.hpp"

namespace {

using hl_animation::Animation;
using hl_animation::Verifier;

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

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::string robot = "minibot", workspace;
  bool simulate = false;
  CLI::App cli(
      "Checks animations before a robot plays them: joint, velocity, acceleration and torque limits on the "
      "interpolated\n"
      "curve, self-collision, and the centre of mass where a keyframe names its support. Exit code 0 only if all is "
      "well.\n");
  cli.add_option("FILES", files, "animations")->required();
  cli.add_option("--robot", robot, "robot of hl_description")->capture_default_str();
  cli.add_option("--from", workspace, "workspace that add_robot wrote it into; otherwise what is installed");
  cli.add_flag("--simulate", simulate, "is now: ros2 run hl_match evaluate animation --animation FILE");
  CLI11_PARSE(cli, argc, argv);
  if (simulate) {
    std::fputs("verify: to play it in physics: ros2 run hl_match evaluate animation --animation FILE\n", stderr);
    return 2;
  }
  try {
    const auto share = workspace.empty() ? ament_index_cpp::get_package_share_directory("hl_description")
                                         : workspace + "/hl_description";
    const auto model = hl_description::RobotModel::from_file(share + "/urdf/" + robot + ".urdf");
    const auto config = hl_description::RobotConfig::from_file(share + "/config/" + robot + "/robot.yaml");
    const Verifier verifier(model, config, {});
    std::size_t problems = 0;
    for (const auto& file : files)
      for (const auto& animation : hl_animation::load_animations(file)) problems += check(animation, verifier);
    std::printf("%zu problems\n", problems);
    return problems == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "verify: %s\n", error.what());
    return 2;
  }
}
