// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <rclcpp/rclcpp.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "robot_state_publisher/robot_state_publisher.hpp"
#include "tf2_ros/buffer.h"
#include "tf2_ros/transform_listener.h"

namespace {

using hl_testing::wait_until;
using testing::HasSubstr;

const char* const kRobot =
    R"(<robot name="r"><link name="base"/><link name="arm"/><link name="hand"/><link name="tip"/><link name="rail"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 0 2"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/><mimic joint="shoulder" multiplier="-2" offset="0.5"/></joint>
<joint name="end" type="fixed"><parent link="hand"/><child link="tip"/><origin xyz="0.5 0 0"/></joint>
<joint name="slide" type="prismatic"><parent link="base"/><child link="rail"/><origin rpy="0 0 1.5707963267948966"/><axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>)";

/// A robot of 60 links in a chain.
std::string long_robot() {
  std::string urdf = "<robot name='long'><link name='l0'/>";
  for (int i = 1; i <= 60; ++i) {
    const std::string n = std::to_string(i);
    urdf += "<link name='l" + n + "'/><joint name='j" + n + "' type='continuous'><parent link='l" +
            std::to_string(i - 1) + "'/><child link='l" + n + "'/><origin xyz='0.1 0 0'/><axis xyz='0 0 1'/></joint>";
  }
  return urdf + "</robot>";
}

/// The program, started as a launch file would, and somebody who listens.
class Running {
 public:
  explicit Running(const std::string& urdf, const std::string& extra = "", std::vector<std::string> arguments = {}) {
    const std::string file = testing::TempDir() + "robot_state_publisher_test.yaml";
    std::ofstream yaml(file);
    yaml << "/**:\n  ros__parameters:\n    robot_description: |\n";
    std::istringstream lines(urdf);
    for (std::string line; std::getline(lines, line);) yaml << "      " << line << "\n";
    yaml << extra;
    yaml.close();
    std::vector<std::string> command = {ROBOT_STATE_PUBLISHER, "--ros-args", "--params-file", file};
    command.insert(command.end(), arguments.begin(), arguments.end());
    process = std::make_unique<hl_testing::Process>(command);
    node = rclcpp::Node::make_shared("test", rclcpp::NodeOptions().arguments([&] {
      std::vector<std::string> list = {"--ros-args"};
      list.insert(list.end(), arguments.begin(), arguments.end());
      return list;
    }()));
    buffer = std::make_unique<tf2_ros::Buffer>(node->get_clock());
    listener = std::make_unique<tf2_ros::TransformListener>(*buffer, node);
    publisher = node->create_publisher<sensor_msgs::msg::JointState>("joint_states", 10);
  }

  void send(const std::vector<std::string>& names, const std::vector<double>& positions) {
    sensor_msgs::msg::JointState state;
    state.header.stamp = node->now();
    state.name = names;
    state.position = positions;
    publisher->publish(state);
  }

  std::unique_ptr<hl_testing::Process> process;
  rclcpp::Node::SharedPtr node;
  std::unique_ptr<tf2_ros::Buffer> buffer;
  std::unique_ptr<tf2_ros::TransformListener> listener;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr publisher;
};

TEST(TwoProcesses, JointsMimicsAndFixedLinksBecomeTransforms) {
  Running robot(kRobot);
  ASSERT_TRUE(wait_until([&] {
    robot.send({"shoulder", "slide", "unknown"}, {0.25, 0.5, 1.0});
    return robot.buffer->canTransform("base", "tip", tf2::TimePointZero) &&
           robot.buffer->canTransform("base", "rail", tf2::TimePointZero);
  })) << robot.process->output();
  const auto arm = robot.buffer->lookupTransform("base", "arm", tf2::TimePointZero).transform;
  EXPECT_NEAR(arm.translation.z, 1.0, 1e-9);
  EXPECT_NEAR(2.0 * std::atan2(arm.rotation.z, arm.rotation.w), 0.25, 1e-9);
  const auto hand = robot.buffer->lookupTransform("arm", "hand", tf2::TimePointZero).transform;
  EXPECT_NEAR(hand.rotation.w, 1.0, 1e-9) << "-2 * 0.25 + 0.5 = 0";
  EXPECT_NEAR(robot.buffer->lookupTransform("hand", "tip", tf2::TimePointZero).transform.translation.x, 0.5, 1e-9);
  EXPECT_NEAR(robot.buffer->lookupTransform("base", "rail", tf2::TimePointZero).transform.translation.y, 0.5, 1e-9);
}

