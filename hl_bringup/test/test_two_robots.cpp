// SPDX-License-Identifier: Apache-2.0
// Two robots on one field: each obeys the commands in its own namespace, and only those.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/spinning.hpp"

using geometry_msgs::msg::Twist;
using hl_testing::Process;
namespace msg = humanoid_league_msgs::msg;

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

/// Sees both robots from outside, and commands each.
class Trainer {
 public:
  struct Robot {
    double x = 0.0, y = 0.0;  // m, in the world
    bool upright = false;
    std::optional<std::uint8_t> state;
    Twist command;
    rclcpp::Publisher<Twist>::SharedPtr cmd_vel;
    rclcpp::Subscription<msg::RobotControlState>::SharedPtr subscription;
    bool stands() const { return upright && state == msg::RobotControlState::CONTROLLABLE; }
  };

  Trainer() : node_(std::make_shared<rclcpp::Node>("trainer")) {
    executor_.add_node(node_);
    for (std::size_t n = 0; n < robots.size(); ++n) {
      Robot& robot = robots[n];
      const std::string name = "/robot" + std::to_string(n + 1);
      robot.cmd_vel = node_->create_publisher<Twist>(name + "/cmd_vel", 1);
      robot.subscription = node_->create_subscription<msg::RobotControlState>(
          name + "/robot_state", rclcpp::QoS(1).transient_local(),
          [&robot](const msg::RobotControlState& state) { robot.state = state.state; });
    }
    truth_ = node_->create_subscription<msg::SimulationState>(
        "ground_truth", rclcpp::QoS(1), [this](const msg::SimulationState& state) { on_truth(state); });
  }

  template <class Condition>
  bool until(Condition condition) {
    return hl_testing::spin_closely_until(executor_, condition, minutes(4));
  }

  std::array<Robot, 2> robots;

 private:
  void on_truth(const msg::SimulationState& state) {
    for (std::size_t n = 0; n < robots.size(); ++n) {
      robots[n].x = state.robots.at(n).pose.position.x;
      robots[n].y = state.robots.at(n).pose.position.y;
      robots[n].upright = state.robots.at(n).upright;
      robots[n].cmd_vel->publish(robots[n].command);
    }
  }

  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Subscription<msg::SimulationState>::SharedPtr truth_;
};

}  // namespace

TEST(TwoRobots, EachWalksWhereItsOwnNamespaceSays) {
  Process world({"ros2", "launch", "hl_bringup", "simulation.launch.xml", "robots:=2", "composed:=true", "speed:=0.0",
                 "lockstep:=['*']"});
  Trainer trainer;
  auto& robots = trainer.robots;
  ASSERT_TRUE(trainer.until([&] { return robots[0].stands() && robots[1].stands(); })) << world.output();
  for (std::size_t n = 0; n < robots.size(); ++n) {
    Trainer::Robot& walker = robots[n];
    const Trainer::Robot& other = robots[1 - n];
    const double x = walker.x, y = walker.y, other_x = other.x, other_y = other.y;
    walker.command.linear.x = 0.2;
    EXPECT_TRUE(trainer.until([&] { return std::hypot(walker.x - x, walker.y - y) > 0.5 || !walker.upright; }))
        << world.output();
    EXPECT_TRUE(walker.upright) << "robot " << n + 1 << "\n" << world.output();
    EXPECT_LT(std::hypot(other.x - other_x, other.y - other_y), 0.03) << "robot " << 2 - n << " walks, too";
    walker.command.linear.x = 0.0;
    EXPECT_TRUE(trainer.until([&] { return walker.stands(); })) << world.output();
  }
  Process contract({"ros2", "run", "hl_bringup", "check_contract", "--patience", "120"});
  EXPECT_EQ(contract.wait(seconds(240)), 0) << contract.output();
  EXPECT_NE(contract.output().find("/robot1: "), std::string::npos) << contract.output();
  EXPECT_NE(contract.output().find("/robot2: "), std::string::npos) << contract.output();
  EXPECT_TRUE(world.stop(seconds(30)).has_value());
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
