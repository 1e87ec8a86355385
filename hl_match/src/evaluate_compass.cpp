// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>

#include "hl_description/geometry.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_vision/turn_rate.hpp"
#include "hl_vision/visual_compass.hpp"
#include "simulated_eye.hpp"

namespace hl_match {
namespace {

using hl_simulation::CameraEffects;
using hl_simulation::Lighting;
using Look = SimulatedEye::Look;

constexpr double kAttitude = 0.01;     // rad, how well the robot knows its camera
constexpr double kEnoughAbove = 0.15;  // share of a picture above the border from which an answer is expected
constexpr double kPlace = 0.3;         // m, how well localisation knows the place
constexpr int kPictures = 16;          // asked in each hall and light
constexpr int kRecordTurns = 8;        // pictures all around at each recorded pose
constexpr double kDegrees = 180.0 / M_PI;

/// Random numbers of one hall.
struct Dice {
  std::mt19937_64 engine;
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

/// A camera as the hall's light finds it; noise and blur are other in every picture.
CameraEffects in_picture(const CameraEffects& camera, std::uint64_t seed) {
  CameraEffects effects = CameraEffects::random(seed);
  effects.exposure = camera.exposure * std::pow(effects.exposure, 0.2);
  effects.white_balance = camera.white_balance;
  effects.vignetting = camera.vignetting;
  return effects;
}

hl_simulation::WorldSpec hall(const Match::Params& installed, std::uint64_t seed, Dice& dice) {
  hl_simulation::WorldSpec world;
  world.field = installed.field;
  world.seed = world.surroundings = seed;
  const int others = static_cast<int>(dice.uniform(0.0, 5.0));
  for (int n = 0; n <= others; ++n) {
    hl_simulation::RobotPlacement robot;
    robot.spec = installed.spec;
    robot.name = "robot" + std::to_string(n);
    robot.x = n == 0 ? 0.0 : dice.uniform(-4.0, 4.0);
    robot.y = n == 0 ? 0.0 : -2.4 + 1.2 * n;
    if (n % 2) robot.colour = {0.85, 0.1, 0.1, 1.0};
    world.robots.push_back(robot);
  }
  const std::array<Lighting, 5> lights{Lighting::Indoor, Lighting::Bright, Lighting::Dim, Lighting::LowSun,
                                       Lighting::Spotlights};
  world.lighting = lights[static_cast<std::size_t>(dice.uniform(0.0, 4.999))];
  return world;
}

struct Answers {
  std::vector<double> errors;  // degrees, of sure answers
  std::size_t asked = 0, sure = 0, wrong_half = 0;
};

/// Known: to `kPlace` m, but not in which half.
enum class Place { Known, Unknown };

void ask(Place place, SimulatedEye& eye, hl_vision::VisualCompass& compass, const CameraEffects& camera,
         std::uint64_t seed, Dice& dice, Answers& answers) {
  const auto& field = eye.simulation().world().field;
  for (int n = 0; n < kPictures;) {
    Look look{dice.uniform(-0.5, 0.5) * field.length, dice.uniform(-0.5, 0.5) * field.width, dice.uniform(-M_PI, M_PI)};
    look.roll = dice.uniform(-0.05, 0.05);
    look.pitch = dice.uniform(-0.05, 0.08);
    look.pan = dice.uniform(-1.0, 1.0);
    look.tilt = dice.uniform(-0.75, 0.05);
    const std::uint64_t number = seed * 1000 + static_cast<std::uint64_t>(n);
    const auto picture = eye.look(look, in_picture(camera, number), number);
    if (eye.above_border(look, picture.view) < kEnoughAbove) continue;
    ++n;
    ++answers.asked;
    hl_vision::VisualCompass::Inputs inputs{picture.bgr, as_known(picture.view, kAttitude, dice.engine)};
    if (place == Place::Known) {
      std::normal_distribution<double> error(0.0, kPlace);
      const double side = dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;  // it may believe the opposite place
      inputs.about = hl_vision::VisualCompass::Place{
          side * Eigen::Vector2d(look.x + error(dice.engine), look.y + error(dice.engine)), kPlace};
    }
    const auto answer = compass.step(inputs, 0.0);
    if (answer.confidence <= 0.5) continue;
    ++answers.sure;
    const double error = std::abs(hl_description::wrap_angle(answer.heading - look.yaw));
    answers.errors.push_back(error * kDegrees);
    answers.wrong_half += error > M_PI_2;
  }
}

struct Hall {
  Answers same, lost, changed;
  double gap = 0.0;
};

Hall play(const Match::Params& installed, std::uint64_t seed) {
  Dice dice{std::mt19937_64(seed * 1000003)};
  Hall result;
  auto world = hall(installed, seed, dice);
  hl_vision::VisualCompass compass({}, world.field);
  const bool shadows = dice.uniform(0.0, 1.0) < 0.5;
  {
    SimulatedEye eye(world, shadows);
    const CameraEffects camera = CameraEffects::random(seed * 17 + 5);
    // Three poses of the own half: beside both touch lines and in the middle, as robots stand before a kick-off.
    for (const auto& [x, y] : {std::pair{dice.uniform(-3.5, -1.0), dice.uniform(1.5, 2.8)},
                               {dice.uniform(-3.5, -1.0), dice.uniform(-2.8, -1.5)},
                               {dice.uniform(-4.0, -0.8), dice.uniform(-0.8, 0.8)}}) {
      const double start = dice.uniform(-M_PI, M_PI);
      for (int n = 0; n < kRecordTurns; ++n) {
        Look look{x, y, start + 2.0 * M_PI * n / kRecordTurns};
        look.tilt = n % 2 ? -0.05 : -0.2;
        const std::uint64_t number = seed * 1000 + 500 + static_cast<std::uint64_t>(n);
        const auto picture = eye.look(look, in_picture(camera, number), number);
        compass.record({picture.bgr, as_known(picture.view, kAttitude, dice.engine)}, {look.x, look.y, look.yaw});
      }
    }
    ask(Place::Known, eye, compass, camera, seed, dice, result.same);
    ask(Place::Unknown, eye, compass, camera, seed + 250000, dice, result.lost);
  }
  // Later: other light, another camera setting, every second spectator elsewhere.
  const Lighting before = world.lighting;
  while (world.lighting == before) world.lighting = static_cast<Lighting>(static_cast<int>(dice.uniform(0.0, 4.999)));
  world.moved = seed * 31 + 7;
  SimulatedEye eye(world, shadows);
  eye.renderer().set_brightness(dice.uniform(0.75, 1.3));
  const double from = dice.uniform(-M_PI, M_PI);
  if (world.lighting == Lighting::LowSun)
    eye.renderer().set_light_direction({std::cos(from), std::sin(from), -dice.uniform(0.35, 1.2)});
  ask(Place::Known, eye, compass, CameraEffects::random(seed * 17 + 6), seed + 500000, dice, result.changed);
  result.gap = compass.gap();
  return result;
}

/// A turn on the spot by 90 degrees with the sway of steps, 15 pictures a second; the head looks ahead.
struct Turn {
  std::size_t pictures = 0, known = 0;
  double error = 0.0;  // degrees, of the turns that it claims to know
};

Turn turn_on_the_spot(const Match::Params& installed, std::uint64_t seed) {
  Dice dice{std::mt19937_64(seed * 1000003 + 9)};
  SimulatedEye eye(hall(installed, seed, dice), false);
  const CameraEffects camera = CameraEffects::random(seed * 17 + 5);
  hl_vision::TurnRate rate({});
  const auto& field = eye.simulation().world().field;
  Look look{dice.uniform(-0.5, 0.5) * field.length, dice.uniform(-0.5, 0.5) * field.width, dice.uniform(-M_PI, M_PI)};
  look.tilt = dice.uniform(-0.3, 0.0);
  const double sign = dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0, speed = dice.uniform(0.4, 1.2);  // rad/s
  constexpr double kPeriod = 1.0 / 15.0;                                                           // s
  Turn result;
  double claimed = 0.0, truly = 0.0, before = look.yaw;
  for (double turned = 0.0, time = 0.0; turned <= M_PI_2; turned += speed * kPeriod, time += kPeriod) {
    const double phase = 2.0 * M_PI * time / 0.6;  // of the steps
    look.roll = 0.04 * std::sin(phase);
    look.pitch = 0.02 * std::sin(2.0 * phase);
    look.x += 0.01 * std::sin(phase);
    const std::uint64_t number = seed * 1000 + result.pictures;
    const auto picture = eye.look(look, in_picture(camera, number), number);
    const auto out = rate.step({picture.bgr, as_known(picture.view, kAttitude, dice.engine), time}, time);
    if (result.pictures++ > 0 && out.known) {
      ++result.known;
      claimed += out.turn;
      truly += look.yaw - before;
    }
    before = look.yaw;
    look.yaw += sign * speed * kPeriod;
  }
  result.error = std::abs(claimed - truly) * kDegrees;
  return result;
}

void turns(const Match::Params& installed, const EvaluationOptions& options, std::vector<Figure>& figures) {
  std::vector<Turn> all(static_cast<std::size_t>(options.games));
  in_parallel(all.size(), options.threads, [&](std::size_t i) {
    all[i] = turn_on_the_spot(installed, options.seed + i);
    std::fprintf(stderr, "turn %zu: known %zu of %zu, error %.2f degrees\n", static_cast<std::size_t>(options.seed) + i,
                 all[i].known, all[i].pictures - 1, all[i].error);
  });
  std::vector<std::vector<double>> errors;
  std::size_t known = 0, pictures = 0, within = 0;
  for (const Turn& turn : all) {
    errors.push_back({turn.error});
    known += turn.known;
    pictures += turn.pictures - 1;
    within += turn.error <= 3.0;
  }
  figures.push_back(quantile_of("turn of 90 degrees: error of what it claims to know, median", errors, 0.5, "degrees"));
  figures.push_back(quantile_of("turn of 90 degrees: 90 %", errors, 0.9, "degrees"));
  figures.push_back(share_of("turn of 90 degrees: within 3 degrees", within, all.size()));
  figures.push_back(share_of("turn of 90 degrees: pictures whose turn it knows", known, pictures));
}

void report(const std::string& what, const std::vector<Hall>& halls, Answers Hall::*of, std::vector<Figure>& figures) {
  std::vector<std::vector<double>> errors;
  std::vector<Events> sure, wrong;
  for (const Hall& hall : halls) {
    const Answers& answers = hall.*of;
    errors.push_back(answers.errors);
    sure.push_back({answers.sure, answers.asked});
    wrong.push_back({answers.wrong_half, answers.sure});
  }
  figures.push_back(quantile_of(what + ": error of sure answers, median", errors, 0.5, "degrees"));
  figures.push_back(quantile_of(what + ": error of sure answers, 90 %", errors, 0.9, "degrees"));
  figures.push_back(share_in(what + ": wrong half, of sure answers", wrong));
  figures.push_back(share_in(what + ": sure answers, of pictures with 15 % above the border", sure));
}

}  // namespace

/// Rendered halls; a standing robot, tilted as if in a step, anywhere on the field.
std::vector<Figure> evaluate_compass(EvaluationContext& context) {
  const auto installed = installed_match(context.options().robot);
  std::vector<Hall> halls(context.trials());
  in_parallel(halls.size(), context.options().threads, [&](std::size_t i) {
    const std::uint64_t seed = context.options().seed + i;
    halls[i] = play(installed, seed);
    const auto& [same, lost, changed, gap] = halls[i];
    std::fprintf(
        stderr,
        "hall %zu: gap %.1f m; sure %zu of %zu, wrong half %zu; lost: %zu of %zu, %zu; changed: %zu of %zu, %zu\n",
        static_cast<std::size_t>(seed), gap, same.sure, same.asked, same.wrong_half, lost.sure, lost.asked,
        lost.wrong_half, changed.sure, changed.asked, changed.wrong_half);
  });
  std::vector<Figure> figures;
  report("compass", halls, &Hall::same, figures);
  report("compass without any idea of its place", halls, &Hall::lost, figures);
  report("compass, other light, every second spectator moved", halls, &Hall::changed, figures);
  turns(installed, context.options(), figures);
  return figures;
}

}  // namespace hl_match
