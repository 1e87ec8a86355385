// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tf2_eigen/tf2_eigen.hpp"

namespace {

const Eigen::Isometry3d kPose =
    Eigen::Translation3d(1.0, 2.0, 3.0) * Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized());

TEST(Tf2Eigen, TransformsGoBothWays) {
  const auto message = tf2::eigenToTransform(kPose);
  EXPECT_TRUE(tf2::transformToEigen(message).isApprox(kPose));
  EXPECT_TRUE(tf2::transformToEigen(message.transform).isApprox(kPose));
  const geometry_msgs::msg::Pose pose = tf2::toMsg(kPose);
  Eigen::Isometry3d isometry;
  Eigen::Affine3d affine;
  tf2::fromMsg(pose, isometry);
  tf2::fromMsg(pose, affine);
  EXPECT_TRUE(isometry.isApprox(kPose));
  EXPECT_TRUE(affine.isApprox(Eigen::Affine3d(kPose)));
}

TEST(Tf2Eigen, ConvertWorksInBothDirections) {
  const Eigen::Vector3d v(1.0, -2.0, 3.0);
  geometry_msgs::msg::Point point;
  tf2::convert(v, point);
  Eigen::Vector3d back;
  tf2::convert(point, back);
  EXPECT_EQ(back, v);
  geometry_msgs::msg::Quaternion q = tf2::toMsg(Eigen::Quaterniond(kPose.linear()));
  Eigen::Quaterniond rotation;
  tf2::convert(q, rotation);
  EXPECT_TRUE(rotation.toRotationMatrix().isApprox(kPose.linear()));
}

TEST(Tf2Eigen, DoTransformMovesPointsAndPoses) {
  const auto transform = tf2::eigenToTransform(kPose);
  const Eigen::Vector3d v(0.5, 0.25, -1.0);
  Eigen::Vector3d moved;
  tf2::doTransform(v, moved, transform);
  EXPECT_TRUE(moved.isApprox(kPose * v));
  Eigen::Isometry3d pose;
  tf2::doTransform(kPose, pose, transform);
  EXPECT_TRUE(pose.isApprox(kPose * kPose));
}

template <class T, class Message>
void goes_both_ways_and_moves(const T& value) {
  const tf2::Stamped<T> stamped(value, tf2::timeFromSec(12.5), "map");
  const Message message = tf2::toMsg(stamped);
  EXPECT_EQ(message.header.frame_id, "map");
  EXPECT_EQ(message.header.stamp.sec, 12);
  tf2::Stamped<T> back, moved;
  tf2::fromMsg(message, back);
  EXPECT_EQ(back.frame_id_, "map");
  EXPECT_EQ(back.stamp_, stamped.stamp_);
  EXPECT_TRUE(back.isApprox(value));

  auto transform = tf2::eigenToTransform(kPose);
  transform.header.frame_id = "odom";
  transform.header.stamp.sec = 13;
  tf2::doTransform(stamped, moved, transform);
  T expected;
  tf2::doTransform(value, expected, transform);
  EXPECT_TRUE(moved.isApprox(expected));
  EXPECT_EQ(moved.frame_id_, "odom");
  EXPECT_EQ(moved.stamp_, tf2::timeFromSec(13.0));
}

TEST(Tf2Eigen, StampedValuesTravelWithTheirFrame) {
  goes_both_ways_and_moves<Eigen::Vector3d, geometry_msgs::msg::PointStamped>(Eigen::Vector3d(1.0, 2.0, 3.0));
  goes_both_ways_and_moves<Eigen::Quaterniond, geometry_msgs::msg::QuaternionStamped>(
      Eigen::Quaterniond(kPose.linear()));
  goes_both_ways_and_moves<Eigen::Affine3d, geometry_msgs::msg::PoseStamped>(Eigen::Affine3d(kPose.matrix()));
  goes_both_ways_and_moves<Eigen::Isometry3d, geometry_msgs::msg::PoseStamped>(kPose);
}

}  // namespace
