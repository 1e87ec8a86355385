// SPDX-License-Identifier: Apache-2.0
// The same faults in a simulated robot and behind the driver of the real one, whose bus is emulated: hardware_state
// says the same of both, change by change.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <hl_robot_interface/fault_script.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/spinning.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>

using humanoid_league_msgs::msg::HardwareState;
using humanoid_league_msgs::srv::InjectFault;
using Words = std::vector<std::string>;

namespace {

/// Each body lists its joints in its own order.
std::string list(Words words) {
  std::sort(words.begin(), words.end());
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// What is said but for the measurements.
std::string judgement(const HardwareState& state) {
  return std::to_string(state.level) + " '" + state.text + "' power " + std::to_string(state.power_on) + " torque " +
         std::to_string(state.torque_on) + " IMU " + std::to_string(state.imu_ok) + " missing (" +
         list(state.joints_missing) + ") limp (" + list(state.joints_limp) + ") overloaded (" +
         list(state.joints_overloaded) + ") hot (" + list(state.joints_hot) + ")";
}

/// Everything that `hardware_state` says while the script runs, repetitions left out.
Words heard_from_a_body(const Words& parameters, const Words& driver) {
  Words command{SIMULATOR, "--ros-args", "-p", "cameras:=['']"};
  for (const auto& parameter : parameters) command.insert(command.end(), {"-p", parameter});
  hl_testing::Process simulator(command);
  std::unique_ptr<hl_testing::Process> driving;
  if (!driver.empty()) driving = std::make_unique<hl_testing::Process>(driver);
  const auto log = [&] { return simulator.output() + (driving ? driving->output() : ""); };

  Words heard;
  HardwareState state;
  const auto node = std::make_shared<rclcpp::Node>("test");
  const auto subscription =
      node->create_subscription<HardwareState>("hardware_state", 10, [&](const HardwareState& message) {
        state = message;
        if (heard.empty() || heard.back() != judgement(message)) heard.push_back(judgement(message));
      });
  const auto script = hl_robot_interface::fault_script();
  const auto patience = std::chrono::minutes(2);
  EXPECT_TRUE(hl_testing::spin_until(
      node, [&] { return !heard.empty() && script.front().holds(state); }, patience))
      << log();
  heard = {judgement(state)};  // how a body starts is its own affair
  for (const auto& step : script) {
    EXPECT_TRUE(hl_testing::call<InjectFault>(node, *node, "/simulator/inject_fault", step.request()).success);
    EXPECT_TRUE(hl_testing::spin_until(
        node, [&] { return step.holds(state); }, patience))
        << "fault " << int(step.fault) << " " << step.joint << ": " << judgement(state) << "\n"
        << log();
  }
  return heard;
}

}  // namespace

TEST(Bodies, SayTheSameOfTheSameFaultsChangeByChange) {
  const Words simulated = heard_from_a_body({}, {});
  const std::string port = testing::TempDir() + "bodies_" + std::to_string(getpid());
  const Words driven = heard_from_a_body({"bus:=['*']", "bus_port:=" + port, "rate:=250.0"},
                                         {CM730_NODE, "--ros-args", "-p", "use_sim_time:=true", "-p", "port:=" + port,
                                          "-p", std::string("urdf_file:=") + ROBOTS + "/urdf/minibot.urdf", "-p",
                                          std::string("robot_config_file:=") + ROBOTS + "/config/minibot/robot.yaml",
                                          "-p", "rate:=125.0", "-p", "reply_gap:=0.3"});
  EXPECT_EQ(simulated, driven);
  EXPECT_GE(simulated.size(), hl_robot_interface::fault_script().size());
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
