// SPDX-License-Identifier: Apache-2.0
// Whatever comes in, what comes out is a number, a covariance and a confidence.
#include <gtest/gtest.h>
#include <malloc.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <random>

#include "hl_localization/kinematic_world.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_world_model/personal_model.hpp"
#include "hl_world_model/team_model.hpp"

namespace {

using namespace hl_world_model;
using Eigen::Vector2d;

class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : random_(seed) {}

  double number(double size) {
    switch (pick(30)) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return -std::numeric_limits<double>::infinity();
      case 2:
        return 1e300;
      case 3:
        return 0.0;
      default:
        return std::uniform_real_distribution<double>(-size, size)(random_);
    }
  }
  bool chance(double share) { return std::uniform_real_distribution<double>(0.0, 1.0)(random_) < share; }
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  Vector2d point() { return {number(4.0), number(4.0)}; }
  Eigen::Matrix2d matrix() {
    Eigen::Matrix2d m;
    m << number(1.0), number(1.0), number(1.0), number(1.0);
    return m;
  }

  PersonalModel::Inputs inputs(double now) {
    PersonalModel::Inputs in;
    if (chance(0.8)) in.odometry = hl_soccer::Odometry{now - std::abs(number(0.02)), {number(0.3), number(0.3), 0.1}};
    for (int n = pick(3); n > 0; --n) {
      hl_soccer::Percepts p;
      p.stamp = now - std::abs(number(0.15));
      if (chance(0.7)) p.ball = hl_soccer::SeenBall{point(), matrix(), std::abs(number(1.0))};
      for (int k = pick(4); k > 0; --k) {
        hl_soccer::SeenObstacle seen;
        seen.kind = static_cast<hl_soccer::ObstacleKind>(pick(6));
        seen.position = point();
        seen.covariance = matrix();
        seen.confidence = std::abs(number(1.0));
        if (chance(0.3)) seen.number = pick(10) - 2;
        p.obstacles.push_back(seen);
      }
      for (int k = pick(6); k > 0; --k) p.view.push_back(point());
      in.percepts.push_back(p);
    }
    in.body = static_cast<hl_soccer::BodyState>(chance(0.9) ? 0 : pick(16));
    return in;
  }

  hl_soccer::TeamMate mate(double now) {
    hl_soccer::TeamMate m;
    m.number = pick(40) - 2;
    m.stamp = now - number(0.5);
    if (chance(0.9)) m.pose = hl_description::Pose2{number(4.0), number(3.0), number(3.0)};
    for (int i = 0; i < 9; ++i) m.pose_covariance(i / 3, i % 3) = number(0.3);
    if (chance(0.7)) m.pose_covariance = Eigen::Vector3d(0.1, 0.1, 0.1).asDiagonal();
    m.pose_confidence = std::abs(number(1.0));
    if (chance(0.8)) m.ball = hl_soccer::BelievedPoint{point(), std::abs(number(1.0))};
    if (chance(0.3)) m.opponents.push_back({point(), number(1.0)});
    return m;
  }

 private:
  std::mt19937_64 random_;
};

template <int N>
bool covariance(const Eigen::Matrix<double, N, N>& p) {
  if (!p.allFinite()) return false;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> eigen(p, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().minCoeff() > -1e-6 * std::max(1.0, eigen.eigenvalues().maxCoeff());
}

void expect_sense(const hl_soccer::Model& model, std::size_t seed) {
  ASSERT_TRUE(model.ball.position.allFinite() && model.ball.velocity.allFinite()) << seed;
  ASSERT_TRUE(covariance<4>(model.ball.covariance)) << seed << "\n" << model.ball.covariance;
  ASSERT_GE(model.ball.confidence, 0.0) << seed;
  ASSERT_LE(model.ball.confidence, 1.0) << seed;
  for (const auto& robot : model.robots) {
    ASSERT_TRUE(robot.position.allFinite() && robot.velocity.allFinite()) << seed;
    ASSERT_TRUE(covariance<2>(robot.covariance)) << seed << "\n" << robot.covariance;
    ASSERT_GE(robot.confidence, 0.0) << seed;
    ASSERT_LE(robot.confidence, 1.0) << seed;
  }
}

TEST(WorldModel, NoInputMakesItTalkNonsense) {
  const std::size_t sequences = hl_testing::count(2'000, 1'000'000);
  for (std::size_t seed = 0; seed < sequences; ++seed) {
    Chaos chaos(seed);
    PersonalModel personal{PersonalModel::Params{}};
    TeamModel team{TeamModel::Params{}};
    double now = 0.0;
    for (int n = 0; n < 12; ++n) {
      now += chaos.chance(0.95) ? 0.04 : chaos.number(10.0);
      const auto out = personal.step(chaos.inputs(now), now);
      ASSERT_NO_FATAL_FAILURE(expect_sense(out.model, seed));
      TeamModel::Inputs inputs;
      inputs.own = out.model;
      inputs.own.pose.pose = {1.0, 1.0, 0.3};
      inputs.own.pose.covariance = Eigen::Vector3d(0.1, 0.1, 0.1).asDiagonal();
      inputs.own.pose.confidence = 0.5;
      for (int k = chaos.pick(4); k > 0; --k) inputs.mates.push_back(chaos.mate(now));
      const auto told = team.step(inputs, now);
      ASSERT_NO_FATAL_FAILURE(expect_sense(told.model, seed));
      if (!std::isfinite(now)) now = 0.0;
    }
  }
}

/// Heap in use, bytes.
std::size_t in_use() {
  return mallinfo2().uordblks;
}

TEST(WorldModel, AnHourOfPlayNeedsNoMoreMemoryThanItsBeginning) {
  const double hour = 60.0 * static_cast<double>(hl_testing::count(8, 60));  // s
  hl_localization::KinematicWorld world({}, {}, 7);
  for (int n = 0; n < 5; ++n) {
    hl_localization::KinematicWorld::OtherRobot other;
    other.position = {world.uniform(-4.0, 4.0), world.uniform(-2.5, 2.5)};
    other.number = n + 1;
    world.others.push_back(other);
  }
  PersonalModel personal{PersonalModel::Params{}};
  TeamModel team{TeamModel::Params{}};
  Chaos chaos(7);
  std::size_t early = 0;
  while (world.time < hour) {
    if (std::fmod(world.time, 10.0) < 0.04) world.ball = Vector2d(world.uniform(-4.0, 4.0), world.uniform(-2.5, 2.5));
    world.advance(0.04);
    PersonalModel::Inputs inputs;
    inputs.odometry = world.odometry();
    inputs.percepts.push_back(world.look());
    inputs.percepts.back().stamp -= 0.06 * static_cast<double>(chaos.pick(3));  // they come late and out of order
    const auto own = personal.step(inputs, world.time);
    TeamModel::Inputs words;
    words.own = own.model;
    for (int k = 0; k < 3; ++k) words.mates.push_back(chaos.mate(world.time));
    team.step(words, world.time);
    if (early == 0 && world.time > 0.25 * hour) early = in_use();
  }
  EXPECT_LT(in_use(), early + 20'000);
}

}  // namespace
