// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking film OUT.png [--robot NAME]: the walk as a strip of pictures.
#include "hl_simulation/film.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "hl_simulation/renderer.hpp"
#include "robots.hpp"
#include "trial.hpp"

int main(int argc, char** argv) {
  std::string out, robot = "minibot";
  CLI::App cli("Draws a strip of pictures of one step.");
  cli.add_option("OUT", out, "PNG to write")->required();
  cli.add_option("--robot", robot, "minibot or darwin_op")->capture_default_str();
  CLI11_PARSE(cli, argc, argv);
  constexpr int kWidth = 220, kHeight = 240;  // pixel of one picture
  constexpr std::size_t kPictures = 8;
  constexpr double kBegin = 2.5, kEvery = 0.0625;  // s
  try {
    using namespace hl_walking;
    const WalkConfig config = load_config(walk_config_of(robot));
    Laboratory laboratory(urdf_of(robot), robot_config_of(robot));
    const auto spec = std::make_shared<const hl_simulation::RobotSpec>(
        hl_simulation::load_robot_files(urdf_of(robot), robot_config_of(robot)));
    auto world = hl_simulation::world_with(spec, 1);
    world.with_ball = world.with_goals = false;
    hl_simulation::Renderer::Params quality;
    quality.width = kWidth;
    quality.height = kHeight;
    quality.shadows = true;
    quality.samples = 4;
    hl_simulation::Renderer renderer(world, quality);
    hl_simulation::FilmStrip strip(kPictures);
    double next = kBegin;
    Trial trial;
    trial.seed = 1000;
    trial.duration = kBegin + kPictures * kEvery;
    trial.velocity = [&](double) { return Velocity{config.walk.max_forward, 0.0, 0.0}; };
    trial.watch = [&](const hl_simulation::Simulation& sim, const Output&) {
      if (sim.time() < next || strip.size() == kPictures) return;
      next += kEvery;
      renderer.update(sim);
      hl_simulation::View view;
      view.target = sim.robot().pose().translation();
      view.target.z() = 0.8 * view.target.z();
      view.distance = 3.2 * sim.robot().standing_height();
      view.azimuth = 70.0;
      hl_simulation::Image image;
      renderer.spectator(view, kWidth, kHeight, image);
      char caption[16];
      std::snprintf(caption, sizeof caption, "%.2f s", sim.time());
      strip.add(image, caption);
    };
    laboratory.run(config.walk, trial, config.odometry);
    strip.write(out);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "film: %s\n", e.what());
    return 1;
  }
}
