// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tf2/utils.h"
#include "tf2_geometry_msgs/tf2_geometry_msgs.hpp"

namespace {

geometry_msgs::msg::TransformStamped quarter_turn_left_and_one_ahead() {
  geometry_msgs::msg::TransformStamped t;
  t.header.frame_id = "map";
  t.header.stamp.sec = 7;
  t.child_frame_id = "robot";
  t.transform.translation.x = 1.0;
  tf2::Quaternion q;
  q.setRPY(0, 0, TF2SIMD_HALF_PI);
  t.transform.rotation = tf2::toMsg(q);
  return t;
}

TEST(DoTransform, PointsMoveVectorsOnlyTurn) {
  geometry_msgs::msg::PointStamped point, moved;
  point.header.frame_id = "robot";
  point.point.x = 2.0;
  tf2::doTransform(point, moved, quarter_turn_left_and_one_ahead());
  EXPECT_NEAR(moved.point.x, 1.0, 1e-12);
  EXPECT_NEAR(moved.point.y, 2.0, 1e-12);
  EXPECT_EQ(moved.header.frame_id, "map");
  EXPECT_EQ(moved.header.stamp.sec, 7);

  geometry_msgs::msg::Vector3 vector, turned;
  vector.x = 2.0;
  tf2::doTransform(vector, turned, quarter_turn_left_and_one_ahead());
  EXPECT_NEAR(turned.x, 0.0, 1e-12);
  EXPECT_NEAR(turned.y, 2.0, 1e-12);
}

TEST(DoTransform, PosesAndTheirCovarianceTurn) {
  geometry_msgs::msg::PoseWithCovarianceStamped pose, moved;
  pose.pose.pose.position.y = 1.0;
  pose.pose.pose.orientation.w = 1.0;
  pose.pose.covariance[0] = 4.0;   // x x
  pose.pose.covariance[7] = 1.0;   // y y
  pose.pose.covariance[35] = 0.5;  // yaw yaw
  tf2::doTransform(pose, moved, quarter_turn_left_and_one_ahead());
  EXPECT_NEAR(moved.pose.pose.position.x, 0.0, 1e-12);
  EXPECT_NEAR(tf2::getYaw(moved.pose.pose.orientation), TF2SIMD_HALF_PI, 1e-12);
  EXPECT_NEAR(moved.pose.covariance[0], 1.0, 1e-12);
  EXPECT_NEAR(moved.pose.covariance[7], 4.0, 1e-12);
  EXPECT_NEAR(moved.pose.covariance[35], 0.5, 1e-12);
}

TEST(Convert, GoesBothWays) {
  const tf2::Stamped<tf2::Transform> original(tf2::Transform(tf2::Quaternion(0, 0, 0.6, 0.8), tf2::Vector3(1, 2, 3)),
                                              tf2::timeFromSec(12.5), "map");
  geometry_msgs::msg::PoseStamped pose;
  tf2::toMsg(original, pose);
  EXPECT_EQ(pose.header.stamp.sec, 12);
  EXPECT_EQ(pose.header.stamp.nanosec, 500000000u);
  tf2::Stamped<tf2::Transform> back;
  tf2::fromMsg(pose, back);
  EXPECT_EQ(back.frame_id_, "map");
  EXPECT_EQ(back.stamp_, original.stamp_);
  EXPECT_LT(back.getOrigin().distance(original.getOrigin()), 1e-12);
  EXPECT_EQ(tf2::getFrameId(pose), "map");
  EXPECT_EQ(tf2::getTimestamp(pose), original.stamp_);

  geometry_msgs::msg::Quaternion message;
  tf2::convert(tf2::Quaternion(0, 0, 0.6, 0.8), message);
  EXPECT_DOUBLE_EQ(message.z, 0.6);
  tf2::Quaternion q;
  tf2::convert(message, q);
  EXPECT_DOUBLE_EQ(q.w(), 0.8);
  EXPECT_DOUBLE_EQ(tf2::getTransformIdentity<geometry_msgs::msg::Transform>().rotation.w, 1.0);
}

geometry_msgs::msg::TransformStamped quarter_turn_at(double x, double y, double z) {
  geometry_msgs::msg::TransformStamped transform;
  transform.header.frame_id = "new";
  transform.transform.translation.x = x;
  transform.transform.translation.y = y;
  transform.transform.translation.z = z;
  transform.transform.rotation.z = transform.transform.rotation.w = std::sqrt(0.5);  // x becomes y
  return transform;
}

TEST(DoTransform, AForceAtADistanceHasAMoment) {
  geometry_msgs::msg::WrenchStamped wrench, moved;
  wrench.wrench.force.x = 2.0;
  wrench.wrench.torque.z = 0.5;
  tf2::doTransform(wrench, moved, quarter_turn_at(3.0, 0.0, 1.0));
  EXPECT_NEAR(moved.wrench.force.y, 2.0, 1e-12);
  EXPECT_NEAR(moved.wrench.torque.x, -2.0, 1e-12) << "z of the lever times y of the force";
  EXPECT_NEAR(moved.wrench.torque.z, 0.5 + 6.0, 1e-12);
  EXPECT_EQ(moved.header.frame_id, "new");
}

TEST(DoTransform, PosesWithCovarianceAndPolygonsWithoutAHeader) {
  geometry_msgs::msg::PoseWithCovariance pose, moved;
  pose.pose.position.x = 1.0;
  pose.covariance[0] = 4.0;
  tf2::doTransform(pose, moved, quarter_turn_at(0.0, 1.0, 0.0));
  EXPECT_NEAR(moved.pose.position.y, 2.0, 1e-12);
  EXPECT_NEAR(moved.covariance[0], 0.0, 1e-12);
  EXPECT_NEAR(moved.covariance[7], 4.0, 1e-12);
  geometry_msgs::msg::Polygon polygon, turned;
  polygon.points.resize(2);
  polygon.points[1].x = 1.0F;
  tf2::doTransform(polygon, turned, quarter_turn_at(0.0, 1.0, 0.0));
  ASSERT_EQ(turned.points.size(), 2U);
  EXPECT_NEAR(turned.points[1].y, 2.0, 1e-6);
}

}  // namespace
