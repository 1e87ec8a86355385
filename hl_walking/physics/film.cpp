// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking film OUT.png [--robot NAME]: the walk as a strip of pictures.
#include "hl_simulation/film.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "robots.hpp"
#include "trial.hpp"

int main(int argc, char** argv) {
  std::string out, robot = "minibot";
  CLI::App cli("Draws a strip of pictures of one step.");
  cli.add_option("OUT", out, "PNG to write")->required();
  cli.add_option("--robot", robot, "minibot or darwin_op")->capture_default_str();
  CLI11_PARSE(cli, argc, argv);
  constexpr std::size_t kPictures = 8;
  try {
    using namespace hl_walking;
    const WalkConfig config = load_config(walk_config_of(robot));
    Laboratory laboratory(urdf_of(robot), robot_config_of(robot));
    const auto spec = std::make_shared<const hl_simulation::RobotSpec>(
        hl_simulation::load_robot_files(urdf_of(robot), robot_config_of(robot)));
    auto world = hl_simulation::world_with(spec, 1);
    world.with_ball = world.with_goals = false;
    hl_simulation::StripFilm::Params pictures;
    pictures.width = 220;
    pictures.begin = 2.5;
    pictures.interval = 0.0625;
    hl_simulation::StripFilm film(world, pictures, [](const hl_simulation::Robot& shown) {
      hl_simulation::View view;
      view.target = shown.pose().translation();
      view.target.z() = 0.8 * view.target.z();
      view.distance = 3.2 * shown.standing_height();
      view.azimuth = 70.0;
      return view;
    });
    Trial trial;
    trial.seed = 1000;
    trial.duration = pictures.begin + kPictures * pictures.interval;
    trial.velocity = [&](double) { return Velocity{config.walk.max_forward, 0.0, 0.0}; };
    trial.watch = [&](const hl_simulation::Simulation& sim, const Output&) {
      if (film.strip().size() < kPictures) film.look(sim);
    };
    laboratory.run(config.walk, trial, config.odometry);
    film.strip().write(out);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "film: %s\n", e.what());
    return 1;
  }
}
