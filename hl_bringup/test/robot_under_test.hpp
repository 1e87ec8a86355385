// SPDX-License-Identifier: Apache-2.0
// The whole robot in simulation, started by the launch file, for tests that push it, penalise it and kill its nodes.
#pragma once

#include <functional>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/reset_simulation.hpp>
#include <memory>
#include <rcl_interfaces/srv/set_parameters.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <string>
#include <vector>

#include "hl_testing/process.hpp"
#include "show_robot.hpp"

namespace hl_bringup {

/// How simulated time passes.
enum class Pace {
  LockStep,  // as fast as the machine allows; the world waits for the robot
  RealTime   // not faster than real time, and the world goes on when the robot is silent
};

class RobotUnderTest {
 public:
  /// Starts simulator, stack and referee; throws if they do not come up. `arguments` are for the launch file.
  explicit RobotUnderTest(const std::vector<std::string>& arguments = {});
  ~RobotUnderTest();

  ShowRobot& robot() { return *robot_; }
  const Truth& truth() const { return *robot_->truth(); }
  double time() const { return truth().time; }  // s, simulated
  bool stands() const { return truth().upright && robot_->state() == RobotControlState::CONTROLLABLE; }

  /// When the HCM began its last fall, s; before the last `reset`: negative.
  double falling_since() const { return falling_since_; }
  /// When something other than feet, forearms or hands touched the ground, s; negative: not since the last `reset`.
  double hit_ground_at() const { return hit_ground_at_; }
  /// Highest speed of a joint since the last `kill` or `reset`, rad/s.
  double fastest_joint() const { return fastest_joint_; }
  /// When `paused` became true, s; negative: it is not.
  double paused_since() const { return paused_since_; }

  void set(Pace pace);
  /// Everything back at its start with a new seed of the noise; waits until the robot stands. False if it does not.
  bool reset(std::uint64_t seed);

  /// Looks at the world every 20 ms of simulated time until `done` holds; false if it did not within `seconds`. `look`
  /// may command the robot.
  bool run(double seconds, const std::function<bool()>& done);

  /// Breaks the robot's hardware, or heals it (NONE).
  void inject(std::uint8_t fault);

  /// kill -9 of the process that runs this node; true if there was one.
  bool kill(const std::string& node);
  /// The process that runs this node, 0 if there is none.
  pid_t process_of(const std::string& node) const;

  /// The last lines of what the nodes said.
  std::string log();

 private:
  void spin();

  hl_testing::Process world_;
  rclcpp::Node::SharedPtr node_;
  std::unique_ptr<ShowRobot> robot_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Client<humanoid_league_msgs::srv::ResetSimulation>::SharedPtr reset_;
  rclcpp::Subscription<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_subscription_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_subscription_;
  rclcpp::Subscription<std_msgs::msg::Bool>::SharedPtr paused_subscription_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joints_subscription_;
  double falling_since_ = -1.0, hit_ground_at_ = -1.0, paused_since_ = -1.0;
  double fastest_joint_ = 0.0;
};

}  // namespace hl_bringup
