// SPDX-License-Identifier: Apache-2.0
// The same faults as in the other bodies, in Gazebo behind the driver of the real robot. In ./test --full where
// HL_GAZEBO_ROOT names a folder made by scripts/gazebo_in_chroot.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <hl_robot_interface/fault_script.hpp>
#include <hl_testing/isolation.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/spinning.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>

using humanoid_league_msgs::msg::HardwareState;
using humanoid_league_msgs::srv::InjectFault;

TEST(Faults, AreSaidOfTheRobotInGazebo) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "in ./test --full";
  if (std::getenv("HL_GAZEBO_ROOT") == nullptr)
    GTEST_SKIP() << "scripts/gazebo_in_chroot FOLDER, then HL_GAZEBO_ROOT=FOLDER";
  const std::string port = testing::TempDir() + "faults_" + std::to_string(getpid());
  hl_testing::Process server({GAZEBO_SERVER, "--robot", "minibot", "--port", port});
  hl_testing::Process world({GAZEBO_WORLD, "--ros-args", "-r", "__node:=simulator", "-p", "bus_port:=" + port});
  hl_testing::Process driver({CM730_NODE, "--ros-args", "-p", "use_sim_time:=true", "-p", "port:=" + port, "-p",
                              std::string("urdf_file:=") + ROBOTS + "/urdf/minibot.urdf", "-p",
                              std::string("robot_config_file:=") + ROBOTS + "/config/minibot/robot.yaml", "-p",
                              "rate:=125.0", "-p", "reply_gap:=0.3"});
  const auto log = [&] { return server.output() + world.output() + driver.output(); };

  HardwareState state;
  bool heard = false;
  const auto node = std::make_shared<rclcpp::Node>("test");
  const auto subscription =
      node->create_subscription<HardwareState>("hardware_state", 10, [&](const HardwareState& message) {
        state = message;
        heard = true;
      });
  const auto script = hl_robot_interface::fault_script();
  const auto patience = std::chrono::minutes(2);
  ASSERT_TRUE(hl_testing::spin_until(
      node, [&] { return heard && script.front().holds(state); }, patience))
      << log();
  for (const auto& step : script) {
    const auto response = hl_testing::call<InjectFault>(node, *node, "/simulator/inject_fault", step.request());
    EXPECT_TRUE(response.success) << response.message;
    EXPECT_TRUE(hl_testing::spin_until(
        node, [&] { return step.holds(state); }, patience))
        << "fault " << int(step.fault) << " " << step.joint << "\n"
        << log();
  }
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
