// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "hl_walking/footstep_planner.hpp"

namespace hl_walking {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Planner : public testing::Test {
 protected:
  Velocity random_velocity() {
    std::uniform_real_distribution<double> unit(-2.0, 2.0);
    return {unit(random_), unit(random_), unit(random_)};
  }

  Params params_;
  FootstepPlanner planner_{params_};
  std::mt19937 random_{11};
};

TEST_F(Planner, AbsurdCommandsAreCut) {
  for (const Velocity& commanded : {Velocity{kNan, 0, 0}, Velocity{0, kInfinity, 0}, Velocity{0, 0, -kInfinity}}) {
    EXPECT_TRUE(planner_.limit(commanded).is_zero());  // what is not a number counts as zero
  }
  const Velocity fast = planner_.limit({1e9, 0.0, 0.0});
  EXPECT_DOUBLE_EQ(fast.x, params_.max_forward);
  EXPECT_DOUBLE_EQ(planner_.limit({-1e9, 0.0, 0.0}).x, -params_.max_backward);
}

TEST_F(Planner, MixedCommandsAskNoMoreThanSingleOnes) {
  for (int i = 0; i < 1000; ++i) {
    const Velocity v = planner_.limit(random_velocity());
    const double parts = std::abs(v.x) / (v.x > 0 ? params_.max_forward : params_.max_backward) +
                         std::abs(v.y) / params_.max_sideways + std::abs(v.yaw) / params_.max_turn;
    EXPECT_LE(parts, 1.0 + 1e-9);
  }
}

TEST_F(Planner, AccelerationIsLimited) {
  const Velocity v = planner_.accelerate({}, {0.3, -0.1, 0.8}, 0.1);
  EXPECT_NEAR(v.x, params_.acceleration * 0.1, 1e-12);
  EXPECT_NEAR(v.y, -params_.acceleration * 0.1, 1e-12);
  EXPECT_NEAR(v.yaw, params_.turn_acceleration * 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(planner_.accelerate(v, v, 0.1).x, v.x);
}

TEST_F(Planner, TwoStepsCoverTheCommandedWay) {
  for (const Velocity& commanded :
       {Velocity{0.2, 0, 0}, Velocity{-0.1, 0, 0}, Velocity{0, 0.1, 0}, Velocity{0, -0.1, 0}}) {
    const Pose2 two = planner_.step(Side::Right, commanded) * planner_.step(Side::Left, commanded);
    EXPECT_NEAR(two.x, 2.0 * params_.step_duration * commanded.x, 1e-9);
    EXPECT_NEAR(two.y, 2.0 * params_.step_duration * commanded.y, 1e-9);
  }
  const Pose2 turn = planner_.step(Side::Right, {0, 0, 0.8}) * planner_.step(Side::Left, {0, 0, 0.8});
  EXPECT_NEAR(turn.yaw, 2.0 * params_.step_duration * 0.8, 1e-9);
}

TEST_F(Planner, LeftAndRightAreMirrorImages) {
  for (int i = 0; i < 1000; ++i) {
    const Velocity v = planner_.limit(random_velocity());
    const Pose2 left = planner_.step(Side::Left, v);
    const Pose2 right = mirrored(planner_.step(Side::Right, {v.x, -v.y, -v.yaw}));
    EXPECT_NEAR(left.x, right.x, 1e-12);
    EXPECT_NEAR(left.y, right.y, 1e-12);
    EXPECT_NEAR(left.yaw, right.yaw, 1e-12);
  }
}

TEST_F(Planner, FeetNeverTouch) {
  // Rectangles of the Minibot's soles, 165 x 80 mm: every corner of the swing foot stays outside the support foot's
  // inner edge.
  constexpr double kHalfLength = 0.0825, kHalfWidth = 0.040;
  for (int i = 0; i < 10'000; ++i) {
    const Velocity v = random_velocity();
    for (const Pose2& landing :
         {planner_.step(Side::Left, planner_.limit(v)), planner_.reachable(Side::Left, {v.x, v.y, v.yaw})}) {
      for (const double x : {-kHalfLength, kHalfLength}) {
        const Eigen::Vector2d corner = landing * Eigen::Vector2d(x, -kHalfWidth);
        const bool beside = std::abs(corner.x()) <= kHalfLength;
        EXPECT_TRUE(!beside || corner.y() > kHalfWidth) << landing.x << " " << landing.y << " " << landing.yaw;
      }
    }
  }
}

TEST_F(Planner, ReachableLandingsAreKept) {
  const Pose2 landing = {0.05, -0.13, -0.1};
  const Pose2 kept = planner_.reachable(Side::Right, landing);
  EXPECT_DOUBLE_EQ(kept.x, landing.x);
  EXPECT_DOUBLE_EQ(kept.y, landing.y);
  EXPECT_DOUBLE_EQ(kept.yaw, landing.yaw);
}

}  // namespace
}  // namespace hl_walking
