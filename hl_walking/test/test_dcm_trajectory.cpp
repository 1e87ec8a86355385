// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "hl_walking/dcm_trajectory.hpp"

namespace hl_walking {
namespace {

using Eigen::Vector2d;

class Dcm : public testing::Test {
 protected:
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vector2d point() { return {in(-0.1, 0.1), in(-0.1, 0.1)}; }

  ZmpStep random_step() {
    ZmpStep step;
    step.from = point();
    step.to = point();
    step.duration = in(0.15, 0.6);
    step.double_support = in(0.0, 0.5) * step.duration;
    return step;
  }

  std::mt19937 random_{7};
};

TEST_F(Dcm, PendulumFollowsTheEquationOfMotion) {
  for (int run = 0; run < 100; ++run) {
    Pendulum exact;
    exact.omega = in(3.0, 7.0);
    exact.com = point();
    exact.dcm = point();
    Vector2d com = exact.com, velocity = exact.omega * (exact.dcm - exact.com);
    const Vector2d zmp = point();
    constexpr int kSteps = 20'000;
    constexpr double kTime = 0.2;
    for (int i = 0; i < kSteps; ++i) {  // com'' = omega^2 (com - zmp), by small steps
      velocity += exact.omega * exact.omega * (com - zmp) * kTime / kSteps;
      com += velocity * kTime / kSteps;
    }
    exact.advance(zmp, kTime);
    EXPECT_NEAR((exact.com - com).norm(), 0.0, 1e-4);
    EXPECT_NEAR((exact.omega * (exact.dcm - exact.com) - velocity).norm(), 0.0, 1e-3);
  }
}

TEST_F(Dcm, EndOfStepAgreesWithTheSimulatedPendulum) {
  for (int run = 0; run < 100; ++run) {
    const ZmpStep step = random_step();
    const double start = in(0.0, step.duration);
    Pendulum pendulum;
    pendulum.dcm = point();
    const Vector2d predicted = step.dcm_at_end(pendulum.dcm, start, pendulum.omega);
    constexpr int kSteps = 4000;
    const double dt = (step.duration - start) / kSteps;
    for (int i = 0; i < kSteps; ++i) pendulum.advance(step.zmp(start + (i + 0.5) * dt), dt);
    EXPECT_NEAR((pendulum.dcm - predicted).norm(), 0.0, 1e-5);
  }
}

TEST_F(Dcm, StartOfStepIsTheInverseOfItsEnd) {
  for (int run = 0; run < 1000; ++run) {
    const ZmpStep step = random_step();
    const Vector2d dcm = point();
    const double omega = in(3.0, 7.0);
    EXPECT_NEAR((step.dcm_at_start(step.dcm_at_end(dcm, 0.0, omega), omega) - dcm).norm(), 0.0, 1e-9);
  }
}

TEST_F(Dcm, ShiftedZmpReachesTheWantedEnd) {
  for (int run = 0; run < 1000; ++run) {
    ZmpStep step = random_step();
    const Vector2d dcm = point(), goal = point();
    const double time = in(0.0, 0.8) * step.duration, omega = in(3.0, 7.0);
    const Vector2d shift = zmp_shift(step, dcm, time, goal, omega);
    step.from += shift;
    step.to += shift;
    EXPECT_NEAR((step.dcm_at_end(dcm, time, omega) - goal).norm(), 0.0, 1e-9);
  }
}

TEST_F(Dcm, ZmpStaysOnTheLineBetweenTheFeet) {
  const ZmpStep step = random_step();
  EXPECT_TRUE(step.zmp(-1.0).isApprox(step.from));
  EXPECT_TRUE(step.zmp(step.double_support / 2.0).isApprox((step.from + step.to) / 2.0));
  EXPECT_TRUE(step.zmp(step.duration + 1.0).isApprox(step.to));
}

}  // namespace
}  // namespace hl_walking
