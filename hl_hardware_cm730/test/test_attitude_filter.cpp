// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "hl_hardware_cm730/attitude_filter.hpp"
#include "hl_hardware_cm730/control_table.hpp"

namespace hl_hardware_cm730 {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

double tilt_error(const AttitudeFilter& filter, const Eigen::Quaterniond& truth) {
  const Vector3d up = filter.orientation().conjugate() * Vector3d::UnitZ();
  return std::acos(std::clamp(up.dot(truth.conjugate() * Vector3d::UnitZ()), -1.0, 1.0));
}

/// A body that turns, seen by sensors of 10 bit with a bias.
struct Imu {
  Eigen::Quaterniond truth = Eigen::Quaterniond::Identity();
  Vector3d bias = Vector3d::Zero();
  double time = 0.0;
  std::mt19937 random{1};

  void run(AttitudeFilter& filter, double duration, const std::function<Vector3d(double)>& rate) {
    constexpr double dt = 0.005;
    constexpr double gyro_lsb = 1600.0 / 512.0 * kPi / 180.0;
    constexpr double accel_lsb = 4.0 * kGravity / 512.0;
    std::normal_distribution<double> noise(0.0, 0.7);
    const auto quantise = [&](const Vector3d& v, double lsb) {
      Vector3d out;
      for (int i = 0; i < 3; ++i) out[i] = std::round(v[i] / lsb + noise(random)) * lsb;
      return out;
    };
    for (double end = time + duration; time < end; time += dt) {
      const Vector3d w = rate(time);
      if (w.norm() > 1e-9) truth = truth * Eigen::AngleAxisd(w.norm() * dt, w.normalized());
      filter.update(quantise(w + bias, gyro_lsb), quantise(truth.conjugate() * Vector3d(0, 0, kGravity), accel_lsb),
                    time);
    }
  }
};

AttitudeFilter::Params coarse_gyro() {
  AttitudeFilter::Params params;
  params.rest_rate = 0.4;  // noise of a few LSB of 0.055 rad/s
  return params;
}

TEST(Attitude, FindsTheTiltAtOnceAndTheBiasAtRest) {
  AttitudeFilter filter(coarse_gyro());
  Imu imu;
  imu.truth = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 0).normalized());
  imu.bias = Vector3d(0.1, -0.08, 0.12);
  imu.run(filter, 0.05, [](double) { return Vector3d::Zero(); });
  EXPECT_LT(tilt_error(filter, imu.truth), 0.05);
  imu.run(filter, 5.0, [](double) { return Vector3d::Zero(); });
  EXPECT_TRUE(filter.calibrated());
  EXPECT_LT((filter.bias() - imu.bias).norm(), 0.02);
  EXPECT_LT(tilt_error(filter, imu.truth), 0.02);
}

TEST(Attitude, YawDriftsLittleOnceTheBiasIsKnown) {
  AttitudeFilter filter(coarse_gyro());
  Imu imu;
  imu.bias = Vector3d(0.05, 0.1, -0.15);
  imu.run(filter, 5.0, [](double) { return Vector3d::Zero(); });
  const double start = 2.0 * std::atan2(filter.orientation().z(), filter.orientation().w());
  imu.run(filter, 60.0, [](double) { return Vector3d::Zero(); });
  const double drift = 2.0 * std::atan2(filter.orientation().z(), filter.orientation().w()) - start;
  EXPECT_LT(std::abs(drift), 0.3) << "9 rad without compensation";
}

TEST(Attitude, FollowsMotion) {
  AttitudeFilter filter(coarse_gyro());
  Imu imu;
  imu.bias = Vector3d(0.05, -0.05, 0.1);
  imu.run(filter, 3.0, [](double) { return Vector3d::Zero(); });
  imu.run(filter, 30.0,
          [](double t) { return Vector3d(1.5 * std::sin(5 * t), 1.0 * std::cos(3 * t), 0.4 * std::sin(t)); });
  EXPECT_LT(tilt_error(filter, imu.truth), 0.08);
}

TEST(Attitude, SmoothTurningIsNotRest) {
  AttitudeFilter filter(coarse_gyro());
  Imu imu;
  imu.run(filter, 5.0, [](double) { return Vector3d(0, 0, 0.8); });
  EXPECT_FALSE(filter.calibrated());
}

TEST(Attitude, IgnoresNonsense) {
  AttitudeFilter filter;
  filter.update(Vector3d(NAN, 0, 0), Vector3d(0, 0, kGravity), 0.0);
  filter.update(Vector3d::Zero(), Vector3d(0, 0, INFINITY), 0.1);
  filter.update(Vector3d::Zero(), Vector3d::Zero(), 0.2);
  filter.update(Vector3d::Zero(), Vector3d(0, 0, kGravity), 0.3);
  filter.update(Vector3d::Zero(), Vector3d(0, 0, kGravity), 0.2);  // back in time
  EXPECT_TRUE(filter.orientation().coeffs().allFinite());
  AttitudeFilter::Params bad;
  bad.time_constant = 0.0;
  EXPECT_THAT(bad.validate().value_or(""), HasSubstr("time_constant"));
}

}  // namespace
}  // namespace hl_hardware_cm730
