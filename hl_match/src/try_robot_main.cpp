// SPDX-License-Identifier: Apache-2.0
// What a robot that was just added can do: stands, steps, walks, gets up; and how it looks.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <hl_description/formatted.hpp>
#include <hl_simulation/film.hpp>
#include <hl_simulation/renderer.hpp>
#include <iostream>

#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it
using hl_description::formatted;

struct Order {
  std::string robot, from, picture;
  double seconds = 30.0;
  double speed = 0.1;  // m/s
  std::uint64_t seed = 1;
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

bool tell(const char* what, bool good, const std::string& how) {
  std::printf("  %-9s %-4s %s\n", what, good ? "yes" : "no", how.c_str());
  std::fflush(stdout);
  return good;
}

int try_robot(const Order& order) {
  const auto world = [&] {
    if (order.from.empty()) return installed_match(order.robot);
    const auto folder = [&](const char* package) { return (std::filesystem::path(order.from) / package).string(); };
    return match_of(order.robot,
                    {folder("hl_description"), folder("hl_walking"), folder("hl_hcm"), folder("hl_animation")});
  }();
  std::printf("%s\n", order.robot.c_str());
  const auto trial = [&](double forward) {
    WalkTrial walk;
    walk.duration = order.seconds;
    walk.seed = order.seed;
    walk.velocity = [forward](double) { return hl_walking::Velocity{forward, 0.0, 0.0}; };
    return hl_match::walk(world, walk);
  };
  const WalkResult stand = trial(0.0);
  const bool stands = tell("stands", !stand.fell, formatted(stand.fell ? "falls after %.1f s" : "%.0f s", stand.time));
  const WalkResult step = trial(0.005);
  tell("steps", !step.fell, formatted(step.fell ? "falls after %.1f s" : "%.0f s in place", step.time));
  const WalkResult walked = trial(order.speed);
  const double speed = walked.way.x / walked.time;
  tell("walks", !walked.fell && speed > 0.8 * order.speed,
       formatted(walked.fell ? "falls after %.1f s, %.2f m" : "%.0f s, %.2f m", walked.time, walked.way.x));
  for (const auto side : {hl_hcm::Direction::Front, hl_hcm::Direction::Back}) {
    const GetUpResult up = get_up(world, side, order.seed);
    tell("gets up", up.stands,
         std::string("from its ") + name_of(side) + (up.stands ? formatted(", %.1f s", up.time) : ""));
  }
  if (!order.picture.empty()) take_picture(world, order.picture);
  if (walked.fell || step.fell)
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
  app.add_option("--seed", order.seed, "noise of the sensors");
  CLI11_PARSE(app, argc, argv);
  try {
    return try_robot(order);
  } catch (const std::exception& error) {
    std::cerr << "try_robot: " << error.what() << "\n";
    return 2;
  }
}
