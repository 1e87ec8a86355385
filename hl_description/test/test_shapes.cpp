// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_description/self_collision.hpp"
#include "hl_description/support_polygon.hpp"
#include "robots.hpp"

using namespace hl_description;

TEST(SupportPolygon, IsTheConvexHullWithSignedMargins) {
  SupportPolygon square;
  EXPECT_EQ(square.margin({0, 0}), -std::numeric_limits<double>::infinity());
  for (const auto& p : {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 1), Eigen::Vector2d(1, 0), Eigen::Vector2d(0.5, 0.5),
                        Eigen::Vector2d(0, 1)})
    square.add(p);
  EXPECT_EQ(square.size(), 4u);
  EXPECT_NEAR(square.area(), 1.0, 1e-12);
  EXPECT_NEAR(square.margin({0.5, 0.3}), 0.3, 1e-12);
  EXPECT_NEAR(square.margin({0.5, -0.3}), -0.3, 1e-12);
  EXPECT_NEAR(square.margin({-3, -4}), -5.0, 1e-12);
}

TEST(SupportPolygon, OfFeetHasTheirArea) {
  const RobotModel model = model_of("minibot");
  const Posture posture = model.forward(Eigen::VectorXd::Zero(20));
  const auto ground = base_footprint(model, posture, Side::Left);
  EXPECT_NEAR(support_polygon(model, posture, Support::Left, ground).area(), 0.165 * 0.080, 1e-9);
  EXPECT_NEAR(support_polygon(model, posture, Support::Right, ground).area(), 0.165 * 0.080, 1e-9);
  EXPECT_NEAR(support_polygon(model, posture, Support::Both, ground).area(), 0.165 * (2 * 0.0578 + 0.080), 1e-9);
}

TEST(SupportPolygon, DarwinsFeetReachFurtherOutThanIn) {
  const RobotModel model = model_of("darwin_op");
  for (const auto& corner : model.foot_outline(Side::Left))
    EXPECT_TRUE(std::abs(corner.y() - 0.0435) < 1e-9 || std::abs(corner.y() + 0.0225) < 1e-9);
  for (const auto& corner : model.foot_outline(Side::Right))
    EXPECT_TRUE(std::abs(corner.y() + 0.0435) < 1e-9 || std::abs(corner.y() - 0.0225) < 1e-9);
}

TEST(SelfCollision, SegmentDistanceAgreesWithSampling) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> coordinate(-1, 1);
  const auto point = [&] { return Eigen::Vector3d(coordinate(random), coordinate(random), coordinate(random)); };
  for (int run = 0; run < 200; ++run) {
    const Eigen::Vector3d a0 = point(), a1 = run % 10 ? point() : a0, b0 = point(),
                          b1 = run % 7 ? point() : Eigen::Vector3d(b0 + 2 * (a1 - a0));
    double sampled = 1e9;
    for (int i = 0; i <= 100; ++i)
      for (int k = 0; k <= 100; ++k)
        sampled = std::min(sampled, (a0 + 0.01 * i * (a1 - a0) - b0 - 0.01 * k * (b1 - b0)).norm());
    const double exact = segment_distance(a0, a1, b0, b1);
    EXPECT_LE(exact, sampled + 1e-12);
    EXPECT_GT(exact, sampled - 0.04);
    EXPECT_NEAR(exact, segment_distance(b0, b1, a0, a1), 1e-9);
  }
}

TEST(SelfCollision, OrdinaryPosesAreFreeAndCrossedLegsAreNot) {
  for (const char* robot : {"minibot", "darwin_op"}) {
    const RobotModel model = model_of(robot);
    const RobotConfig config = config_of(robot);
    const SelfCollision collision(model, config.capsules);
    for (const char* pose : {"zero", "init", "walkready"}) {
      const auto nearest = collision.nearest(model.forward(config.pose(model, pose)));
      EXPECT_GT(nearest.distance, 0.005) << robot << " " << pose << " " << collision.link_name(nearest.a) << " "
                                         << collision.link_name(nearest.b);
    }
    Eigen::VectorXd crossed = Eigen::VectorXd::Zero(20);
    crossed[static_cast<Eigen::Index>(model.joint("LHipRoll"))] = 0.5;
    const auto nearest = collision.nearest(model.forward(crossed));
    EXPECT_LT(nearest.distance, 0.0);
    std::vector<SelfCollision::Pair> pairs;
    collision.distances(model.forward(crossed), pairs);
    EXPECT_EQ(pairs.size(), collision.size());
  }
}

TEST(SelfCollision, ThighsMayRiseToTheirLimit) {
  for (const char* robot : {"minibot", "darwin_op"}) {
    const RobotModel model = model_of(robot);
    const SelfCollision collision(model, config_of(robot).capsules);
    Eigen::VectorXd crouched = Eigen::VectorXd::Zero(20);
    const auto left = static_cast<Eigen::Index>(model.joint("LHipPitch"));
    crouched[left] = model.limits(static_cast<std::size_t>(left)).upper;
    const auto knee = static_cast<Eigen::Index>(model.joint("LKnee"));
    crouched[knee] = model.limits(static_cast<std::size_t>(knee)).lower;
    const auto nearest = collision.nearest(model.forward(crouched));
    EXPECT_GT(nearest.distance, 0.0) << robot << " " << collision.link_name(nearest.a) << " "
                                     << collision.link_name(nearest.b);
  }
}
