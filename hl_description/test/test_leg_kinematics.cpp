// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_description/leg_kinematics.hpp"
#include "hl_testing/isolation.hpp"
#include "robots.hpp"

using namespace hl_description;
using Reach = LegKinematics::Reach;

namespace {

constexpr double kDegree = M_PI / 180.0;

double difference(const Eigen::Isometry3d& a, const Eigen::Isometry3d& b) {
  return std::max((a.translation() - b.translation()).norm(), (a.linear() - b.linear()).norm());
}

class Leg : public testing::TestWithParam<std::tuple<const char*, Side>> {
 protected:
  RobotModel model = model_of(std::get<0>(GetParam()));
  LegKinematics leg{model, std::get<1>(GetParam())};
  std::mt19937 random{1};

  LegKinematics::Angles random_angles() {
    LegKinematics::Angles angles;
    for (std::size_t i = 0; i < 6; ++i)
      angles[i] = std::uniform_real_distribution<>(leg.limits(i).lower, leg.limits(i).upper)(random);
    return angles;
  }
  bool within_limits(const LegKinematics::Angles& angles) const {
    for (std::size_t i = 0; i < 6; ++i)
      if (!leg.limits(i).contains(angles[i], 0.0)) return false;
    return true;
  }
};
INSTANTIATE_TEST_SUITE_P(
    , Leg, testing::Combine(testing::Values("minibot", "darwin_op"), testing::Values(Side::Left, Side::Right)),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + (std::get<1>(info.param) == Side::Left ? "_left" : "_right");
    });

}  // namespace

TEST_P(Leg, ForwardAgreesWithTheTree) {
  for (int run = 0; run < 1000; ++run) {
    const auto angles = random_angles();
    Eigen::VectorXd q = Eigen::VectorXd::Zero(20);
    leg.write(angles, q);
    EXPECT_EQ(leg.read(q), angles);
    EXPECT_LT(difference(leg.forward(angles), model.forward(q).links[model.sole(leg.side())]), 1e-12);
  }
}

TEST_P(Leg, InverseUndoesForwardForEveryReachablePose) {
  const std::size_t runs = hl_testing::count(100'000, 1'000'000);
  double worst = 0.0;
  for (std::size_t run = 0; run < runs; ++run) {
    const Eigen::Isometry3d target = leg.forward(random_angles());
    const auto solution = leg.solve(target);
    ASSERT_TRUE(solution.exact()) << "run " << run << ", reach " << static_cast<int>(solution.reach);
    ASSERT_TRUE(within_limits(solution.angles)) << "run " << run;
    worst = std::max(worst, difference(leg.forward(solution.angles), target));
  }
  EXPECT_LT(worst, 1e-6);
}

TEST_P(Leg, TooFarATargetStretchesTheLegTowardsIt) {
  for (int run = 0; run < 1000; ++run) {
    const double stretch = std::uniform_real_distribution<>(1.001, 3.0)(random);
    const double forward = std::uniform_real_distribution<>(-0.4, 0.4)(random),
                 side = std::uniform_real_distribution<>(-0.3, 0.3)(random);
    const Eigen::Vector3d direction = Eigen::Vector3d(forward, side, -1).normalized();
    Eigen::Isometry3d target = Eigen::Isometry3d::Identity();
    const double length = leg.thigh() + leg.shank();
    target.translation() = leg.hip() + stretch * length * direction - Eigen::Vector3d(0, 0, leg.ankle_height());
    const auto solution = leg.solve(target);
    ASSERT_EQ(solution.reach, Reach::TooFar);
    const Eigen::Isometry3d reached = leg.forward(solution.angles);
    EXPECT_LT((reached.linear() - target.linear()).norm(), 1e-9);
    const Eigen::Vector3d ankle = reached * Eigen::Vector3d(0, 0, leg.ankle_height());
    EXPECT_LT((ankle - (leg.hip() + length * direction)).norm(), 1e-6);  // the nearest point of the sphere it can reach
  }
}

TEST_P(Leg, TooNearATargetBendsTheKneeToItsLimit) {
  Eigen::Isometry3d target = Eigen::Isometry3d::Identity();
  target.translation() = leg.hip() - Eigen::Vector3d(0, 0, 0.05 + leg.ankle_height());
  const auto solution = leg.solve(target);
  EXPECT_EQ(solution.reach, Reach::TooNear);
  EXPECT_TRUE(within_limits(solution.angles));
  EXPECT_NEAR(std::abs(solution.angles[3]), 130 * kDegree, 1e-9);
  target.translation() = leg.hip() - Eigen::Vector3d(0, 0, leg.ankle_height());  // the ankle in the hip
  EXPECT_EQ(leg.solve(target).reach, Reach::TooNear);
}

TEST_P(Leg, BeyondAJointLimitItSaysSoAndStaysWithinLimits) {
  Eigen::Isometry3d target = leg.forward({});
  target.linear() = Eigen::AngleAxisd(100 * kDegree, Eigen::Vector3d::UnitX()).toRotationMatrix();
  for (int run = 0; run < 10'000; ++run) {
    const auto solution = leg.solve(target);
    EXPECT_FALSE(solution.exact());
    EXPECT_TRUE(within_limits(solution.angles));
    target.linear() =
        Eigen::AngleAxisd(std::uniform_real_distribution<>(100 * kDegree, M_PI)(random), Eigen::Vector3d::UnitX())
            .toRotationMatrix();
  }
}

TEST_P(Leg, AnyPoseWhatsoeverGivesAnglesWithinLimits) {
  std::uniform_real_distribution<> position(-0.5, 0.5);
  std::normal_distribution<> gauss;
  for (std::size_t run = 0; run < hl_testing::count(50'000, 1'000'000); ++run) {
    Eigen::Isometry3d target = Eigen::Isometry3d::Identity();
    target.linear() =
        Eigen::Quaterniond(gauss(random), gauss(random), gauss(random), gauss(random)).normalized().toRotationMatrix();
    target.translation() << position(random), position(random), position(random);
    const auto solution = leg.solve(target);
    ASSERT_TRUE(within_limits(solution.angles));
    if (solution.exact()) {
      ASSERT_LT(difference(leg.forward(solution.angles), target), 1e-6);
    }
  }
  Eigen::Isometry3d nan = Eigen::Isometry3d::Identity();
  nan.translation().x() = std::nan("");
  EXPECT_EQ(leg.solve(nan).reach, Reach::Invalid);
  EXPECT_TRUE(within_limits(leg.solve(nan).angles));
}

TEST(DarwinOpLeg, MatchesTheWorkedExample) {
  // Ankle 10 mm behind, 2.5 mm outside and 166 mm below the hip.
  const RobotModel model = model_of("darwin_op");
  const LegKinematics leg(model, Side::Right);
  Eigen::Isometry3d target = Eigen::Isometry3d::Identity();
  target.translation() = leg.hip() + Eigen::Vector3d(-0.010, -0.0025, -0.166 - leg.ankle_height());
  const auto solution = leg.solve(target);
  ASSERT_TRUE(solution.exact());
  EXPECT_NEAR(solution.angles[1] / kDegree, 0.86, 0.01);
  EXPECT_NEAR(solution.angles[2] / kDegree, -23.15, 0.01);
  EXPECT_NEAR(solution.angles[3] / kDegree, 53.19, 0.01);
  EXPECT_NEAR(solution.angles[4] / kDegree, 30.04, 0.01);
  EXPECT_NEAR(solution.angles[5] / kDegree, 0.86, 0.01);
}
