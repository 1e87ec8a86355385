// SPDX-License-Identifier: Apache-2.0
// Whatever comes in, what comes out is a number, a covariance and a confidence.
#include <gtest/gtest.h>
#include <malloc.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <random>

#include "hl_localization/kinematic_world.hpp"
#include "hl_localization/localization.hpp"
#include "hl_testing/isolation.hpp"

namespace {

using namespace hl_localization;
using Eigen::Vector2d;

class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : random_(seed) {}

  Localization::Inputs inputs(double now) {
    Localization::Inputs in;
    if (chance(0.8)) in.odometry = hl_soccer::Odometry{now - number(0.05), {number(2.0), number(2.0), number(3.0)}};
    for (int n = pick(3); n > 0; --n) in.percepts.push_back(percepts(now));
    in.body = static_cast<hl_soccer::BodyState>(chance(0.8) ? 0 : pick(16));
    if (chance(0.3)) {
      hl_soccer::GameState game;
      game.referee_connected = chance(0.9);
      game.phase = static_cast<hl_soccer::GamePhase>(pick(5));
      game.penalized = chance(0.2);
      game.goalkeeper = chance(0.3);
      in.game = game;
    }
    if (chance(0.1)) in.reset = static_cast<Start>(pick(5));
    if (chance(0.1)) {
      PoseEstimate pose;
      pose.pose = {number(5.0), number(5.0), number(5.0)};
      pose.covariance.diagonal() = Eigen::Vector3d(number(1.0), number(1.0), number(1.0));
      in.pose = pose;
    }
    if (chance(0.3)) in.own_ball = point();
    if (chance(0.3)) in.team_balls.push_back(point());
    return in;
  }

  /// Mostly sensible; sometimes huge, tiny, infinite or not a number.
  double number(double size) {
    switch (pick(30)) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return -1e300;
      case 3:
        return 0.0;
      case 4:
        return 1e-300;
      default:
        return std::uniform_real_distribution<double>(-size, size)(random_);
    }
  }
  bool chance(double share) { return std::uniform_real_distribution<double>(0.0, 1.0)(random_) < share; }
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

 private:
  Vector2d point() { return {number(5.0), number(5.0)}; }

  hl_soccer::Percepts percepts(double now) {
    hl_soccer::Percepts p;
    p.stamp = now - std::abs(number(0.2));
    if (chance(0.3)) p.goal = hl_soccer::SeenGoal{point(), point(), number(1.0)};
    for (int n = pick(4); n > 0; --n) p.segments.push_back({point(), point(), number(1.0)});
    for (int n = pick(4); n > 0; --n) {
      p.crossings.push_back(
          {static_cast<hl_description::Field::Crossing>(pick(3)), point(), {point(), point()}, std::abs(number(1.0))});
    }
    if (chance(0.2)) p.circles.push_back({point(), number(1.0)});
    if (chance(0.2)) p.landmarks.push_back({point(), point(), number(1.0)});
    for (int n = pick(6); n > 0; --n) p.line_points.push_back(point());
    for (int n = pick(5); n > 0; --n) p.view.push_back(point());
    if (chance(0.2)) p.heading = hl_soccer::SeenHeading{number(4.0), number(1.0)};
    if (chance(0.2)) p.turn = hl_soccer::SeenTurn{now - number(0.5), number(1.0), number(1.0)};
    return p;
  }

  std::mt19937_64 random_;
};

TEST(Localization, NoInputMakesItTalkNonsense) {
  const std::size_t sequences = hl_testing::count(2'000, 1'000'000);
  for (std::size_t seed = 0; seed < sequences; ++seed) {
    Chaos chaos(seed);
    Localization localization{Localization::Params{}};
    double now = 0.0;
    for (int n = 0; n < 12; ++n) {
      now += chaos.chance(0.95) ? 0.03 : chaos.number(10.0);
      const auto out = localization.step(chaos.inputs(now), now);
      if (!std::isfinite(now)) now = 0.0;
      ASSERT_TRUE(out.belief.pose.finite()) << "sequence " << seed << " step " << n;
      ASSERT_TRUE(out.map_from_odom.finite()) << "sequence " << seed << " step " << n;
      ASSERT_TRUE(out.belief.covariance.allFinite()) << "sequence " << seed << " step " << n;
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(out.belief.covariance, Eigen::EigenvaluesOnly);
      ASSERT_GT(eigen.eigenvalues().minCoeff(), -1e-9 * eigen.eigenvalues().maxCoeff())
          << "sequence " << seed << " step " << n;
      ASSERT_GE(out.belief.confidence, 0.0);
      ASSERT_LE(out.belief.confidence, 1.0);
      ASSERT_GE(out.side, 0.0);
      ASSERT_LE(out.side, 1.0);
    }
  }
}

TEST(Localization, AnHourOfPlayNeedsNoMoreMemoryThanItsBeginning) {
  const double hour = 60.0 * static_cast<double>(hl_testing::count(8, 60));  // s
  KinematicWorld world({}, {}, 7);
  Localization localization{Localization::Params{}};
  const auto in_use = [] { return mallinfo2().uordblks; };
  std::size_t early = 0;
  for (int n = 0; world.time < hour; ++n) {
    world.advance(0.04);
    Localization::Inputs inputs;
    inputs.odometry = world.odometry();
    inputs.percepts.push_back(world.look());
    if (n % 5000 == 0) inputs.reset = Start::Anywhere;  // lost now and then, it searches
    localization.step(inputs, world.time);
    if (early == 0 && world.time > 0.25 * hour) early = in_use();
  }
  EXPECT_LT(in_use(), early + 20'000);
}

}  // namespace
