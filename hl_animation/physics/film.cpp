// SPDX-License-Identifier: Apache-2.0
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <cstdlib>
#include <hl_simulation/film.hpp>
#include <hl_simulation/renderer.hpp>
#include <hl_simulation/robot_spec.hpp>
#include <string>

#include "hl_animation/animation_file.hpp"
#include "stage.hpp"

namespace {

constexpr const char* kUsage =
    "usage: film ANIMATION.yaml OUT.png [--robot NAME] [--interval S] [--ball]\n\n"
    "Plays an animation in physics and writes a strip of pictures.\n";
constexpr int kWidth = 240, kHeight = 200;  // px of one picture
constexpr int kColumns = 8;

}  // namespace

int main(int argc, char** argv) {
  std::string robot_name = "minibot";
  double interval = 0.35;  // s
  hl_animation::Stage::Params params;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--robot" && i + 1 < argc) {
      robot_name = argv[++i];
    } else if (word == "--interval" && i + 1 < argc) {
      interval = std::atof(argv[++i]);
    } else if (word == "--ball") {
      params.with_ball = true;
    } else {
      argc = 0;
    }
  }
  if (argc < 3 || !(interval > 0.0)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    const auto animation = hl_animation::load_animations(argv[1]).front();
    const auto share = ament_index_cpp::get_package_share_directory("hl_description");
    const auto robot = std::make_shared<const hl_simulation::RobotSpec>(hl_simulation::load_robot_files(
        share + "/urdf/" + robot_name + ".urdf", share + "/config/" + robot_name + "/robot.yaml"));
    auto world = hl_simulation::world_with(robot, 1);
    world.with_goals = false;
    world.with_ball = params.with_ball;
    hl_simulation::Renderer::Params quality;
    quality.width = kWidth;
    quality.height = kHeight;
    quality.shadows = true;
    quality.samples = 4;
    hl_simulation::Renderer renderer(world, quality);
    hl_simulation::FilmStrip strip(kColumns);
    hl_simulation::View view;
    view.distance = 1.3;
    view.azimuth = 60.0;
    hl_animation::Stage stage(robot, params);
    double next = 0.0;
    stage.play(animation, 1000, [&](const hl_simulation::Simulation& simulation) {
      if (simulation.time() < next) return;
      next = simulation.time() + interval;
      renderer.update(simulation);
      view.target = simulation.robot().pose().translation();
      view.target.z() = 0.2;
      hl_simulation::Image image;
      renderer.spectator(view, kWidth, kHeight, image);
      char caption[16];
      std::snprintf(caption, sizeof caption, "%.1f s", simulation.time());
      strip.add(image, caption);
    });
    strip.write(argv[2]);
    std::printf("written: %s (%zu pictures)\n", argv[2], strip.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "film: %s\n", error.what());
    return 1;
  }
}
