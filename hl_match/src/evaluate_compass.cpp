// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hl_description/geometry.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_vision/turn_rate.hpp"
#include "hl_vision/visual_compass.hpp"
#include "playing_robot.hpp"
#include "simulated_eye.hpp"

namespace hl_match {
namespace {

using hl_simulation::CameraEffects;
using hl_simulation::Lighting;
using Look = SimulatedEye::Look;

constexpr double kAttitude = 0.01;     // rad, how well the robot knows its camera
constexpr double kEnoughAbove = 0.15;  // share of a picture above the border from which an answer is expected
constexpr double kPlace = 0.3;         // m, how well localisation knows the place
constexpr double kPlay = 10.0;         // s of play in each hall and light; nothing is remembered at its start
constexpr double kPeriod = 0.4;        // s between pictures; more of them would only be alike
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
    robot.y = n == 0 ? 0.0 : -2.4 + 1.2 * n;
    do {
      robot.x = n == 0 ? 0.0 : dice.uniform(-4.0, 4.0);
    } while (n > 0 && std::hypot(robot.x, robot.y) < 0.8);  // there the first one stands until it is put elsewhere
    if (n % 2) robot.colour = {0.85, 0.1, 0.1, 1.0};
    world.robots.push_back(robot);
  }
  const std::array<Lighting, 5> lights{Lighting::Indoor, Lighting::Bright, Lighting::Dim, Lighting::LowSun,
                                       Lighting::Spotlights};
  world.lighting = lights[static_cast<std::size_t>(dice.uniform(0.0, 4.999))];
  return world;
}

/// Robots stand there, too; in one of them nobody can be put.
bool is_free(const hl_simulation::WorldSpec& world, const Look& look) {
  constexpr double kApart = 0.6;  // m
  return std::none_of(world.robots.begin() + 1, world.robots.end(),
                      [&](const auto& other) { return std::hypot(other.x - look.x, other.y - look.y) < kApart; });
}

struct Answers {
  std::vector<double> errors;  // degrees, of sure answers
  std::size_t asked = 0, sure = 0, wrong_half = 0;
};

/// A compass that is asked, what it is told, and how it did.
struct Asked {
  hl_vision::VisualCompass compass;
  enum class Told { Nothing, Place } place;        // the place: to `kPlace` m, but not in which half
  enum class Judges { Pictures, Picture } judges;  // each picture alone, or with what was seen before
  Answers answers{};
};

/// Some seconds of play. Pictures that show little above the border are seen, but no answer is expected.
void play(SimulatedEye& eye, const CameraEffects& camera, std::uint64_t seed, Dice& dice, std::vector<Asked*> all) {
  PlayingRobot robot(eye.simulation().world().field, dice.engine);
  // It may believe the opposite place; what it believes wrongly it believes for a while.
  std::normal_distribution<double> error(0.0, kPlace);
  const Eigen::Vector2d off(error(dice.engine), error(dice.engine));
  const double side = dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
  for (int n = 0; n * kPeriod < kPlay; ++n) {
    for (int part = 0; part < 4; ++part) robot.step(0.25 * kPeriod);
    const Look look = robot.look();
    if (!is_free(eye.simulation().world(), look)) continue;  // it walks on, without a picture
    const std::uint64_t number = seed * 1000 + static_cast<std::uint64_t>(n);
    const auto picture = eye.look(look, in_picture(camera, number), number);
    const bool counts = eye.above_border(look, picture.view) >= kEnoughAbove;
    hl_vision::VisualCompass::Inputs inputs{picture.bgr, as_known(picture.view, kAttitude, dice.engine)};
    for (Asked* asked : all) {
      inputs.about.reset();
      inputs.odometry.reset();
      if (asked->place == Asked::Told::Place)
        inputs.about = hl_vision::VisualCompass::Place{side * (Eigen::Vector2d(look.x, look.y) + off), kPlace};
      if (asked->judges == Asked::Judges::Pictures) inputs.odometry = robot.odometry();
      const auto answer = asked->compass.step(inputs, n * kPeriod);
      if (!counts) continue;
      ++asked->answers.asked;
      if (answer.confidence <= 0.5) continue;
      ++asked->answers.sure;
      const double error_of = std::abs(hl_description::wrap_angle(answer.heading - look.yaw));
      asked->answers.errors.push_back(error_of * kDegrees);
      asked->answers.wrong_half += error_of > M_PI_2;
    }
  }
}

struct Hall {
  Answers same, alone, lost, changed, changed_alone;
  double gap = 0.0;
};

