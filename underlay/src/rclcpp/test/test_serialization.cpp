// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <example_interfaces/srv/add_two_ints.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <std_msgs/msg/string.hpp>

#include "rclcpp/serialization.hpp"

using geometry_msgs::msg::PoseStamped;

TEST(Serialization, MessageComesBackAsItWas) {
  PoseStamped pose;
  pose.header.frame_id = "map";
  pose.header.stamp.nanosec = 7;
  pose.pose.position.x = 1.5;
  pose.pose.orientation.w = -0.25;
  rclcpp::SerializedMessage bytes;
  const rclcpp::Serialization<PoseStamped> serialization;
  serialization.serialize_message(&pose, &bytes);
  // encapsulation, stamp, frame_id with its length, seven doubles
  EXPECT_EQ(bytes.size(), 4u + 8u + 8u + 56u);
  EXPECT_GE(bytes.capacity(), bytes.size());
  PoseStamped back;
  serialization.deserialize_message(&bytes, &back);
  EXPECT_EQ(back, pose);
}

TEST(Serialization, WorksForTheHalvesOfAService) {
  example_interfaces::srv::AddTwoInts::Request request, back;
  request.a = -3;
  request.b = 1LL << 40;
  rclcpp::SerializedMessage bytes(64);
  const rclcpp::Serialization<example_interfaces::srv::AddTwoInts::Request> serialization;
  serialization.serialize_message(&request, &bytes);
  serialization.deserialize_message(&bytes, &back);
  EXPECT_EQ(back, request);
}

TEST(Serialization, RefusesBytesOfAnotherTypeAndNothing) {
  std_msgs::msg::String text;
  text.data = "a";
  rclcpp::SerializedMessage bytes;
  PoseStamped pose;
  const rclcpp::Serialization<PoseStamped> poses;
  EXPECT_THROW(poses.deserialize_message(&bytes, &pose), rclcpp::exceptions::RCLError);
  rclcpp::Serialization<std_msgs::msg::String>().serialize_message(&text, &bytes);
  EXPECT_THROW(poses.deserialize_message(&bytes, &pose), rclcpp::exceptions::RCLError);
  EXPECT_THROW(poses.serialize_message(nullptr, &bytes), std::invalid_argument);
  EXPECT_THROW(poses.deserialize_message(&bytes, nullptr), std::invalid_argument);
}
