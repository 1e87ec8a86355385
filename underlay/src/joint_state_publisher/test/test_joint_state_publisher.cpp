// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

namespace {

using hl_testing::wait_until;

const char* const kRobot =
    "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
    "<joint name='j1' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' "
    "upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='j2' type='revolute'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/><limit lower='1' upper='2' "
    "effort='1' velocity='1'/></joint>"
    "<joint name='j3' type='continuous'><parent link='c'/><child link='d'/><axis xyz='0 0 1'/><mimic joint='j1' "
    "multiplier='2' offset='0.5'/></joint>"
    "</robot>";

TEST(JointStatePublisher, PublishesZerosMidRangesMimicsAndWhatTheParametersSay) {
  auto node = rclcpp::Node::make_shared("test");
  rclcpp::PublisherOptions latched;
  latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  auto description =
      node->create_publisher<std_msgs::msg::String>("robot_description", rclcpp::QoS(1).transient_local(), latched);
  std_msgs::msg::String text;
  text.data = kRobot;
  description->publish(text);
  sensor_msgs::msg::JointState last;
  auto subscription = node->create_subscription<sensor_msgs::msg::JointState>(
      "joint_states", 10, [&](sensor_msgs::msg::JointState::ConstSharedPtr state) { last = *state; });
  hl_testing::Process process({JOINT_STATE_PUBLISHER, "--ros-args", "-p", "rate:=50", "-p", "zeros.j1:=0.25"});
  ASSERT_TRUE(wait_until([&] {
    rclcpp::spin_some(node);
    return !last.name.empty();
  })) << process.output();
  EXPECT_THAT(last.name, testing::ElementsAre("j1", "j2", "j3"));
  EXPECT_THAT(last.position,
              testing::ElementsAre(testing::DoubleEq(0.25), testing::DoubleEq(1.5), testing::DoubleEq(1.0)));
}

TEST(JointStatePublisher, ABadModelIsAnErrorWithAReason) {
  hl_testing::Process process({JOINT_STATE_PUBLISHER, "--ros-args", "-p", "robot_description:=nonsense"});
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.output(), testing::HasSubstr("not a valid URDF"));
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}
