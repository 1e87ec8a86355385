// SPDX-License-Identifier: Apache-2.0
// Legs that are built otherwise than ours: inclined or offset hips, feet aside, axes that nearly meet.
#include <gtest/gtest.h>

#include <random>

#include "hl_testing/isolation.hpp"
#include "odd_legs.hpp"

using namespace hl_description;

namespace {

class AnyLeg : public testing::TestWithParam<Hip> {};

INSTANTIATE_TEST_SUITE_P(, AnyLeg, testing::ValuesIn(odd_legs()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace

TEST_P(AnyLeg, IsSolvedForReachablePoses) {
  const RobotModel model = robot_with(GetParam());
  std::mt19937 random(1);
  std::uniform_real_distribution<> angle(-1.2, 1.2);
  for (const Side side : {Side::Left, Side::Right}) {
    const LegKinematics leg(model, side);
    const int runs = static_cast<int>(hl_testing::count(3'000, 100'000));
    int solved = 0;
    for (int run = 0; run < runs; ++run) {
      LegKinematics::Angles angles;
      for (double& a : angles) a = angle(random);
      const Eigen::Isometry3d target = leg.forward(angles);
      Eigen::VectorXd q = Eigen::VectorXd::Zero(12);
      leg.write(angles, q);
      ASSERT_LT((model.forward(q).links[model.sole(side)].matrix() - target.matrix()).norm(), 1e-9);
      const auto solution = leg.solve(target);
      for (std::size_t i = 0; i < 6; ++i) ASSERT_TRUE(leg.limits(i).contains(solution.angles[i], 0.0));
      if (!solution.exact()) continue;
      ++solved;
      ASSERT_LT((leg.forward(solution.angles).matrix() - target.matrix()).norm(), 1e-6) << "run " << run;
    }
    EXPECT_GE(solved, 0.99 * runs);
  }
}

TEST_P(AnyLeg, FollowsASmoothMotionWithoutJumps) {
  const LegKinematics leg(robot_with(GetParam()), Side::Left);
  const Eigen::Isometry3d bent = leg.forward({0, 0, -0.4, -0.8, -0.4, 0});
  LegKinematics::Angles last = leg.solve(bent).angles;
  for (int i = 1; i <= 2000; ++i) {
    const double t = i * 0.005;
    Eigen::Isometry3d target = bent;
    target.translation() += Eigen::Vector3d(0.03 * std::sin(t), 0.02 * std::sin(1.3 * t), 0.01 * std::sin(1.7 * t));
    target.rotate(Eigen::AngleAxisd(0.2 * std::sin(0.7 * t), Eigen::Vector3d::UnitZ()));
    const auto solution = leg.solve(target);
    ASSERT_TRUE(solution.exact()) << "at " << t;
    for (std::size_t j = 0; j < 6; ++j) ASSERT_LT(std::abs(solution.angles[j] - last[j]), 0.02) << "at " << t;
    last = solution.angles;
  }
}

TEST_P(AnyLeg, FollowsFromWhereItWas) {
  const LegKinematics leg(robot_with(GetParam()), Side::Right);
  const Eigen::Isometry3d bent = leg.forward({0, 0, -0.4, -0.8, -0.4, 0});
  LegKinematics::Angles last = leg.solve(bent).angles;
  for (int i = 1; i <= 2000; ++i) {
    const double t = i * 0.005;
    Eigen::Isometry3d target = bent;
    target.translation() += Eigen::Vector3d(0.03 * std::sin(t), 0.02 * std::sin(1.3 * t), 0.01 * std::sin(1.7 * t));
    const auto solution = leg.solve(target, last);
    ASSERT_TRUE(solution.exact()) << "at " << t;
    ASSERT_LT((leg.forward(solution.angles).matrix() - target.matrix()).norm(), 1e-6) << "at " << t;
    for (std::size_t j = 0; j < 6; ++j) ASSERT_LT(std::abs(solution.angles[j] - last[j]), 0.02) << "at " << t;
    last = solution.angles;
  }
  Eigen::Isometry3d far = bent;
  far.translation().z() -= 1.0;
  EXPECT_FALSE(leg.solve(far, last).exact());
  far.translation().setConstant(std::nan(""));
  EXPECT_EQ(leg.solve(far, last).reach, LegKinematics::Reach::Invalid);
}
