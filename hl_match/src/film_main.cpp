// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <hl_animation/animation_file.hpp>
#include <hl_simulation/film.hpp>
#include <optional>
#include <string>

#include "hl_match/impact.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/motions.hpp"
#include "hl_match/scenarios.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it
using hl_simulation::StripFilm;

struct Order {
  std::string out, robot = "minibot";
  std::string animation;   // file, or name in the library
  double interval = 0.35;  // s
};

constexpr std::uint64_t kSeed = 1000;

/// One step at full speed.
void film_walking(const Order& order) {
  constexpr std::size_t kPictures = 8;
  StripFilm::Params pictures;
  pictures.width = 220;
  pictures.interval = 0.0625;
  std::optional<StripFilm> film;
  const auto world = installed_match(order.robot);
  WalkTrial trial;
  trial.seed = kSeed;
  trial.duration = 2.5 + kPictures * pictures.interval;
  trial.velocity = [&](double) { return hl_walking::Velocity{world.files->walk.walk.max_forward, 0.0, 0.0}; };
  trial.watch = [&](const LoneRobot& robot, double time) {
    if (time < 2.5) return;
    const auto& simulation = robot.match().simulation();
    if (!film) {
      pictures.begin = simulation.time();
      film.emplace(simulation.world(), pictures, [](const hl_simulation::Robot& shown) {
        hl_simulation::View view;
        view.target = shown.pose().translation();
        view.target.z() = 0.8 * view.target.z();
        view.distance = 3.2 * shown.standing_height();
        view.azimuth = 70.0;
        return view;
      });
    }
    if (film->strip().size() < kPictures) film->look(simulation);
  };
  walk(world, trial);
  if (!film) throw std::runtime_error("the robot fell before the first picture");
  film->strip().write(order.out);
}

/// An animation from its first goal on, or a fall into a protective pose from the push on.
void film_animation(const Order& order) {
  auto world = installed_match(order.robot);
  std::string name = order.animation;
  std::optional<hl_hcm::Direction> side;
  for (const auto fall : kSides)
    if (name == std::string("fall_") + name_of(fall)) side = fall;
  if (!side && world.files->animations.animations.count(name) == 0) {
    const auto animation = hl_animation::load_animations(order.animation).front();
    name = animation.name;
    side = protects(animation);
    world = side ? with_protective_pose(world, *side, animation) : with_animation(world, animation);
  }
  StripFilm::Params pictures;
  pictures.height = 200;
  pictures.interval = order.interval;
  std::optional<StripFilm> film;
  const auto look = [&](const LoneRobot& robot) {
    const auto& simulation = robot.match().simulation();
    if (!film) {
      pictures.begin = simulation.time();
      film.emplace(simulation.world(), pictures, [](const hl_simulation::Robot& shown) {
        hl_simulation::View view;
        view.distance = 1.3;
        view.azimuth = 60.0;
        view.target = shown.pose().translation();
        view.target.z() = 0.2;
        return view;
      });
    }
    film->look(simulation);
  };
  if (side) {
    push_down(world, *side, kSeed, {}, look);
  } else {
    perform(world, name, kSeed, look);
  }
  if (!film) throw std::runtime_error("'" + name + "' did not begin");
  film->strip().write(order.out);
  std::printf("written: %s (%zu pictures)\n", order.out.c_str(), film->strip().size());
}

}  // namespace

int main(int argc, char** argv) {
  Order order;
  CLI::App app("Draws a strip of pictures of a robot in physics.");
  app.require_subcommand(1);
  CLI::App* walking = app.add_subcommand("walking", "one step at full speed");
  walking->add_option("OUT", order.out, "PNG to write")->required();
  walking->add_option("--robot", order.robot, "robot of hl_description")->capture_default_str();
  CLI::App* animation = app.add_subcommand("animation", "an animation, or a fall into a protective pose");
  animation->add_option("ANIMATION", order.animation, "file, or name in the robot's library, or fall_front, ...")
      ->required();
  animation->add_option("OUT", order.out, "PNG to write")->required();
  animation->add_option("--robot", order.robot, "robot of hl_description")->capture_default_str();
  animation->add_option("--interval", order.interval, "s between pictures")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    if (animation->parsed()) {
      film_animation(order);
    } else {
      film_walking(order);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "film: %s\n", error.what());
    return 1;
  }
}
