// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/action/run_task.hpp>
#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <string>
#include <vector>

#include "hl_behavior/rtdl/tasks.hpp"

namespace hl_behavior {

/// The action `run_task`: one task at a time; its decisions count instead of the tactics' while it runs.
class TaskServer {
 public:
  using RunTask = humanoid_league_msgs::action::RunTask;

  /// `knowledge` is what the behaviour knows; it must outlive the server.
  TaskServer(rclcpp::Node& node, const rtdl::Tasks::Params& params, rtdl::Library library,
             const hl_description::Field& field, const Knowledge& knowledge);

  void set_params(const rtdl::Tasks::Params& params) { tasks_.set_params(params); }

  /// The decision of the running task, before each step of the behaviour.
  std::optional<Decision> step(const TacticsParams& tactics, const Behavior::Outputs* last, double now);

  const rtdl::Tasks& tasks() const { return tasks_; }

 private:
  using Handle = rclcpp_action::ServerGoalHandle<RunTask>;
  void begin(const std::shared_ptr<Handle>& handle);
  void tell(const std::vector<std::string>& events, const std::vector<std::string>& active);
  void finish(std::uint8_t outcome, const std::string& reason);

  rclcpp::Node& node_;
  rtdl::Tasks tasks_;
  const Knowledge& knowledge_;
  std::shared_ptr<Handle> handle_;  // of the task that runs
  std::vector<std::string> told_;   // active statements
  rclcpp_action::Server<RunTask>::SharedPtr server_;
};

}  // namespace hl_behavior
