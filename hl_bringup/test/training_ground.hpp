// SPDX-License-Identifier: Apache-2.0
// Robots of one team on a simulated field with all their nodes, started by the launch file, and a trainer who puts them
// and the ball down, lets `rtdl run` start their tasks and looks on.
#pragma once

#include <functional>
#include <hl_match/drills.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "hl_testing/process.hpp"

namespace hl_bringup {

class TrainingGround {
 public:
  /// Throws std::runtime_error if the nodes do not come up. The robots stand until they get a task. `arguments` are for
  /// the launch file: simulation.launch.xml of this package, or another `file` that starts as many robots.
  TrainingGround(std::size_t robots, std::uint64_t seed, const std::vector<std::string>& arguments = {},
                 const std::string& file = {});
  ~TrainingGround();

  /// Puts everything down and waits until the robots stand there.
  void place(const hl_match::Drill::Start& start);
  /// `rtdl run FILE ARGUMENTS` for one robot.
  void run_task(std::size_t robot, const std::string& file, const std::vector<std::string>& arguments,
                double time_limit);

  /// Looks on for `seconds` of simulated time, or until `done` says so of what it is shown.
  void watch(double seconds, const std::function<bool(const hl_match::DrillView&)>& done);
  const hl_match::DrillView& view() const { return view_; }
  std::size_t falls() const { return falls_; }
  /// For subscriptions of one's own, which `watch` serves.
  const rclcpp::Node::SharedPtr& node() const { return node_; }

  /// What `rtdl run` printed for this robot.
  std::string trace(std::size_t robot) { return trainees_[robot].task ? trainees_[robot].task->output() : ""; }
  /// The last lines of what the nodes said, and of it the last warnings and errors.
  std::string log();
  std::string complaints();

 private:
  using RobotControlState = humanoid_league_msgs::msg::RobotControlState;
  using SimulationState = humanoid_league_msgs::msg::SimulationState;

  struct Trainee {
    std::string name;  // namespace; empty for the only one
    std::uint8_t state = RobotControlState::STARTUP;
    bool heard = false;
    std::unique_ptr<hl_testing::Process> task;
    rclcpp::Subscription<RobotControlState>::SharedPtr subscription;
    std::string topic(const std::string& local) const { return name.empty() ? "/" + local : "/" + name + "/" + local; }
  };

  void on_truth(const SimulationState& state);
  void on_state(Trainee& trainee, const RobotControlState& state);
  void check_world();  // throws if the launch file has ended
  bool wait_for(const std::function<bool()>& condition);
  template <class Service>
  void order(const std::string& service, const typename Service::Request& request);
  bool all_stand() const;

  hl_testing::Process world_;
  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::vector<Trainee> trainees_;
  rclcpp::Subscription<SimulationState>::SharedPtr truth_;
  hl_match::DrillView view_;
  std::size_t falls_ = 0;
};

}  // namespace hl_bringup
