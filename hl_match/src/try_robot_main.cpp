// SPDX-License-Identifier: Apache-2.0
// What a robot that was just added can do: stands, steps, walks, gets up; and how it looks.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <hl_animation/verifier.hpp>
#include <hl_description/formatted.hpp>
#include <hl_simulation/film.hpp>
#include <hl_simulation/renderer.hpp>
#include <iostream>
#include <vector>

#include "hl_match/match_from.hpp"
#include "hl_match/scenarios.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it
using hl_description::formatted;

constexpr double kFastEnough = 0.8;  // of the speed that was ordered

struct Order {
  std::string robot, from, picture;
  std::vector<std::string> only;
  double seconds = 30.0;
  double speed = 0.1;  // m/s
  std::uint64_t seed = 1, trials = 1;
};

void take_picture(const Match::Params& world, const std::string& path) {
  Match::Params params = world;
  params.players = {1, 0};
  params.with_ball = false;
  Match match(params);
  match.place(0, {0.0, 0.0, 0.0});
  match.run(2.0);
  hl_simulation::Renderer::Params quality;
  quality.width = 800;
  quality.height = 600;
  quality.shadows = true;
  quality.samples = 4;
  hl_simulation::Renderer renderer(match.simulation().world(), quality);
  renderer.update(match.simulation());
  hl_simulation::Image image;
  hl_simulation::View view;
  view.distance = 2.2 * match.simulation().robot(0).pose().translation().z() + 0.5;
  view.target = match.simulation().robot(0).pose().translation();
  view.target.z() *= 0.85;
  view.azimuth = 150.0;
  renderer.spectator(view, quality.width, quality.height, image);
  hl_simulation::write_png(path, image);
  std::printf("  picture   %s\n", path.c_str());
}

void tell(const char* what, const std::string& verdict, const std::string& how) {
  std::printf("  %-9s %-8s %s\n", what, verdict.c_str(), how.c_str());
  std::fflush(stdout);
}

/// Tells of all trials of one kind, with the words of the first, or the first that failed; true if none did.
template <class Result, class Failed, class Words>
bool tell(const char* what, const std::vector<Result>& results, const Failed& failed, const Words& words) {
  const auto bad = std::find_if(results.begin(), results.end(), failed);
  const auto good = results.size() - static_cast<std::size_t>(std::count_if(results.begin(), results.end(), failed));
  const bool all = bad == results.end();
  const std::string verdict = results.size() > 1 ? std::to_string(good) + " of " + std::to_string(results.size())
                              : all              ? "yes"
                                                 : "no";
  tell(what, verdict, words(all ? results.front() : *bad));
  return all;
}

/// Whether all motions keep the limits, as `ros2 run hl_animation verify` looks at them.
void tell_motions(const hl_player::RobotFiles& files) {
  const hl_animation::Verifier verifier(files.model, files.config, {});
  std::size_t good = 0;
  std::string bad;
  for (const auto& [name, motion] : files.animations.animations) {
    const auto findings = verifier.verify(motion, verifier.start_pose(motion.start));
    if (findings.empty())
      ++good;
    else
      bad += (bad.empty() ? "; not: " : ", ") + name + " (" + hl_animation::name(findings.front().kind) + " of " +
             findings.front().what + ")";
  }
  const std::size_t all = files.animations.animations.size();
  tell("motions", good == all ? "yes" : "no",
       std::to_string(good) + " of " + std::to_string(all) + " within limits" + bad);
}

int try_robot(const Order& order) {
  const auto world = match_from(order.from, order.robot);
  std::printf("%s\n", order.robot.c_str());
  tell_motions(*world.files);
  const auto trial = [&](double forward) {
    std::vector<WalkResult> results;
    for (std::uint64_t n = 0; n < order.trials; ++n) {
      WalkTrial walk;
      walk.duration = order.seconds;
      walk.seed = order.seed + n;
      walk.velocity = [forward](double) { return hl_walking::Velocity{forward, 0.0, 0.0}; };
      results.push_back(hl_match::walk(world, walk));
    }
    return results;
  };
  const auto wanted = [&](const char* what) {
    return order.only.empty() || std::find(order.only.begin(), order.only.end(), what) != order.only.end();
  };
  const auto fell = [](const WalkResult& result) { return result.fell; };
  bool stands = true, goes = true;
  if (wanted("stands"))
    stands = tell("stands", trial(0.0), fell,
                  [](const WalkResult& r) { return formatted(r.fell ? "falls after %.1f s" : "%.0f s", r.time); });
  if (wanted("steps"))
    goes &= tell("steps", trial(0.005), fell, [](const WalkResult& r) {
      return formatted(r.fell ? "falls after %.1f s" : "%.0f s in place", r.time);
    });
  if (wanted("walks")) {
    const auto results = trial(order.speed);
    const auto slow = [&](const WalkResult& r) { return r.fell || r.way.x / r.time < kFastEnough * order.speed; };
    double slowest = 1e9;
    for (const auto& r : results) slowest = std::min(slowest, r.way.x / r.time);
    goes &= tell("walks", results, slow, [&](const WalkResult& r) {
      return formatted(r.fell ? "falls after %.1f s, %.2f m" : "%.0f s, %.2f m", r.time, r.way.x) +
             (results.size() > 1 ? formatted("; slowest %.3f m/s", slowest) : "");
    });
  }
  for (const auto side : {hl_hcm::Direction::Front, hl_hcm::Direction::Back}) {
    if (!wanted("ups")) continue;
    std::vector<GetUpResult> results;
    for (std::uint64_t n = 0; n < order.trials; ++n) results.push_back(get_up(world, side, order.seed + n));
    tell(
        "gets up", results, [](const GetUpResult& r) { return !r.stands; },
        [&](const GetUpResult& r) {
          return std::string("from its ") + name_of(side) + formatted(r.stands ? ", %.1f s" : "", r.time);
        });
  }
  if (!order.picture.empty()) take_picture(world, order.picture);
  if (!goes)
    std::printf(
        "\nBetter steps: ros2 run hl_match tune walking --help; it searches in physics what add_robot could only "
        "scale.\n");
  return stands ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Order order;
  CLI::App app("Tries a robot alone in physics, through controller and HCM, and prints what it can do.");
  app.add_option("robot", order.robot, "its name")->required();
  app.add_option("--from", order.from, "workspace that add_robot wrote it into; otherwise what is installed");
  app.add_option("--picture", order.picture, "PNG of the standing robot");
  app.add_option("--seconds", order.seconds, "of each trial")->check(CLI::Range(1.0, 600.0));
  app.add_option("--speed", order.speed, "to walk with, m/s")->check(CLI::Range(0.01, 1.0));
  app.add_option("--seed", order.seed, "noise of the sensors; of the first trial");
  app.add_option("--trials", order.trials, "of each kind, every one with its own seed")->check(CLI::Range(1, 1000));
  app.add_option("--only", order.only, "of stands, steps, walks, ups")
      ->check(CLI::IsMember({"stands", "steps", "walks", "ups"}));
  CLI11_PARSE(app, argc, argv);
  try {
    return try_robot(order);
  } catch (const std::exception& error) {
    std::cerr << "try_robot: " << error.what() << "\n";
    return 2;
  }
}
