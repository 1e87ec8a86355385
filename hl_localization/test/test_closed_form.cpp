// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hl_localization/closed_form.hpp"
#include "hl_localization/kinematic_world.hpp"

namespace {

using namespace hl_localization;
using Eigen::Vector2d;

TEST(ClosedForm, TwoPostsGiveThePoseOnEitherSide) {
  for (const Pose2& pose : {Pose2{1.0, 0.5, 0.2}, Pose2{-3.0, -2.0, -2.5}, Pose2{4.0, 2.0, 3.0}}) {
    const Vector2d a(4.5, 1.35), b(4.5, -1.35);
    const Pose2 robot_from_map = pose.inverse();
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      const auto found = pose_from_two(first, robot_from_map * first, second, robot_from_map * second);
      ASSERT_TRUE(found);
      EXPECT_NEAR(found->x, pose.x, 1e-9);
      EXPECT_NEAR(found->y, pose.y, 1e-9);
      EXPECT_NEAR(hl_description::wrap_angle(found->yaw - pose.yaw), 0.0, 1e-9);
    }
  }
}

TEST(ClosedForm, NoTriangleNoPose) {
  const Vector2d a(0.0, 0.0), b(1.0, 0.0);
  EXPECT_FALSE(pose_from_two(a, {5.0, 0.1}, b, {1.0, 0.0}));
  EXPECT_FALSE(pose_from_two(a, {0.0, 0.0}, b, {1.0, 0.0}));
  EXPECT_FALSE(pose_from_two(a, {1.0, 0.0}, b, {2.0, 0.0}));  // in one line with the robot
  EXPECT_FALSE(pose_from_two(a, {std::nan(""), 0.0}, b, {1.0, 0.0}));
}

TEST(ClosedForm, TheTruePoseOrItsOppositeIsAmongTheCandidates) {
  const FieldMap map{hl_description::Field{}};
  KinematicWorld::Options exact;
  exact.ray_noise = exact.attitude_noise = exact.miss_far = exact.miss_near = 0.0;
  KinematicWorld world(map.field(), exact, 5);
  world.walking = false;
  Sighting sighting;
  int looks = 0, found = 0;
  for (int n = 0; n < 300; ++n) {
    world.place({world.uniform(-4.0, 4.0), world.uniform(-2.5, 2.5), world.uniform(-3.0, 3.0)});
    world.advance(0.1);
    sighting.fill(world.look(), {});
    const bool telling = sighting.both_posts || std::any_of(sighting.marks.begin(), sighting.marks.end(), [](auto& m) {
                           return m.arm_count >= 2 && m.kind != FieldMap::Kind::CrossingX;
                         });
    if (!telling) continue;
    std::vector<Pose2> poses;
    candidates(sighting, map, poses);
    ++looks;
    for (const Pose2& pose : poses) {
      const auto close = [&](const Pose2& p) {
        return (p.position() - world.robot.position()).norm() < 0.3 &&
               std::abs(hl_description::wrap_angle(p.yaw - world.robot.yaw)) < 0.3;
      };
      if (!close(pose) && !close(opposite(pose))) continue;
      ++found;
      break;
    }
  }
  EXPECT_GT(looks, 100);
  EXPECT_EQ(found, looks);
}

TEST(FieldMap, TheFieldLooksTheSameFromTheOtherSide) {
  const FieldMap map{hl_description::Field{}};
  for (const auto& landmark : map.landmarks()) {
    const bool twin = std::any_of(map.landmarks().begin(), map.landmarks().end(), [&](const auto& other) {
      return other.kind == landmark.kind && (other.place + landmark.place).norm() < 1e-9 &&
             other.arms.size() == landmark.arms.size();
    });
    EXPECT_TRUE(twin) << landmark.place.transpose();
  }
}

}  // namespace
