// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <hl_simulation/film.hpp>
#include <string>

#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it
using hl_simulation::StripFilm;

struct Order {
  std::string out, robot = "minibot";
};

/// One step at full speed.
void film_walking(const Order& order) {
  constexpr std::size_t kPictures = 8;
  StripFilm::Params pictures;
  pictures.width = 220;
  pictures.interval = 0.0625;
  std::optional<StripFilm> film;
  const auto world = installed_match(order.robot);
  WalkTrial trial;
  trial.seed = 1000;
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

}  // namespace

int main(int argc, char** argv) {
  Order order;
  CLI::App app("Draws a strip of pictures of a robot in physics.");
  app.require_subcommand(1);
  CLI::App* walking = app.add_subcommand("walking", "one step at full speed");
  walking->add_option("OUT", order.out, "PNG to write")->required();
  walking->add_option("--robot", order.robot, "minibot or darwin_op")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    film_walking(order);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "film: %s\n", error.what());
    return 1;
  }
}
