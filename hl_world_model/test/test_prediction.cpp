// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hl_world_model/prediction.hpp"

namespace {

using namespace hl_world_model;
using Eigen::Vector2d;

hl_soccer::BallBelief ball(const Vector2d& position, const Vector2d& velocity) {
  hl_soccer::BallBelief b;
  b.position = position;
  b.velocity = velocity;
  b.confidence = 1.0;
  return b;
}

TEST(Prediction, AgreesWithSmallSteps) {
  const Rolling rolling;
  double speed = 2.0, way = 0.0, time = 0.0;
  const double dt = 1e-4;
  while (speed > 0.0) {
    way += speed * dt;
    speed -= dt * (rolling.friction * 9.81 + rolling.drag * speed);
    time += dt;
    if (std::abs(time - 1.5) < 0.5 * dt) {
      EXPECT_NEAR(rolling.way_after(2.0, 1.5), way, 1e-3);
      EXPECT_NEAR(rolling.speed_after(2.0, 1.5), speed, 1e-3);
    }
  }
  EXPECT_NEAR(rolling.time_to_stop(2.0), time, 1e-2);
  EXPECT_NEAR(rolling.way_to_stop(2.0), way, 1e-2);
  EXPECT_NEAR(*rolling.time_for(2.0, rolling.way_after(2.0, 1.5)), 1.5, 1e-6);
  EXPECT_FALSE(rolling.time_for(2.0, way + 0.5));
}

TEST(Prediction, WhereItIsAndWhereItStops) {
  const auto rolls = ball({1.0, 0.0}, {0.0, 1.0});
  EXPECT_GT(ball_in(rolls, 0.5).y(), 0.3);
  EXPECT_NEAR(ball_in(rolls, 0.5).x(), 1.0, 1e-9);
  EXPECT_NEAR(ball_stop(rolls).y(), Rolling{}.way_to_stop(1.0), 1e-9);
  EXPECT_EQ(ball_in(ball({1.0, 2.0}, {0.0, 0.0}), 5.0), Vector2d(1.0, 2.0));
}

TEST(Prediction, WhenAndWhereItCrossesALine) {
  const auto shot = ball({2.0, 0.2}, {-2.5, 0.0});
  const auto crossing = ball_crosses(shot, {0.0, -1.3}, {0.0, 1.3});
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->place.y(), 0.2, 1e-9);
  EXPECT_NEAR(ball_in(shot, crossing->seconds).x(), 0.0, 1e-6);
  EXPECT_FALSE(ball_crosses(ball({2.0, 0.2}, {2.5, 0.0}), {0.0, -1.3}, {0.0, 1.3})) << "rolls away";
  EXPECT_FALSE(ball_crosses(ball({2.0, 0.2}, {-0.5, 0.0}), {0.0, -1.3}, {0.0, 1.3})) << "stops before";
  EXPECT_FALSE(ball_crosses(ball({2.0, 2.0}, {-2.5, 0.0}), {0.0, -1.3}, {0.0, 1.3})) << "passes beside";
  EXPECT_FALSE(ball_crosses(ball({2.0, 0.0}, {0.0, 0.0}), {0.0, -1.3}, {0.0, 1.3})) << "lies";
  EXPECT_FALSE(ball_crosses(ball({2.0, 0.0}, {std::nan(""), 0.0}), {0.0, -1.3}, {0.0, 1.3}));
}

TEST(Prediction, BadParametersAreNamed) {
  EXPECT_TRUE((Rolling{0.0, 0.1}.validate()));
  EXPECT_TRUE((Rolling{0.04, std::nan("")}.validate()));
  EXPECT_FALSE(Rolling{}.validate());
}

}  // namespace
