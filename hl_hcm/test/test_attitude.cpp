// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <hl_description/geometry.hpp>

#include "hl_hcm/attitude.hpp"

using namespace hl_hcm;
using hl_description::tilt_of_up;

namespace {

Vector3 up_at(double roll, double pitch) {
  return {-std::sin(pitch), std::cos(pitch) * std::sin(roll), std::cos(pitch) * std::cos(roll)};
}

/// Feeds a constant tilt and rate for `seconds`; the direction at the end.
Direction feed(FallDetector& detector, double roll, double pitch, double roll_rate, double pitch_rate,
               double seconds = 0.2) {
  Direction result = Direction::None;
  for (int i = 0; i * 0.01 < seconds; ++i)
    result = detector.update(up_at(roll, pitch), {roll_rate, pitch_rate, 0}, 10 + i * 0.01);
  return result;
}

}  // namespace

TEST(Attitude, LyingSideIsTheOneBelow) {
  EXPECT_EQ(lying(up_at(0, 0)), Direction::None);
  EXPECT_EQ(lying(up_at(0, 0.9)), Direction::None);
  EXPECT_EQ(lying(up_at(0, 1.5)), Direction::Front);
  EXPECT_EQ(lying(up_at(0, -1.5)), Direction::Back);
  EXPECT_EQ(lying(up_at(1.5, 0)), Direction::Right);
  EXPECT_EQ(lying(up_at(-1.5, 0)), Direction::Left);
  EXPECT_EQ(lying({0.1, 0, -0.99}), Direction::Back);
}

TEST(FallDetector, NamesTheDirectionOfTheFall) {
  for (const auto& [roll, pitch, direction] : {std::tuple{0.0, 1.0, Direction::Front},
                                               {0.0, -1.0, Direction::Back},
                                               {1.0, 0.0, Direction::Right},
                                               {-1.0, 0.0, Direction::Left}}) {
    FallDetector detector;
    EXPECT_EQ(feed(detector, roll, pitch, 0, 0), direction);
    EXPECT_LT(detector.margin(), 0.0);
  }
}

TEST(FallDetector, TheFasterTheTurnTheSmallerTheTilt) {
  FallDetector standing, slow, fast;
  EXPECT_EQ(feed(standing, 0, 0.3, 0, 0), Direction::None);
  EXPECT_EQ(feed(slow, 0, 0.3, 0, 1.0), Direction::None);
  EXPECT_EQ(feed(fast, 0, 0.3, 0, 3.0), Direction::Front);
  FallDetector back_again;
  EXPECT_EQ(feed(back_again, 0, 0.6, 0, -3.0), Direction::None);
}

TEST(FallDetector, OneNoisySampleIsNotAFall) {
  FallDetector detector;
  for (int i = 0; i < 200; ++i) {
    const bool spike = i % 20 == 0;
    EXPECT_EQ(detector.update(up_at(0, 0.05), {0, spike ? 8.0 : 0.0, 0}, 10 + 0.01 * i), Direction::None) << i;
  }
}

TEST(FallDetector, GivesLeadTimeBeforeTheGround) {
  // An inverted pendulum of 0.3 m pushed over: from the alarm to 80 degrees there must be time for the arms.
  FallDetector detector;
  double pitch = 0.05, rate = 0.3, alarm = -1.0, ground = -1.0;
  for (double t = 0.0; ground < 0.0; t += 0.005) {
    rate += 0.005 * 9.81 / 0.3 * std::sin(pitch);
    pitch += 0.005 * rate;
    if (detector.update(up_at(0, pitch), {0, rate, 0}, t) != Direction::None && alarm < 0.0) alarm = t;
    if (pitch > 1.4) ground = t;
  }
  ASSERT_GT(alarm, 0.0);
  EXPECT_GT(ground - alarm, 0.15);
}

TEST(FallDetector, TurnRatesAreSmoothed) {
  const FallDetector::Params params;
  FallDetector detector;
  detector.update({0, 0, 1}, {0, 0, 0}, 1.0);
  detector.update({0, 0, 1}, {0, 0.5, 0}, 1.0 + params.rate_filter);
  const double smoothed = 0.5 * (1.0 - std::exp(-1.0));
  EXPECT_NEAR(detector.margin(), 1.0 - smoothed / std::sqrt(9.81 / params.height) / params.front_limit, 1e-3);
}

