// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/srv/list_behaviors.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <rclcpp/rclcpp.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_network/udp_socket.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"

using geometry_msgs::msg::Twist;
using hl_testing::Process;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::srv::ListBehaviors;
using humanoid_league_msgs::srv::SetRole;

namespace {

using Words = std::vector<std::string>;

/// Gateway and workstation share the address 127.0.0.1, each with a port of its own.
class FumanoidNode : public testing::Test {
 protected:
  Process gateway(const Words& parameters) {
    Words command = {std::string(PROGRAM_FOLDER) + "/fumanoid_gateway",
                     "--ros-args",
                     "-p",
                     "port:=" + std::to_string(port_),
                     "-p",
                     "broadcast:=127.0.0.1",
                     "-p",
                     "address:=127.0.0.1"};
    for (const auto& parameter : parameters) command.insert(command.end(), {"-p", parameter});
    return Process(command);
  }

  /// Runs the client; its exit code.
  int client(const Words& words, std::string* output = nullptr) {
    Words command = {std::string(PROGRAM_FOLDER) + "/fumanoid",
                     "--port",
                     std::to_string(port_),
                     "--local_port",
                     "0",
                     "--wait",
                     "2",
                     "127.0.0.1"};
    command.insert(command.end(), words.begin(), words.end());
    Process process(command);
    std::optional<int> code;
    wait([&] { return (code = process.wait(std::chrono::milliseconds(0))).has_value(); });
    if (output != nullptr) *output = process.output();
    return code.value_or(-1);
  }

  template <class Condition>
  bool wait(Condition condition) {
    return hl_testing::wait_until([&] {
      rclcpp::spin_some(node_);
      return condition();
    });
  }

  rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("test_fumanoid");
  std::uint16_t port_ = hl_network::UdpSocket("127.0.0.1", 0).port();
};

}  // namespace

TEST_F(FumanoidNode, AWorkstationAsksAndOrders) {
  std::optional<SetRole::Request> chosen;
  auto lists = node_->create_service<ListBehaviors>(
      "list_behaviors",
      [](const std::shared_ptr<ListBehaviors::Request>, std::shared_ptr<ListBehaviors::Response> response) {
        response->roles = {"idling", "other", "striker"};
      });
  auto roles = node_->create_service<SetRole>(
      "set_role", [&](const std::shared_ptr<SetRole::Request> request, std::shared_ptr<SetRole::Response> response) {
        chosen = *request;
        response->success = true;
      });
  std::optional<Twist> walk;
  auto on_walk = node_->create_subscription<Twist>("teleop_cmd_vel", 10, [&](const Twist& twist) { walk = twist; });
  Process process = gateway({"enabled:=true", "allowed:=['127.0.0.1']"});
  std::string text;
  ASSERT_TRUE(wait([&] { return client({"roles"}, &text) == 0 && text.find("3 striker") != std::string::npos; }))
      << text << process.output();
  EXPECT_TRUE(wait([&] {
    client({"role", "3"});
    return chosen.has_value();
  })) << process.output();
  EXPECT_EQ(chosen->role, 2);
  EXPECT_FALSE(chosen->automatic);
  EXPECT_TRUE(wait([&] {
    client({"walk", "127", "0", "0"});
    return walk.has_value();
  })) << process.output();
  EXPECT_NEAR(walk->linear.x, 0.2, 1e-9);

  // Motors are moved in RECORD only; the refusal comes back as a line of the log.
  EXPECT_TRUE(wait([&] {
    client({"motors_off"}, &text);
    return text.find("RECORD") != std::string::npos;
  })) << text;

  // A referee is heard: nothing is answered any more.
  auto game = node_->create_publisher<GameState>("gamestate", rclcpp::QoS(1).transient_local());
  GameState state;
  state.referee_connected = true;
  game->publish(state);
  EXPECT_TRUE(wait([&] { return client({"roles"}, &text) == 1; })) << text;
}

TEST_F(FumanoidNode, MotorsMoveThroughTheRecordersTopic) {
  auto state = node_->create_publisher<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local());
  RobotControlState record;
  record.state = RobotControlState::RECORD;
  state->publish(record);
  std::optional<trajectory_msgs::msg::JointTrajectory> goals;
  auto on_goals = node_->create_subscription<trajectory_msgs::msg::JointTrajectory>(
      "record_motor_goals", 10, [&](const trajectory_msgs::msg::JointTrajectory& message) { goals = message; });
  Process process =
      gateway({"enabled:=true", "allowed:=['127.0.0.1']", std::string("robot_config_file:=") + ROBOT_YAML});
  ASSERT_TRUE(wait([&] {
    client({"set_motor", "20", "on", "512"});
    return goals.has_value();
  })) << process.output();
  EXPECT_EQ(goals->joint_names, std::vector<std::string>{"HeadTilt"});
  EXPECT_NEAR(goals->points.at(0).positions.at(0), 0.0, 1e-9);
}

TEST_F(FumanoidNode, IsOffByDefaultAndInMatches) {
  for (const Words& parameters : {Words{}, Words{"enabled:=true", "match:=true", "allowed:=['127.0.0.1']"}}) {
    Process process = gateway(parameters);
    ASSERT_TRUE(wait([&] { return process.output().find("nothing is opened") != std::string::npos; }))
        << process.output();
    EXPECT_NO_THROW(hl_network::UdpSocket("127.0.0.1", port_)) << "nobody listens there";
    EXPECT_EQ(client({"status"}), 1);
  }
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
