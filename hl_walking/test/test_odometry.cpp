// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "hl_walking/engine.hpp"
#include "hl_walking/odometry.hpp"
#include "robots.hpp"

namespace hl_walking {
namespace {

constexpr double kPeriod = 0.01;  // s

Params plain() {
  Params params;
  params.trunk_height = 0.34;
  return params;  // without servo lead: the goals are the angles
}

class OdometryTest : public testing::Test {
 protected:
  OdometryTest() : body_(load_body("minibot")), engine_(body_, plain()), odometry_(body_, scale_) {}

  /// Walks with servos that do exactly what they are told, and feet that do not slip; `yaw` of the trunk is known.
  void walk(const Velocity& velocity, double seconds, bool imu) {
    engine_.set_velocity(velocity);
    for (double t = 0.0; t < seconds; t += kPeriod) {
      const Output& out = engine_.update(kPeriod, {});
      OdometryInput input;
      input.joints = &out.joints;
      input.support = out.support;
      input.dt = kPeriod;
      const Side support = out.support;
      if (out.steps != steps_) {  // the landed foot is the new anchor
        steps_ = out.steps;
        foot_ = foot_ * landed_;
      } else if (support != support_) {
        foot_ = foot_ * landed_;
      }
      support_ = support;
      landed_ = out.swing_foot;
      truth_ = foot_ * on_ground(body_.sole(support, out.joints).inverse());
      if (imu) input.attitude = Eigen::Vector3d(0.0, engine_.params().trunk_pitch, truth_.yaw);
      odometry_.update(input);
    }
  }

  WalkingBody body_;
  Odometry::Params scale_;
  Engine engine_;
  Odometry odometry_;
  int steps_ = 0;
  Side support_ = Side::Left;
  Pose2 foot_ = {0.0, 0.06, 0.0}, landed_ = {0.0, -0.12, 0.0};
  Pose2 truth_;
};

TEST_F(OdometryTest, StandsStill) {
  walk({}, 2.0, true);
  EXPECT_NEAR(odometry_.footprint().position().norm(), 0.0, 1e-6);
  EXPECT_NEAR(odometry_.velocity().x, 0.0, 1e-6);
}

TEST_F(OdometryTest, CountsTheStepsTaken) {
  for (const bool imu : {true, false}) {
    odometry_.reset();
    engine_.reset();
    walk({0.2, 0.0, 0.0}, 10.0, imu);
    EXPECT_NEAR(odometry_.footprint().x, 0.2 * 9.5, 0.12) << imu;
    EXPECT_NEAR(odometry_.footprint().y, 0.0, 0.05) << imu;
    EXPECT_NEAR(odometry_.velocity().x, 0.2, 0.05) << imu;
  }
}

TEST_F(OdometryTest, CountsTurnsWithoutAnImu) {
  walk({0.0, 0.0, 0.3}, 8.0, false);
  EXPECT_NEAR(odometry_.footprint().yaw, 0.3 * 7.6, 0.2);
}

TEST_F(OdometryTest, CalibrationScalesTheWay) {
  scale_.scale_forward = 1.1;
  walk({0.2, 0.0, 0.0}, 10.0, true);
  EXPECT_NEAR(odometry_.footprint().x, 1.1 * 0.2 * 9.5, 0.14);
}

TEST_F(OdometryTest, BadInputIsLeftOut) {
  walk({0.1, 0.0, 0.0}, 2.0, true);
  const Pose2 before = odometry_.footprint();
  OdometryInput input;
  input.dt = kPeriod;
  odometry_.update(input);  // no joints at all
  Joints broken = body_.ready();
  broken[3] = std::numeric_limits<double>::quiet_NaN();
  input.joints = &broken;
  odometry_.update(input);
  Joints jump = engine_.output().joints;
  for (const std::size_t joint : body_.leg(Side::Left).joints()) jump[static_cast<Eigen::Index>(joint)] += 1.0;
  input.joints = &jump;
  odometry_.update(input);
  input.joints = &engine_.output().joints;
  odometry_.update(input);
  EXPECT_NEAR((odometry_.footprint().position() - before.position()).norm(), 0.0, 0.05);
}

TEST_F(OdometryTest, BaseStandsAboveTheFootprint) {
  walk({}, 0.1, true);
  EXPECT_NEAR(odometry_.base().translation().z(), 0.34, 0.002);
}

TEST(OdometryParams, AbsurdScalesAreNamed) {
  Odometry::Params params;
  EXPECT_FALSE(params.validate());
  params.scale_sideways = 7.0;
  EXPECT_NE(params.validate()->find("scale_sideways"), std::string::npos);
}

}  // namespace
}  // namespace hl_walking
