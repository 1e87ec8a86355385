// SPDX-License-Identifier: Apache-2.0
// The whole robot above the emulated servo bus: the driver of the real robot, byte by byte. The world waits for the
// robot (bus time, lock-step) and never runs ahead of real time, so that the outcome does not depend on the machine's
// load.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <geometry_msgs/msg/twist.hpp>
#include <hl_description/geometry.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/spinning.hpp"
#include "on_the_bus.hpp"

using hl_testing::Process;
namespace msg = humanoid_league_msgs::msg;

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

std::vector<std::string> robot_on_the_bus(const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> command{"ros2", "launch", "hl_bringup", "simulation.launch.xml", "lockstep:=['*']"};
  const auto bus = hl_bringup::on_the_bus();
  command.insert(command.end(), bus.begin(), bus.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// The end of a text: what went wrong stands there.
std::string tail(const std::string& text) {
  constexpr std::size_t kLength = 4000;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

/// Sees the robot from outside and tells it where to walk.
class Trainer {
 public:
  Trainer() : node_(std::make_shared<rclcpp::Node>("trainer")) {
    executor_.add_node(node_);
    velocity_ = node_->create_publisher<geometry_msgs::msg::Twist>("cmd_vel", 1);
    truth_ = node_->create_subscription<msg::SimulationState>(
        "ground_truth", rclcpp::QoS(1), [this](const msg::SimulationState& state) { on_truth(state); });
    state_ = node_->create_subscription<msg::RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(),
        [this](const msg::RobotControlState& state) { robot_state = state.state; });
    hardware_ = node_->create_subscription<msg::HardwareState>(
        "hardware_state", rclcpp::QoS(10), [this](const msg::HardwareState& state) { bus_rate = state.bus_rate; });
  }

  template <class Condition>
  bool until(Condition condition, std::chrono::milliseconds patience = minutes(5)) {
    return hl_testing::spin_closely_until(executor_, condition, patience);
  }

  /// Walks so for `duration` s of simulated time; false if the robot went down or the world stood still.
  bool walk(double forward, double left, double turn, double duration) {
    command_.linear.x = forward;
    command_.linear.y = left;
    command_.angular.z = turn;
    const double end = time + duration;
    return until([&] { return time >= end || !upright; }) && upright;
  }

  double time = 0.0;  // s, simulated
  bool upright = false, held = true;
  double walked = 0.0, turned = 0.0;  // m, rad
  std::optional<std::uint8_t> robot_state;
  float bus_rate = 0.0f;

 private:
  void on_truth(const msg::SimulationState& state) {
    const auto& robot = state.robots.at(0);
    const auto& q = robot.pose.orientation;
    const double yaw = hl_description::yaw_of({q.w, q.x, q.y, q.z});
    time = rclcpp::Time(state.header.stamp).seconds();
    upright = robot.upright;
    held = robot.held;
    if (last_) {
      walked += std::hypot(robot.pose.position.x - last_->x, robot.pose.position.y - last_->y);
      turned += std::abs(hl_description::wrap_angle(yaw - last_->z));
    }
    last_ = robot.pose.position;
    last_->z = yaw;
    velocity_->publish(command_);
  }

  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  geometry_msgs::msg::Twist command_;
  std::optional<geometry_msgs::msg::Point> last_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr velocity_;
  rclcpp::Subscription<msg::SimulationState>::SharedPtr truth_;
  rclcpp::Subscription<msg::RobotControlState>::SharedPtr state_;
  rclcpp::Subscription<msg::HardwareState>::SharedPtr hardware_;
};

}  // namespace

TEST(Bus, TheRobotWalksWithoutAFall) {
  Process world(robot_on_the_bus({"referee:=false"}));
  Trainer trainer;
  ASSERT_TRUE(trainer.until([&] {
    return trainer.upright && !trainer.held && trainer.robot_state == msg::RobotControlState::CONTROLLABLE;
  })) << tail(world.output());

  struct Leg {
    double forward, left, turn;  // m/s, m/s, rad/s
  };
  constexpr Leg kLegs[] = {{0.2, 0.0, 0.0},  {0.15, 0.0, 0.5}, {0.0, 0.06, 0.0}, {0.25, 0.0, 0.0},
                           {0.1, 0.0, -0.5}, {-0.1, 0.0, 0.0}, {0.0, 0.0, 0.6},  {0.15, -0.05, 0.2}};
  const double duration = hl_testing::full_run() ? 60.0 : 6.0;  // s of bus time
  const double each = hl_testing::full_run() ? 5.0 : 3.0;
  const double start = trainer.time;
  const auto wall = std::chrono::steady_clock::now();
  for (std::size_t n = 0; trainer.time < start + duration; ++n) {
    const Leg& leg = kLegs[n % std::size(kLegs)];
    ASSERT_TRUE(trainer.walk(leg.forward, leg.left, leg.turn, each))
        << "down or stuck at " << trainer.time - start << " s, leg " << n << "\n"
        << tail(world.output());
  }
  const double real = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  std::printf("walked %.1f s of bus time (%.1f s real): %.2f m, %.1f rad, %.0f cycles per s of real time, no fall\n",
              trainer.time - start, real, trainer.walked, trainer.turned, static_cast<double>(trainer.bus_rate));
  EXPECT_GT(trainer.walked, 0.05 * (trainer.time - start));
  ASSERT_TRUE(trainer.walk(0.0, 0.0, 0.0, 2.0)) << tail(world.output());
  Process contract({"ros2", "run", "hl_bringup", "check_contract", "--patience", "120", "--with",
                    "hardware"});  // with the driver in it
  EXPECT_EQ(contract.wait(seconds(240)), 0) << tail(contract.output());
  EXPECT_TRUE(world.stop(seconds(30)).has_value());
}

TEST(Bus, TheWholeShowIsPlayed) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "in ./test --full";
  Process world(robot_on_the_bus());
  Process director({"ros2", "run", "hl_bringup", "show", "--ros-args", "-p", "use_sim_time:=true"});
  EXPECT_EQ(director.wait(minutes(25)), 0) << tail(director.output()) << tail(world.output());
  world.stop(seconds(30));
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
