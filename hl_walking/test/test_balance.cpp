// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "hl_walking/balance.hpp"

namespace hl_walking {
namespace {

class BalanceTest : public testing::Test {
 protected:
  BalanceTest() {
    params_.ankle_pitch_p = params_.ankle_roll_p = params_.hip_pitch_p = params_.hip_roll_p = 0.5;
    params_.gyro_filter = params_.attitude_filter = 0.0;
  }
  Params params_;
  Balance balance_{params_};
};

TEST_F(BalanceTest, ForwardTiltPressesTheToesAndStraightensTheTrunk) {
  balance_.update({0.0, 0.2, 0.0, 0.0}, 0.1, 0.01);
  EXPECT_NEAR(balance_.ankle().y(), 0.05, 1e-12);
  EXPECT_NEAR(balance_.hip().y(), -0.05, 1e-12);
  EXPECT_GT(balance_.dcm_error(0.3, 5.0).x(), 0.0);  // it falls ahead
}

TEST_F(BalanceTest, TiltToTheRightFallsToTheRight) {
  balance_.update({0.2, 0.1, 0.0, 0.0}, 0.1, 0.01);
  EXPECT_NEAR(balance_.ankle().x(), 0.1, 1e-12);
  EXPECT_LT(balance_.dcm_error(0.3, 5.0).y(), 0.0);
}

TEST_F(BalanceTest, CorrectionsAreBounded) {
  balance_.update({3.0, -3.0, 100.0, -100.0}, 0.0, 0.01);
  EXPECT_LE(balance_.ankle().cwiseAbs().maxCoeff(), 0.35);
  EXPECT_LE(balance_.hip().cwiseAbs().maxCoeff(), 0.35);
}

TEST_F(BalanceTest, FadesWithoutImuAndOnNonsense) {
  balance_.update({0.2, 0.2, 0.0, 0.0}, 0.0, 0.01);
  const double before = balance_.ankle().norm();
  balance_.update({std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, 0.0}, 0.0, 0.01);
  EXPECT_LT(balance_.ankle().norm(), before);
  for (int i = 0; i < 200; ++i) balance_.fade(0.01);
  EXPECT_NEAR(balance_.ankle().norm(), 0.0, 1e-6);
}

}  // namespace
}  // namespace hl_walking
