// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hl_world_model/ground_view.hpp"

namespace {

/// Optical frame 0.45 m up, looking ahead and `tilt` down.
Eigen::Isometry3d camera(double tilt) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  Eigen::Matrix3d optical;
  optical << 0, 0, 1, -1, 0, 0, 0, -1, 0;
  pose.linear() = Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY()) * optical;
  pose.translation().z() = 0.45;
  return pose;
}

TEST(GroundView, AheadAndCounterClockwise) {
  const auto view = hl_world_model::ground_view(camera(0.5), 1.0, 0.8, 8.0);
  ASSERT_EQ(view.size(), 4u);
  double area = 0.0;
  for (std::size_t n = 0; n < 4; ++n) {
    const auto &a = view[n], &b = view[(n + 1) % 4];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
    EXPECT_GT(a.x(), 0.0);
    EXPECT_LT(a.norm(), 8.01);
  }
  EXPECT_GT(area, 0.5);
}

TEST(GroundView, NothingInTheSky) {
  EXPECT_TRUE(hl_world_model::ground_view(camera(-1.2), 1.0, 0.8, 8.0).empty());
  EXPECT_TRUE(hl_world_model::ground_view(camera(0.5), 0.0, 0.8, 8.0).empty());
  Eigen::Isometry3d lost = camera(0.5);
  lost.translation().x() = std::nan("");
  EXPECT_TRUE(hl_world_model::ground_view(lost, 1.0, 0.8, 8.0).empty());
}

}  // namespace
