// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"

namespace {

const char* const kRobot =
    "<robot name='r'><link name='a'/><link name='b'/><joint name='j1' type='continuous'><parent link='a'/>"
    "<child link='b'/></joint></robot>";

TEST(JointStatePublisherGui, WithoutADisplayItSaysSoAndWhatToDo) {
  for (const char* display : {"", ":4711"}) {
    hl_testing::Process process({"env", "-u", "WAYLAND_DISPLAY", std::string("DISPLAY=") + display, GUI});
    EXPECT_EQ(process.wait(), 1);
    EXPECT_THAT(process.output(), testing::HasSubstr("no display"));
    EXPECT_THAT(process.output(), testing::HasSubstr("ros2 param set"));
  }
}

TEST(JointStatePublisherGui, PublishesUnderADisplay) {
  if (std::system("command -v xvfb-run >/dev/null") != 0) GTEST_SKIP() << "xvfb-run is not installed";
  const std::string urdf = testing::TempDir() + "joint_state_publisher_gui_test.urdf";
  std::ofstream(urdf) << kRobot;
  auto node = rclcpp::Node::make_shared("test");
  sensor_msgs::msg::JointState last;
  auto subscription = node->create_subscription<sensor_msgs::msg::JointState>(
      "joint_states", 10, [&](sensor_msgs::msg::JointState::ConstSharedPtr state) { last = *state; });
  hl_testing::Process process({"xvfb-run", "-a", GUI, urdf});
  EXPECT_TRUE(hl_testing::wait_until(
      [&] {
        rclcpp::spin_some(node);
        return !last.name.empty();
      },
      std::chrono::seconds(60)))
      << process.output();
  EXPECT_THAT(last.name, testing::ElementsAre("j1"));
  EXPECT_THAT(last.position, testing::ElementsAre(0.0));
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
