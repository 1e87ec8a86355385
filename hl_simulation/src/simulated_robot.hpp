// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <hl_description/robot_config.hpp>
#include <hl_joints/goal_player.hpp>
#include <hl_robot_interface/health.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// Runs something that touches the world while the physics rests.
using WithWorld = std::function<void(const std::function<void()>&)>;

/// A robot of the simulator, as the node sees it. How its hardware contract is met is up to the kind: `RobotInterface`
/// does it directly, `BusRobot` leaves it to the driver of the real robot.
class SimulatedRobot {
 public:
  struct Config {
    std::string name;  // namespace; empty: none
    int team = 0, player = 0;
    bool attacks_minus_x = false;  // its team's map is the world turned by half a turn
    hl_description::RobotConfig robot;
    hl_joints::GoalPlayer::Params goals;
    hl_robot_interface::HealthLimits limits;
    double publish_rate = 125.0;  // Hz, reported as bus rate
    std::string bus_port;         // link to its emulated bus; empty: it has none
  };

  SimulatedRobot(rclcpp::Node& node, const Config& config, Robot& robot);
  virtual ~SimulatedRobot() = default;
  SimulatedRobot(const SimulatedRobot&) = delete;
  SimulatedRobot& operator=(const SimulatedRobot&) = delete;

  const Config& config() const { return config_; }
  Robot& robot() { return robot_; }
  std::string topic(const std::string& name) const { return config_.name.empty() ? name : config_.name + "/" + name; }

  // Called by the physics loop, with the world at rest.
  virtual void apply_goals(double now) = 0;
  virtual void publish_sensors(double now, double simulation_time) = 0;  // bus rate
  virtual void publish_state(double now) = 0;                            // and what is published seldom
  virtual void forget_goals() = 0;                                       // after a jump of the world
  virtual void press(const std::string& button, double until) = 0;
  virtual std::optional<std::string> inject(const humanoid_league_msgs::srv::InjectFault::Request& request) = 0;

  void publish_ground_truth(const humanoid_league_msgs::msg::SimulationState& in_world);

  virtual double last_goal_stamp() const { return last_goal_stamp_; }  // s, of the newest accepted motor_goals
  std::uint64_t goals_received() const { return goals_received_; }     // accepted
  /// s that the answers of the robot's nodes may lag behind in lock-step.
  virtual double answer_lag() const { return 0.0; }

 protected:
  /// Goals have a group of their own, so that a service that waits for the physics does not hold them up.
  const rclcpp::CallbackGroup::SharedPtr& goals_group() const { return goals_group_; }
  void note_goals(double stamp);

  rclcpp::Node& node_;
  Config config_;
  Robot& robot_;

 private:
  std::atomic<double> last_goal_stamp_{-1.0};
  std::atomic<std::uint64_t> goals_received_{0};
  rclcpp::CallbackGroup::SharedPtr goals_group_;
  rclcpp::Publisher<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_publisher_;
};

/// Seconds of simulated time as a stamp.
builtin_interfaces::msg::Time to_stamp(double seconds);
double to_seconds(const builtin_interfaces::msg::Time& stamp);

}  // namespace hl_simulation
