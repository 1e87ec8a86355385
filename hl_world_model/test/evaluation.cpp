// SPDX-License-Identifier: Apache-2.0
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

namespace hl_world_model::evaluation {
namespace {

using Eigen::Vector2d;
using hl_description::Pose2;

constexpr double kTick = 0.02;

Vector2d towards(double angle, double distance) {
  return distance * Vector2d(std::cos(angle), std::sin(angle));
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 99.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Trial::Trial(const Scenario& scenario, std::uint64_t seed)
    : world({}, scenario.world, seed), personal(scenario.params), scenario_(scenario) {}

void Trial::watch_ball() {
  if (!world.ball) return;
  const Vector2d ball = true_ball();
  world.scanning = false;
  world.pan = std::clamp(std::atan2(ball.y(), ball.x()), -1.4, 1.4);
  world.tilt = std::clamp(std::atan2(0.45, ball.norm()), 0.2, 1.1);
}

void Trial::go(double seconds) {
  const int ticks = static_cast<int>(std::lround(seconds / kTick));
  for (int n = 0; n < ticks; ++n) {
    if (watching) watch_ball();
    world.advance(kTick);
    inputs.odometry = world.odometry();
    inputs.percepts.clear();
    if (++ticks_ % 2 == 0) {
      hl_soccer::Percepts percepts = world.look();
      if (disturb) disturb(percepts);
      const double late = scenario_.delay + scenario_.jitter * world.uniform(-1.0, 1.0);
      if (world.uniform(0.0, 1.0) >= scenario_.loss) waiting_.push_back({world.time + late, percepts});
    }
    for (std::size_t k = 0; k < waiting_.size();) {
      if (waiting_[k].due > world.time) {
        ++k;
        continue;
      }
      inputs.percepts.push_back(waiting_[k].percepts);
      if (!scenario_.compensated) {
        inputs.percepts.back().stamp = world.time - 1e-4 * static_cast<double>(inputs.percepts.size());
      }
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    outputs = personal.step(inputs, world.time);
  }
}

double Trial::ball_error() const {
  const auto& ball = outputs.model.ball;
  return ball.confidence > 0.0 ? (ball.position - true_ball()).norm() : 99.0;
}

double Trial::velocity_error() const {
  const auto& ball = outputs.model.ball;
  if (ball.confidence <= 0.0) return 99.0;
  return (ball.velocity - world.robot.rotation().inverse() * world.ball_velocity).norm();
}

Walking walking(const Scenario& scenario, std::uint64_t first_seed, int runs) {
  std::vector<double> near, far, robots;
  for (int run = 0; run < runs; ++run) {
    Trial trial(scenario, first_seed + static_cast<std::uint64_t>(run));
    auto& world = trial.world;
    world.place({world.uniform(-2.0, 2.0), world.uniform(-1.5, 1.5), world.uniform(-3.0, 3.0)});
    world.ball = world.robot * towards(world.uniform(-0.8, 0.8), world.uniform(0.5, 3.0));
    for (int n = 0; n < 3; ++n) {
      KinematicWorld::OtherRobot other;
      other.position = {world.uniform(-4.0, 4.0), world.uniform(-2.5, 2.5)};
      other.velocity = n == 0 ? Vector2d(0.0, 0.0) : towards(world.uniform(-3.0, 3.0), 0.15);
      other.blue = n != 1;
      other.number = n + 1;
      world.others.push_back(other);
    }
    for (int second = 0; second < 40; ++second) {
      trial.watching = second % 4 != 3;  // and a look around
      world.scanning = !trial.watching;
      if (second % 10 == 5) {
        world.ball_velocity = towards(world.uniform(-3.0, 3.0), world.uniform(0.3, 1.0));
      }
      if (second % 10 == 0 && second > 0) {  // put back by the referee
        world.ball = world.robot * towards(world.uniform(-0.8, 0.8), world.uniform(0.5, 3.0));
        world.ball_velocity.setZero();
      }
      for (int n = 0; n < 5; ++n) {
        trial.go(0.2);
        const double distance = trial.true_ball().norm();
        const bool seen = world.time - trial.outputs.model.ball.last_seen < 0.5;
        if (seen && distance < 2.0) near.push_back(trial.ball_error());
        if (seen && distance >= 2.0 && distance < 4.0) far.push_back(trial.ball_error());
        for (const auto& robot : trial.outputs.model.robots) {
          if (world.time - robot.last_seen > 1.0 || robot.position.norm() > 3.0) continue;
          double best = 99.0;
          for (const auto& other : world.others) {
            best = std::min(best, (world.robot.inverse() * other.position - robot.position).norm());
          }
          robots.push_back(best);
        }
      }
    }
  }
  return {median(near), median(far), median(robots)};
}

double velocity_after_kick(const Scenario& scenario, double distance, std::uint64_t first_seed, int runs) {
  std::vector<double> errors;
  for (int run = 0; run < runs; ++run) {
    Trial trial(scenario, first_seed + static_cast<std::uint64_t>(run));
    auto& world = trial.world;
    world.walking = false;
    world.ball = towards(world.uniform(-0.5, 0.5), distance);
    trial.go(2.0);
    world.ball_velocity = towards(world.uniform(-M_PI, M_PI), world.uniform(0.6, 2.0));
    trial.go(0.6 + scenario.delay);
    errors.push_back(trial.velocity_error());
  }
  return median(errors);
}

double crossing_time(const Scenario& scenario, std::uint64_t first_seed, int runs) {
  std::vector<double> errors;
  for (int run = 0; run < runs; ++run) {
    Trial trial(scenario, first_seed + static_cast<std::uint64_t>(run));
    auto& world = trial.world;
    world.walking = false;
    world.ball = Vector2d(world.uniform(2.0, 3.0), world.uniform(-0.5, 0.5));
    trial.go(1.0);
    const double speed = world.uniform(1.8, 3.0);
    const Vector2d target(0.0, world.uniform(-0.6, 0.6));
    world.ball_velocity = speed * (target - *world.ball).normalized();
    const Rolling rolling = scenario.params.rolling;
    const double way = (target - *world.ball).norm();
    const auto truth = rolling.time_for(speed, way);
    if (!truth || *truth < 0.9) continue;
    trial.go(0.8);
    const auto crossing = ball_crosses(trial.outputs.model.ball, world.robot.inverse() * Vector2d(0.0, -1.5),
                                       world.robot.inverse() * Vector2d(0.0, 1.5), rolling);
    errors.push_back(crossing ? std::abs(crossing->seconds - (*truth - 0.8)) : 99.0);
  }
  return median(errors);
}

double forgetting(const Scenario& scenario, std::uint64_t first_seed, int runs) {
  double worst = 0.0;
  for (int run = 0; run < runs; ++run) {
    Trial trial(scenario, first_seed + static_cast<std::uint64_t>(run));
    auto& world = trial.world;
    world.walking = false;
    world.ball = towards(world.uniform(-0.8, 0.8), world.uniform(0.6, 3.0));
    trial.go(3.0);
    trial.watching = false;
    world.ball.reset();
    double seconds = 0.0;
    while (trial.outputs.model.ball.confidence > 0.0 && seconds < 20.0) {
      trial.go(0.1);
      seconds += 0.1;
    }
    worst = std::max(worst, seconds);
  }
  return worst;
}

double false_velocity(const Scenario& scenario, std::uint64_t first_seed, int runs) {
  double sum = 0.0;
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    Trial trial(scenario, first_seed + static_cast<std::uint64_t>(run));
    auto& world = trial.world;
    world.walking = false;
    world.ball = towards(world.uniform(-0.8, 0.8), 4.0);
    trial.go(2.0);
    for (int n = 0; n < 50; ++n) {
      trial.go(0.2);
      if (trial.outputs.model.ball.confidence <= 0.0) continue;
      sum += trial.outputs.model.ball.velocity.squaredNorm();
      ++count;
    }
  }
  return count > 0 ? std::sqrt(sum / count) : 99.0;
}

double ball_from_team(std::uint64_t first_seed, int runs, double delay, double loss, bool compensated) {
  std::vector<double> errors;
  for (int run = 0; run < runs; ++run) {
    KinematicWorld dice({}, {}, first_seed + static_cast<std::uint64_t>(run));
    TeamModel team{TeamModel::Params{}};
    const hl_soccer::GroundNoise noise{0.45, 0.005, 0.01};
    dice.walking = false;
    dice.ball = Vector2d(dice.uniform(-3.0, 3.0), dice.uniform(-2.0, 2.0));
    const Pose2 own{dice.uniform(-4.0, 4.0), dice.uniform(-2.5, 2.5), dice.uniform(-3.0, 3.0)};
    Pose2 mates[2];
    for (Pose2& mate : mates) {
      const Vector2d place = *dice.ball + towards(dice.uniform(-3.0, 3.0), dice.uniform(0.5, 2.5));
      mate = {place.x(), place.y(), dice.uniform(-3.0, 3.0)};
    }
    std::vector<hl_soccer::TeamMate> heard(2), on_the_way;
    std::vector<double> due;
    for (int n = 0; n < 400; ++n) {
      dice.advance(0.05);
      if (n % 100 == 50) dice.ball_velocity = towards(dice.uniform(-3.0, 3.0), 0.8);
      const double now = dice.time;
      if (n % 4 == 0) {
        for (int m = 0; m < 2; ++m) {
          if (dice.uniform(0.0, 1.0) < loss) continue;
          hl_soccer::TeamMate mate;
          mate.number = m + 2;
          mate.stamp = now;
          mate.activity = hl_soccer::Activity::Active;
          mate.pose = Pose2{mates[m].x + 0.1 * dice.gaussian(), mates[m].y + 0.1 * dice.gaussian(),
                            mates[m].yaw + 0.05 * dice.gaussian()};
          mate.pose_covariance = Eigen::Vector3d(0.01, 0.01, 0.0025).asDiagonal();
          mate.pose_confidence = 0.8;
          const Vector2d seen = mates[m].inverse() * *dice.ball;
          const Eigen::Matrix2d root = noise.covariance(seen).llt().matrixL();
          mate.ball = hl_soccer::BelievedPoint{seen + 0.5 * root * Vector2d(dice.gaussian(), dice.gaussian()), 0.8};
          on_the_way.push_back(mate);
          due.push_back(now + delay * dice.uniform(0.3, 1.7));
        }
      }
      for (std::size_t k = 0; k < on_the_way.size();) {
        if (due[k] > now) {
          ++k;
          continue;
        }
        hl_soccer::TeamMate mate = on_the_way[k];
        if (!compensated) mate.stamp = now;
        auto& last = heard[static_cast<std::size_t>(mate.number - 2)];
        if (mate.stamp > last.stamp) last = mate;
        on_the_way.erase(on_the_way.begin() + static_cast<std::ptrdiff_t>(k));
        due.erase(due.begin() + static_cast<std::ptrdiff_t>(k));
      }
      TeamModel::Inputs inputs;
      inputs.own.stamp = now;
      inputs.own.pose.pose = {own.x + 0.1 * dice.gaussian(), own.y + 0.1 * dice.gaussian(),
                              own.yaw + 0.03 * dice.gaussian()};
      inputs.own.pose.covariance = Eigen::Vector3d(0.01, 0.01, 0.001).asDiagonal();
      inputs.own.pose.confidence = 0.8;
      for (const auto& mate : heard) {
        if (mate.number > 0) inputs.mates.push_back(mate);
      }
      const auto out = team.step(inputs, now);
      if (n > 20) {
        errors.push_back(out.model.ball.confidence > 0.0 ? (own.inverse() * *dice.ball - out.model.ball.position).norm()
                                                         : 99.0);
      }
    }
  }
  return median(errors);
}

}  // namespace hl_world_model::evaluation
