// SPDX-License-Identifier: Apache-2.0
#include "evaluation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hl_localization::evaluation {
namespace {

using hl_description::wrap_angle;

constexpr double kTick = 0.02;
constexpr double kInside95 = 5.991;  // chi square, two degrees of freedom

Pose2 anywhere_in_own_half(KinematicWorld& world, const hl_description::Field& field) {
  return {world.uniform(-0.48, -0.03) * field.length, world.uniform(-0.48, 0.48) * field.width,
          world.uniform(-M_PI, M_PI)};
}

}  // namespace

Percentiles percentiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&values](double share) {
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
  };
  return {at(0.5), at(0.95)};
}

Trial::Trial(const Scenario& setup, std::uint64_t seed)
    : world(setup.params.field, setup.world, seed),
      localization(setup.params),
      setup_(setup),
      baseline_(setup.params.field, setup.params.noise) {}

void Trial::tick() {
  world.advance(kTick);
  inputs.odometry = world.odometry();
  inputs.percepts.clear();
  if (++ticks_ % 2 == 0) waiting_.push_back({world.time + setup_.delay, world.look()});
  while (!waiting_.empty() && waiting_.front().due <= world.time) {
    inputs.percepts.push_back(waiting_.front().percepts);
    waiting_.erase(waiting_.begin());
  }
  if (setup_.method == Method::Filter) {
    outputs = localization.step(inputs, world.time);
    inputs.reset.reset();
    inputs.pose.reset();
    return;
  }
  const Pose2& odometry = inputs.odometry->pose;
  if (inputs.pose) {
    baseline_.start(inputs.pose->pose, odometry);
    inputs.pose.reset();
  }
  if (setup_.method == Method::TwoLandmarks) {
    for (const auto& percepts : inputs.percepts) baseline_.see(percepts, odometry);
  }
  outputs.belief.pose = baseline_.pose(odometry);
}

void Trial::go(double seconds) {
  const int ticks = static_cast<int>(std::lround(seconds / kTick));
  for (int n = 0; n < ticks; ++n) {
    tick();
    if (record && ticks_ % 25 == 0) errors.push_back(error());
  }
}

Error Trial::error() const {
  Error e;
  const Pose2& pose = outputs.belief.pose;
  const Eigen::Vector2d d = pose.position() - world.robot.position();
  e.place = setup_.method == Method::Filter && !outputs.belief.known() ? 99.0 : d.norm();
  e.heading = std::abs(wrap_angle(pose.yaw - world.robot.yaw));
  const Eigen::Matrix2d p = outputs.belief.covariance.topLeftCorner<2, 2>();
  e.inside = d.dot(p.inverse() * d) < kInside95;
  return e;
}

double Trial::until_found(double limit) {
  double right_for = 0.0;
  for (double t = 0.0; t < limit; t += 0.1) {
    go(0.1);
    right_for = found() ? right_for + 0.1 : 0.0;
    if (right_for > 0.45) return t - 0.4;
  }
  return limit;
}

WalkResult walk_about(const Scenario& setup, std::uint64_t first_seed, int runs, double seconds) {
  WalkResult result;
  std::vector<double> places, headings;
  std::size_t inside = 0;
  for (int n = 0; n < runs; ++n) {
    Trial run(setup, first_seed + static_cast<std::uint64_t>(n));
    run.world.place(anywhere_in_own_half(run.world, setup.params.field));
    run.inputs.reset = Start::Pose;
    run.inputs.pose = PoseEstimate{run.world.robot, Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
    run.go(5.0);
    run.record = true;
    run.go(seconds);
    bool flipped = false;
    for (const Error& e : run.errors) {
      places.push_back(e.place);
      headings.push_back(e.heading);
      inside += e.inside ? 1 : 0;
      flipped = flipped || e.heading > 2.6;
    }
    result.flips += flipped ? 1 : 0;
  }
  result.count = places.size();
  result.inside = static_cast<double>(inside) / static_cast<double>(std::max<std::size_t>(1, places.size()));
  result.place = percentiles(places);
  result.heading = percentiles(headings);
  return result;
}

std::vector<double> until_found(const Scenario& setup, Surprise surprise, std::uint64_t first_seed, int runs) {
  using hl_soccer::BodyState;
  std::vector<double> times;
  const auto& field = setup.params.field;
  for (int n = 0; n < runs; ++n) {
    Trial run(setup, first_seed + static_cast<std::uint64_t>(n));
    run.world.place(anywhere_in_own_half(run.world, field));
    hl_soccer::GameState game;
    game.referee_connected = true;
    game.phase = hl_soccer::GamePhase::Playing;
    run.inputs.game = game;
    if (surprise == Surprise::Unknown) {
      run.inputs.reset = Start::OwnHalf;
      times.push_back(run.until_found(40.0));
      continue;
    }
    run.inputs.reset = Start::Pose;
    run.inputs.pose = PoseEstimate{run.world.robot, Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
    run.go(10.0);
    run.world.walking = false;
    if (surprise == Surprise::Carried) {
      run.inputs.body = BodyState::PickedUp;
      run.go(2.0);
      run.world.place(anywhere_in_own_half(run.world, field));
      run.go(1.0);
      run.inputs.body = BodyState::Controllable;
    } else if (surprise == Surprise::Reentry) {
      run.inputs.game->penalized = true;
      run.go(2.0);
      const double side = run.world.uniform(0.0, 1.0) < 0.5 ? 1.0 : -1.0,
                   spot = std::floor(run.world.uniform(0.0, 2.99)) - 1.0;
      run.world.place({-0.5 * field.length + field.penalty_mark + 0.6 * spot + 0.1 * run.world.gaussian(),
                       side * (0.5 * field.width + 0.2), -side * M_PI_2 + 0.15 * run.world.gaussian()});
      run.go(2.0);
      run.inputs.game->penalized = false;
    } else {
      run.inputs.body = BodyState::Falling;
      run.go(0.4);
      run.inputs.body = BodyState::Fallen;
      run.world.place(run.world.robot *
                      Pose2{0.2 * run.world.gaussian(), 0.2 * run.world.gaussian(), 0.5 * run.world.gaussian()});
      run.go(4.0);
      run.inputs.body = BodyState::Controllable;
    }
    run.world.walking = true;
    times.push_back(run.until_found(40.0));
  }
  return times;
}

}  // namespace hl_localization::evaluation
