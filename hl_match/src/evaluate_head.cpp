// SPDX-License-Identifier: Apache-2.0
// Whether the head holds a rolling ball in the picture while the robot walks,
// and how soon it finds a ball it knows nothing of.
#include <cmath>
#include <cstdio>
#include <hl_description/geometry.hpp>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;

constexpr double kWithin = 10.0 * M_PI / 180.0;  // rad from the image centre
constexpr double kReach = 1.5;                   // rad to either side that the neck can look

struct Tracking {
  std::size_t samples = 0, within = 0;
};

/// 60 s of walking to and fro while a ball is kicked about near the robot. It is kicked from where it lies; only a ball
/// that has left is put down elsewhere, and must be found first: until the model has it, nothing counts.
Tracking track(const Match::Params& world, std::uint64_t seed) {
  constexpr double kRest = 1.0, kKnown = 0.4;  // s between two kicks; m, of the model's ball from the true one
  PlayTrial trial(world, {{1, 0}, {0, 0}, {true, true}, seed});
  trial.place_ball({1.5, 0.0});  // it lies where the robot shall stand
  trial.place(0, {0.0, 0.0, trial.in(-M_PI, M_PI)});
  trial.stand();
  trial.begin_task(0, {"rtdl 1.0 task watch() { head_mode(BALL_MODE); wait(1000); }", "", {}, std::nullopt});
  Tracking result;
  Match& match = trial.match();
  const double begin = match.time();
  double kicked = -1e9;
  bool found = false;
  while (match.time() - begin < 60.0) {
    const auto pose = match.true_pose(0);
    const Vector2d seen = pose.inverse() * trial.ball();
    const double distance = seen.norm(), bearing = std::atan2(seen.y(), seen.x());
    const bool there = distance > 0.7 && distance < 3.0 && std::abs(bearing) < kReach;
    const auto somewhere = [&] {
      const double to = trial.in(-1.0, 1.0);
      return Vector2d(pose * Vector2d(trial.in(0.9, 2.8) * Vector2d(std::cos(to), std::sin(to))));
    };
    if (match.time() - kicked > kRest && (!there || trial.simulation().ball_velocity().norm() < 0.1)) {
      const Vector2d start = there ? trial.ball() : somewhere(), way = somewhere() - start;
      found = found && there;
      if (way.norm() > 0.3) trial.place_ball(start, trial.in(0.3, 1.5) * way.normalized());
      kicked = match.time();
    }
    // Slow enough to stay on the field; turning is what makes it hard.
    auto command = random_command(world.files->walk.walk, match.time() - begin, seed);
    match.orders(0).orders.velocity = hl_walking::Velocity{0.5 * command.x, 0.5 * command.y, 0.5 * command.yaw};
    if (!match.step()) break;
    const auto& known = trial.mind(0).model().ball;
    const Vector2d truth = match.true_pose(0).inverse() * trial.ball();  // it may have been put elsewhere
    found = found || (known.confidence > 0.0 && (known.position - truth).norm() < kKnown);
    const auto eye = hl_simulation::eye_of(trial.simulation(), 0);
    if (!eye || !found || !there) continue;
    const Eigen::Vector3d ray = (eye->camera.inverse() * trial.simulation().ball_position()).normalized();
    ++result.samples;
    result.within += std::acos(std::clamp(ray.z(), -1.0, 1.0)) < kWithin ? 1 : 0;
  }
  return result;
}

/// s from the beginning of the search until the ball is seen; a ball anywhere
/// within 4 m.
double search(const Match::Params& world, std::uint64_t seed) {
  constexpr double kMost = 30.0;  // s
  PlayTrial trial(world, {{1, 0}, {0, 0}, {true, true}, seed});
  const double x = 0.5 * world.field.length, y = 0.5 * world.field.width;
  const hl_description::Pose2 pose{trial.in(-x + 0.5, x - 0.5), trial.in(-y + 0.5, y - 0.5), trial.in(-M_PI, M_PI)};
  trial.place_ball({30.0, 30.0});  // nowhere to be seen
  trial.place(0, pose);
  trial.stand();
  const auto row = [&] { return std::string(trial.mind(0).behavior() ? trial.mind(0).behavior()->decision.row : ""); };
  trial.match().run(30.0, [&] { return row().rfind("ball unknown", 0) == 0; });
  Vector2d ball;
  do {
    const double bearing = trial.in(-M_PI, M_PI);
    ball = trial.match().true_pose(0) *
           Vector2d(4.0 * std::sqrt(trial.in(0.02, 1.0)) * Vector2d(std::cos(bearing), std::sin(bearing)));
  } while (std::abs(ball.x()) > x || std::abs(ball.y()) > y);
  trial.place_ball(ball);
  const double begin = trial.match().time();
  trial.match().run(kMost, [&] { return trial.mind(0).model().ball.last_seen > begin; });
  return trial.match().time() - begin;
}

}  // namespace

std::vector<Figure> evaluate_head(EvaluationContext& context) {
  const auto world = installed_match(context.options().robot);
  std::vector<Tracking> tracked(context.trials());
  std::vector<double> found(context.trials());
  in_parallel(found.size(), context.options().threads, [&](std::size_t i) {
    tracked[i] = track(world, context.options().seed + i);
    found[i] = search(world, context.options().seed + i);
    std::fprintf(stderr, "head %zu: %.1f %% within 10 degrees, found in %.1f s\n",
                 static_cast<std::size_t>(context.options().seed) + i,
                 100.0 * static_cast<double>(tracked[i].within) /
                     static_cast<double>(std::max<std::size_t>(1, tracked[i].samples)),
                 found[i]);
  });
  std::vector<double> shares;
  for (const Tracking& t : tracked)
    if (t.samples > 0) shares.push_back(100.0 * static_cast<double>(t.within) / static_cast<double>(t.samples));
  std::vector<std::vector<double>> times;
  for (const double time : found) times.push_back({time});
  return {mean_of("rolling ball within 10 degrees of the image centre, walking", shares, "%"),
          quantile_of("search: ball within 4 m anywhere around found, median", times, 0.5, "s"),
          quantile_of("search: the same, 90 %", times, 0.9, "s")};
}

}  // namespace hl_match
