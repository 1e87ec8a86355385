// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdio>
#include <hl_simulation/film.hpp>
#include <string>

#include "fall_stage.hpp"
#include "hl_animation/animation_file.hpp"
#include "installed.hpp"
#include "stage.hpp"

int main(int argc, char** argv) {
  std::string animation_file, out, robot_name = "minibot";
  double interval = 0.35;  // s
  hl_animation::Stage::Params params;
  CLI::App cli("Plays an animation in physics, a protective one after a push, and writes a strip of pictures.");
  cli.add_option("ANIMATION", animation_file, "YAML")->required();
  cli.add_option("OUT", out, "PNG to write")->required();
  cli.add_option("--robot", robot_name, "minibot or darwin_op")->capture_default_str();
  cli.add_option("--interval", interval, "s between pictures")->capture_default_str()->check(CLI::PositiveNumber);
  cli.add_flag("--ball", params.with_ball, "a ball lies before the foot");
  CLI11_PARSE(cli, argc, argv);
  try {
    const auto animation = hl_animation::load_animations(animation_file).front();
    const auto robot = hl_animation::RobotPlace(robot_name).spec();
    auto world = hl_simulation::world_with(robot, 1);
    world.with_goals = false;
    world.with_ball = params.with_ball;
    hl_simulation::StripFilm::Params pictures;
    pictures.height = 200;
    pictures.interval = interval;
    hl_simulation::StripFilm film(world, pictures, [](const hl_simulation::Robot& shown) {
      hl_simulation::View view;
      view.distance = 1.3;
      view.azimuth = 60.0;
      view.target = shown.pose().translation();
      view.target.z() = 0.2;
      return view;
    });
    const auto look = [&](const hl_simulation::Simulation& simulation) { film.look(simulation); };
    constexpr std::uint64_t kSeed = 1000;
    if (const auto direction = hl_animation::protects_in(animation)) {
      hl_animation::FallStage stage(robot, {});
      stage.fall(*direction, stage.play(animation), kSeed, look);
    } else {
      hl_animation::Stage stage(robot, params);
      stage.play(animation, kSeed, look);
    }
    film.strip().write(out);
    std::printf("written: %s (%zu pictures)\n", out.c_str(), film.strip().size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "film: %s\n", error.what());
    return 1;
  }
}
