// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "hl_walking/swing_trajectory.hpp"

namespace hl_walking {
namespace {

TEST(MovingSpline, ArrivesAtRest) {
  MovingSpline spline;
  spline.start(0.02);
  for (int i = 0; i < 30; ++i) spline.advance(0.1, 0.3 - i * 0.01, 0.01);
  EXPECT_NEAR(spline.position(), 0.1, 1e-9);
  EXPECT_NEAR(spline.velocity(), 0.0, 1e-9);
}

TEST(MovingSpline, AgreesWithTheLeastJerkPolynomial) {
  MovingSpline spline;
  spline.start(0.0);
  for (int i = 0; i < 20; ++i) spline.advance(1.0, 1.0 - i * 0.025, 0.025);
  EXPECT_NEAR(spline.position(), 0.5, 1e-9);  // half-way after half the time
  EXPECT_NEAR(spline.velocity(), 1.875, 1e-9);
}

TEST(MovingSpline, AMovedTargetDoesNotMakeItJump) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> target(-0.05, 0.05);
  MovingSpline spline;
  spline.start(0.0);
  double last = 0.0, last_velocity = 0.0;
  for (int i = 0; i < 25; ++i) {
    spline.advance(target(random), 0.3 - i * 0.01, 0.01);
    EXPECT_LT(std::abs(spline.position() - last), 0.02);
    EXPECT_LT(std::abs(spline.velocity() - last_velocity), 1.5);
    last = spline.position();
    last_velocity = spline.velocity();
  }
}

TEST(SwingHeight, RisesOnceAndLandsAtRest) {
  constexpr double kLift = 0.04, kApex = 0.4, kDepth = 0.003;
  EXPECT_DOUBLE_EQ(swing_height(0.0, kLift, kApex, kDepth), 0.0);
  EXPECT_DOUBLE_EQ(swing_height(kApex, kLift, kApex, kDepth), kLift);
  EXPECT_NEAR(swing_height(1.0, kLift, kApex, kDepth), -kDepth, 1e-12);
  EXPECT_NEAR(swing_height(5.0, kLift, kApex, kDepth), -kDepth, 1e-12);
  for (double p = 0.0; p < 0.99; p += 0.01) {
    const double rise = swing_height(p + 0.01, kLift, kApex, kDepth) - swing_height(p, kLift, kApex, kDepth);
    EXPECT_TRUE(p + 0.01 <= kApex + 1e-9 ? rise >= 0.0 : p < kApex || rise <= 0.0) << p;
  }
  const double speed_at_landing = (swing_height(1.0, kLift, kApex, kDepth) - swing_height(0.999, kLift, kApex, kDepth));
  EXPECT_NEAR(speed_at_landing, 0.0, 1e-6);
}

}  // namespace
}  // namespace hl_walking
