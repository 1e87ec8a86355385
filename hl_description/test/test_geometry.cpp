// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "hl_description/geometry.hpp"

using namespace hl_description;

namespace {

Eigen::Quaterniond turned(double yaw, double pitch, double roll) {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return AngleAxisd(yaw, Vector3d::UnitZ()) * AngleAxisd(pitch, Vector3d::UnitY()) *
         AngleAxisd(roll, Vector3d::UnitX());
}

}  // namespace

TEST(Geometry, TiltAndYawAreThoseTheBodyWasTurnedBy) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-M_PI, M_PI), steep(-1.5, 1.5);
  for (int i = 0; i < 1000; ++i) {
    const double yaw = any(random), pitch = steep(random), roll = any(random);
    const auto q = turned(yaw, pitch, roll);
    EXPECT_NEAR(tilt_of(q).pitch, pitch, 1e-9);
    EXPECT_NEAR(wrap_angle(tilt_of(q).roll - roll), 0.0, 1e-9);
    EXPECT_NEAR(wrap_angle(yaw_of(q) - yaw), 0.0, 1e-9);
    EXPECT_TRUE(up_of(q).isApprox(q.conjugate() * Eigen::Vector3d::UnitZ(), 1e-12));
    EXPECT_NEAR(tilt_of(Eigen::Quaterniond(3.0 * q.coeffs())).pitch, pitch, 1e-9) << "it need not be normalised";
  }
}

TEST(Geometry, NotANumberGivesNotANumber) {
  const Eigen::Quaterniond q(NAN, 0.0, 0.0, 0.0);
  EXPECT_TRUE(std::isnan(tilt_of(q).roll));
  EXPECT_TRUE(std::isnan(tilt_of(q).pitch));
  EXPECT_TRUE(std::isnan(yaw_of(q)));
}

TEST(Geometry, PosesOnTheGroundFollowEachOther) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  for (int i = 0; i < 1000; ++i) {
    const Pose2 a{any(random), any(random), any(random)}, b{any(random), any(random), any(random)};
    const Eigen::Vector2d point(any(random), any(random));
    EXPECT_TRUE(((a * b) * point).isApprox(a * (b * point), 1e-9));
    EXPECT_TRUE((a.inverse() * (a * point)).isApprox(point, 1e-9));
    const Pose2 seen = on_ground(above(a, 0.3));
    EXPECT_NEAR(seen.x, a.x, 1e-12);
    EXPECT_NEAR(seen.y, a.y, 1e-12);
    EXPECT_NEAR(wrap_angle(seen.yaw - a.yaw), 0.0, 1e-12);
  }
}