TEST(TwoProcesses, SixtyLinksAt100HzWithHistory) {
  Running robot(long_robot(), "    publish_frequency: 200.0\n");
  std::vector<std::string> names;
  for (int i = 1; i <= 60; ++i) names.push_back("j" + std::to_string(i));
  int sent = 0;
  ASSERT_TRUE(wait_until([&] {
    robot.send(names, std::vector<double>(60, 0.001 * ++sent));
    if (!robot.buffer->canTransform("l0", "l60", tf2::TimePointZero)) return false;
    const auto latest = tf2_ros::fromMsg(robot.buffer->lookupTransform("l0", "l60", tf2::TimePointZero).header.stamp);
    return robot.buffer->canTransform("l0", "l60", latest - std::chrono::milliseconds(500));
  })) << robot.process->output();
}

TEST(TwoProcesses, TheDescriptionIsLatchedAndPrefixAndNamespaceWork) {
  Running robot(kRobot, "    frame_prefix: one/\n",
                {"-r", "__ns:=/one", "-r", "/tf:=tf", "-r", "/tf_static:=tf_static"});
  std::string description;
  rclcpp::SubscriptionOptions latched;
  latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  auto subscription = robot.node->create_subscription<std_msgs::msg::String>(
      "robot_description", rclcpp::QoS(1).transient_local(),
      [&](std_msgs::msg::String::ConstSharedPtr message) { description = message->data; }, latched);
  EXPECT_TRUE(wait_until([&] {
    robot.send({"shoulder"}, {0.0});
    rclcpp::spin_some(robot.node);
    return !description.empty() && robot.buffer->canTransform("one/base", "one/tip", tf2::TimePointZero);
  })) << robot.process->output();
  EXPECT_THAT(description, HasSubstr("<robot name=\"r\">"));
}

TEST(BadInput, ABadModelEndsTheProgramWithAReason) {
  hl_testing::Process empty({ROBOT_STATE_PUBLISHER});
  EXPECT_NE(empty.wait(), 0);
  EXPECT_THAT(empty.output(), HasSubstr("robot_description is empty"));
  Running broken("<robot name='r'><link name='a'/><link name='b'/></robot>");
  EXPECT_NE(broken.process->wait(), 0);
  EXPECT_THAT(broken.process->output(), HasSubstr("not a valid URDF"));
}

// As that of Humble: it has to be loaded without.
TEST(BadInput, IntraProcessCommunicationIsRefusedForItsLatchedTopics) {
  rclcpp::NodeOptions options;
  options.parameter_overrides({{"robot_description", kRobot}}).use_intra_process_comms(true);
  EXPECT_THROW(robot_state_publisher::RobotStatePublisher{options}, std::invalid_argument);
}

TEST(BadInput, AModelCanBeChangedButNotBroken) {
  rclcpp::NodeOptions options;
  options.parameter_overrides({{"robot_description", kRobot}});
  auto node = std::make_shared<robot_state_publisher::RobotStatePublisher>(options);
  EXPECT_FALSE(node->set_parameter({"robot_description", "<nonsense/>"}).successful);
  EXPECT_FALSE(node->set_parameter({"publish_frequency", -5.0}).successful);
  EXPECT_EQ(node->get_parameter("robot_description").as_string(), kRobot);
  EXPECT_TRUE(node->set_parameter({"robot_description", long_robot()}).successful);
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