Hall visit(const Match::Params& installed, std::uint64_t seed) {
  Dice dice{std::mt19937_64(seed * 1000003)};
  Hall result;
  auto world = hall(installed, seed, dice);
  hl_vision::VisualCompass compass({}, world.field);
  const bool shadows = dice.uniform(0.0, 1.0) < 0.5;
  {
    SimulatedEye eye(world, shadows);
    const CameraEffects camera = CameraEffects::random(seed * 17 + 5);
    // Three poses of the own half: beside both touch lines and in the middle, as robots stand before a kick-off.
    struct Range {
      double x0, x1, y0, y1;  // m
    };
    for (const Range& range : {Range{-3.5, -1.0, 1.5, 2.8}, {-3.5, -1.0, -2.8, -1.5}, {-4.0, -0.8, -0.8, 0.8}}) {
      Look look;
      do {
        look.x = dice.uniform(range.x0, range.x1);
        look.y = dice.uniform(range.y0, range.y1);
      } while (!is_free(world, look));
      const double start = dice.uniform(-M_PI, M_PI);
      for (int n = 0; n < kRecordTurns; ++n) {
        look.yaw = start + 2.0 * M_PI * n / kRecordTurns;
        look.tilt = n % 2 ? -0.05 : -0.2;
        const std::uint64_t number = seed * 1000 + 500 + static_cast<std::uint64_t>(n);
        const auto picture = eye.look(look, in_picture(camera, number), number);
        compass.record({picture.bgr, as_known(picture.view, kAttitude, dice.engine)}, {look.x, look.y, look.yaw});
      }
    }
    Asked same{compass, Asked::Told::Place, Asked::Judges::Pictures},
        alone{compass, Asked::Told::Place, Asked::Judges::Picture},
        lost{compass, Asked::Told::Nothing, Asked::Judges::Pictures};
    play(eye, camera, seed, dice, {&same, &alone, &lost});
    result.same = same.answers;
    result.alone = alone.answers;
    result.lost = lost.answers;
    result.gap = same.compass.gap();
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
  Asked changed{compass, Asked::Told::Place, Asked::Judges::Pictures},
      alone{compass, Asked::Told::Place, Asked::Judges::Picture};
  play(eye, CameraEffects::random(seed * 17 + 6), seed + 500000, dice, {&changed, &alone});
  result.changed = changed.answers;
  result.changed_alone = alone.answers;
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
  Look look;
  do {
    look = {dice.uniform(-0.5, 0.5) * field.length, dice.uniform(-0.5, 0.5) * field.width, dice.uniform(-M_PI, M_PI)};
  } while (!is_free(eye.simulation().world(), look));
  look.tilt = dice.uniform(-0.3, 0.0);
  const double sign = dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0, speed = dice.uniform(0.4, 1.2);  // rad/s
  constexpr double kFrame = 1.0 / 15.0;                                                            // s
  Turn result;
  double claimed = 0.0, truly = 0.0, before = look.yaw;
  for (double turned = 0.0, time = 0.0; turned <= M_PI_2; turned += speed * kFrame, time += kFrame) {
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
    look.yaw += sign * speed * kFrame;
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

/// Rendered halls; a robot that plays anywhere on the field.
std::vector<Figure> evaluate_compass(EvaluationContext& context) {
  const auto installed = installed_match(context.options().robot);
  std::vector<Figure> figures;
  if (context.wants("heading")) {
    std::vector<Hall> halls(context.trials());
    in_parallel(halls.size(), context.options().threads, [&](std::size_t i) {
      const std::uint64_t seed = context.options().seed + i;
      const Hall& hall = halls[i] = visit(installed, seed);
      const auto words = [](const Answers& of) {
        return std::to_string(of.sure) + " of " + std::to_string(of.asked) + " sure, wrong half " +
               std::to_string(of.wrong_half);
      };
      std::fprintf(stderr, "hall %zu: gap %.1f m; %s; each alone: %s; lost: %s; changed: %s; each alone: %s\n",
                   static_cast<std::size_t>(seed), hall.gap, words(hall.same).c_str(), words(hall.alone).c_str(),
                   words(hall.lost).c_str(), words(hall.changed).c_str(), words(hall.changed_alone).c_str());
    });
    report("compass in play", halls, &Hall::same, figures);
    report("compass in play, other light, every second spectator moved", halls, &Hall::changed, figures);
    report("compass in play without any idea of its place", halls, &Hall::lost, figures);
    report("compass, each picture alone", halls, &Hall::alone, figures);
    report("compass, each picture alone, other light, every second spectator moved", halls, &Hall::changed_alone,
           figures);
  }
  if (context.wants("turn")) turns(installed, context.options(), figures);
  return figures;
}

}  // namespace hl_match
