// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <hl_simulation/film.hpp>
#include <hl_simulation/renderer.hpp>
#include <string>

#include "fall_stage.hpp"
#include "hl_animation/animation_file.hpp"
#include "installed.hpp"
#include "stage.hpp"

namespace {

constexpr const char* kUsage =
    "usage: film ANIMATION.yaml OUT.png [--robot NAME] [--interval S] [--ball]\n\n"
    "Plays an animation in physics, a protective one after a push, and writes a strip of pictures.\n";
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
    const auto robot = hl_animation::spec_of(robot_name);
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
    double next = 0.0;
    const auto look = [&](const hl_simulation::Simulation& simulation) {
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
    };
    constexpr std::uint64_t kSeed = 1000;
    if (const auto direction = hl_animation::protects_in(animation)) {
      hl_animation::FallStage stage(robot, {});
      stage.fall(*direction, stage.play(animation), kSeed, look);
    } else {
      hl_animation::Stage stage(robot, params);
      stage.play(animation, kSeed, look);
    }
    strip.write(argv[2]);
    std::printf("written: %s (%zu pictures)\n", argv[2], strip.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "film: %s\n", error.what());
    return 1;
  }
}