TEST(StillnessTimer, CountsTheTimeWithoutNotableMotion) {
  StillnessTimer timer;
  for (int tick = 0; tick <= 100; ++tick) timer.update({0.1, 0, 0}, 5.0 + 0.01 * tick);
  EXPECT_NEAR(timer.still(), 1.0, 1e-9);
  EXPECT_EQ(timer.update({0, 2.0, 0}, 6.01), 0.0);
  EXPECT_NEAR(timer.update({0, 0, 0}, 6.02), 0.01, 1e-9);
  EXPECT_EQ(timer.update({0, 0, 0}, 7.0), 0.0) << "nobody knows what was in a gap";
}

TEST(FallDetector, SurvivesNonsense) {
  FallDetector detector;
  const double nan = std::nan("");
  EXPECT_EQ(detector.update({nan, 0, 1}, {0, 0, 0}, 1), Direction::None);
  EXPECT_EQ(detector.update({0, 0, 1}, {0, nan, 0}, 2), Direction::None);
  EXPECT_EQ(detector.update({0, 0, 0}, {0, 0, 0}, 3), Direction::None);
  EXPECT_EQ(detector.update({0, 0, 1}, {0, 0, 0}, 1), Direction::None);  // time runs backwards
  EXPECT_TRUE(std::isfinite(detector.margin()));
}

TEST(FallDetector, BadParametersAreNamed) {
  FallDetector::Params params;
  EXPECT_FALSE(params.validate());
  params.height = 0.0;
  EXPECT_NE(params.validate()->find("height = 0 must lie in"), std::string::npos);
  params = {};
  params.front_limit = std::nan("");
  EXPECT_NE(params.validate()->find("front_limit = nan"), std::string::npos);
}

TEST(TiltEstimator, FollowsATurnAndForgetsGyroDrift) {
  TiltEstimator estimator;
  double t = 0.0;
  for (; t < 1.0; t += 0.01) estimator.update({0, 0, 0}, {0, 0, 9.81}, t);
  double pitch = 0.0;
  for (; t < 2.0; t += 0.01) {  // nose down with 1 rad/s; the accelerometer sees gravity only
    pitch += 0.01;
    const Vector3 up = up_at(0, pitch);
    estimator.update({0, 1.0, 0}, {9.81 * up[0], 9.81 * up[1], 9.81 * up[2]}, t);
  }
  EXPECT_NEAR(tilt_of_up(estimator.up()).pitch, pitch, 0.02);
  for (; t < 8.0; t += 0.01) estimator.update({0.05, 0.05, 0}, {0, 0, 9.81}, t);  // gyro offset
  EXPECT_LT(std::abs(tilt_of_up(estimator.up()).pitch), 0.08);
  EXPECT_LT(std::abs(tilt_of_up(estimator.up()).roll), 0.08);
}

TEST(TiltEstimator, BelievesTheAccelerometerSlowlyAndLessWhenItIsShaken) {
  const auto tilt_after = [](double force) {  // m/s^2, from 0.3 rad beside the estimate, for 0.07 s
    TiltEstimator estimator;
    double t = 1.0;
    estimator.update({0, 0, 0}, {0, 0, 9.81}, t);
    const Vector3 up = up_at(0, 0.3);
    for (int tick = 0; tick < 7; ++tick)
      estimator.update({0, 0, 0}, {force * up[0], force * up[1], force * up[2]}, t += 0.01);
    return tilt_of_up(estimator.up()).pitch;
  };
  EXPECT_NEAR(tilt_after(9.81), 0.3 * 0.096, 0.003) << "a tenth of the time constant";
  EXPECT_NEAR(tilt_after(9.81 + 1.5), 0.5 * tilt_after(9.81), 0.002);
  EXPECT_EQ(tilt_after(9.81 + 4.0), 0.0) << "a blow";
}

TEST(PickUp, UnloadedFeetOfAnUprightRobot) {
  PickUpDetector detector;
  EXPECT_FALSE(detector.update(49.0, true, 0.0));
  EXPECT_FALSE(detector.update(1.0, true, 0.1));
  EXPECT_FALSE(detector.update(1.0, true, 0.4));
  EXPECT_TRUE(detector.update(1.0, true, 0.6));
  EXPECT_TRUE(detector.update(5.0, true, 0.7));  // between the thresholds nothing changes
  EXPECT_FALSE(detector.update(20.0, true, 0.8));
  EXPECT_FALSE(detector.update(0.0, false, 1.0));  // lying
  EXPECT_FALSE(detector.update(0.0, false, 9.0));
  EXPECT_FALSE(detector.update(std::nullopt, true, 10.0));  // no sensors
}
