// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "hl_walking/ground_load.hpp"
#include "robots.hpp"

namespace hl_walking {
namespace {

constexpr std::array<double, 4> kEven = {10.0, 10.0, 10.0, 10.0};

std::array<Eigen::Vector2d, 4> cells() {
  return {Eigen::Vector2d(0.06, 0.03), Eigen::Vector2d(0.06, -0.03), Eigen::Vector2d(-0.06, 0.03),
          Eigen::Vector2d(-0.06, -0.03)};
}

TEST(FootCells, GiveForceAndCentreOfPressure) {
  const auto even = load_from_cells(cells(), kEven);
  ASSERT_TRUE(even && even->centre_of_pressure);
  EXPECT_DOUBLE_EQ(even->force, 40.0);
  EXPECT_NEAR(even->centre_of_pressure->norm(), 0.0, 1e-12);
  const auto toe = load_from_cells(cells(), {20.0, 0.0, 0.0, 0.0});
  EXPECT_TRUE(toe->centre_of_pressure->isApprox(Eigen::Vector2d(0.06, 0.03)));
  EXPECT_FALSE(load_from_cells(cells(), {0.0, 0.0, 0.0, 0.0})->centre_of_pressure);  // in the air
}

TEST(FootCells, ABrokenCellIsNoFoot) {
  EXPECT_FALSE(load_from_cells(cells(), {-1.0, 10.0, 10.0, 10.0}));
  EXPECT_FALSE(load_from_cells(cells(), {10.0, std::numeric_limits<double>::quiet_NaN(), 10.0, 10.0}));
  EXPECT_FALSE(load_from_cells(cells(), {10.0, std::numeric_limits<double>::infinity(), 10.0, 10.0}));
}

class GroundLoad : public testing::TestWithParam<const char*> {
 protected:
  GroundLoad() : body_(load_body(GetParam())) {}
  WalkingBody body_;
};

TEST_P(GroundLoad, JointTorquesTellTheForceWhereverItActs) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int run = 0; run < 100; ++run) {
    Joints joints = body_.ready();
    for (Eigen::Index i = 0; i < joints.size(); ++i) joints[i] += 0.1 * unit(random);
    Joints torque = Joints::Zero(joints.size());
    std::array<double, 2> force{};
    body_.com(joints);
    for (const Side side : {Side::Left, Side::Right}) {
      const auto s = static_cast<std::size_t>(side);
      force[s] = 25.0 * (1.0 + unit(random));
      const Eigen::Isometry3d sole = body_.sole(side, joints);
      const Eigen::Vector3d point = sole * Eigen::Vector3d(0.05 * unit(random), 0.0, 0.0);
      const Eigen::Vector3d push = sole.linear() * Eigen::Vector3d(5.0 * unit(random), 0.0, force[s]);
      const auto held = body_.leg_torque(side, point, push);
      for (std::size_t k = 0; k < held.size(); ++k) {
        torque[static_cast<Eigen::Index>(body_.leg(side).joints()[k])] = held[k];
      }
    }
    const auto measured = load_from_joints(body_, joints, torque);
    ASSERT_TRUE(measured);
    EXPECT_NEAR((*measured)[0], force[0], 1e-6);
    EXPECT_NEAR((*measured)[1], force[1], 1e-6);
  }
}

TEST_P(GroundLoad, NonsenseAndStretchedLegsSayNothing) {
  const Joints straight = Joints::Zero(body_.ready().size());
  EXPECT_FALSE(load_from_joints(body_, straight, straight));
  Joints torque = straight;
  torque[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(load_from_joints(body_, body_.ready(), torque));
  EXPECT_FALSE(load_from_joints(body_, body_.ready(), Joints::Zero(3)));
}

TEST_P(GroundLoad, ZmpLiesBetweenTheFeetByTheirLoad) {
  const Joints& ready = body_.ready();
  const Eigen::Vector3d right = body_.sole(Side::Left, ready).inverse() * body_.sole(Side::Right, ready).translation();
  FootLoad left_load{30.0, Eigen::Vector2d::Zero()}, right_load{10.0, Eigen::Vector2d::Zero()};
  const auto zmp = measured_zmp(body_, ready, Side::Left, {left_load, right_load});
  ASSERT_TRUE(zmp);
  EXPECT_TRUE(zmp->isApprox(0.25 * right.head<2>(), 1e-9));
  EXPECT_FALSE(measured_zmp(body_, ready, Side::Left, {FootLoad{}, FootLoad{}}));
}

INSTANTIATE_TEST_SUITE_P(Robots, GroundLoad, testing::Values("minibot", "darwin_op"));

}  // namespace
}  // namespace hl_walking
