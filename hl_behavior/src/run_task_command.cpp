// SPDX-License-Identifier: Apache-2.0
#include "run_task_command.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <humanoid_league_msgs/action/run_task.hpp>
#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>

namespace hl_behavior {
namespace {

using namespace std::chrono_literals;
using humanoid_league_msgs::action::RunTask;
using Handle = rclcpp_action::ClientGoalHandle<RunTask>;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t g_interrupts = 0;

void on_signal(int) {
  g_interrupts = g_interrupts + 1;
}

const char* name_of(std::uint8_t outcome) {
  static constexpr const char* kNames[] = {"completed", "failed", "cancelled", "invalid", "refused", "timed out"};
  return outcome < 6 ? kNames[outcome] : "ended";
}

/// One run of the task, as the robot tells of it.
class Run {
 public:
  explicit Run(const RunTaskCommand& command)
      : command_(command),
        node_(rclcpp::Node::make_shared("rtdl", command.robot)),
        client_(rclcpp_action::create_client<RunTask>(node_, "run_task")) {
    executor_.add_node(node_);
  }

  int run() {
    if (!wait([this] { return client_->action_server_is_ready(); })) {
      if (g_interrupts > 0) return RunTaskCommand::kInterrupted;
      std::fprintf(stderr, "rtdl: nobody offers the action %s%srun_task: does the node behavior run?\n",
                   command_.robot.c_str(), command_.robot.empty() ? "" : "/");
      return RunTaskCommand::kTrouble;
    }
    send();
    bool asked = false;
    while (rclcpp::ok() && !result_) {
      executor_.spin_once(20ms);
      if (g_interrupts > 1) return RunTaskCommand::kInterrupted;
      if (g_interrupts > 0 && handle_ && !asked) {
        asked = true;
        std::puts("cancelling");
        client_->async_cancel_goal(handle_);
      }
      if (answered_ && !handle_ && !result_) {
        std::fputs("rtdl: the robot did not take the task\n", stderr);
        return RunTaskCommand::kTrouble;
      }
      if (handle_ && !client_->action_server_is_ready()) {
        std::fputs("rtdl: the node behavior is gone\n", stderr);
        return RunTaskCommand::kTrouble;
      }
    }
    if (!result_) return RunTaskCommand::kTrouble;
    return tell();
  }

 private:
  template <class Condition>
  bool wait(Condition condition) {
    const auto end = Clock::now() + std::chrono::duration<double>(command_.patience);
    while (!condition() && Clock::now() < end && g_interrupts == 0) executor_.spin_once(20ms);
    return condition();
  }

  void send() {
    RunTask::Goal goal;
    goal.text = command_.text;
    goal.name = command_.name;
    goal.arguments = command_.arguments;
    goal.time_limit = static_cast<float>(command_.time_limit);
    rclcpp_action::Client<RunTask>::SendGoalOptions options;
    options.goal_response_callback = [this](const Handle::SharedPtr& handle) {
      answered_ = true;
      handle_ = handle;
    };
    options.feedback_callback = [](const Handle::SharedPtr&, const std::shared_ptr<const RunTask::Feedback>& feedback) {
      for (const std::string& event : feedback->events) std::puts(event.c_str());
      std::fflush(stdout);
    };
    options.result_callback = [this](const Handle::WrappedResult& result) { result_ = *result.result; };
    client_->async_send_goal(goal, options);
  }

  int tell() const {
    for (const std::string& line : result_->diagnostics) std::fprintf(stderr, "%s\n", line.c_str());
    std::printf("%s%s%s\n", name_of(result_->outcome), result_->reason.empty() ? "" : ": ", result_->reason.c_str());
    if (result_->outcome == RunTask::Result::COMPLETED) return RunTaskCommand::kCompleted;
    return result_->outcome == RunTask::Result::CANCELLED && g_interrupts > 0 ? RunTaskCommand::kInterrupted
                                                                              : RunTaskCommand::kFailed;
  }

  const RunTaskCommand& command_;
  rclcpp::Node::SharedPtr node_;
  rclcpp_action::Client<RunTask>::SharedPtr client_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  Handle::SharedPtr handle_;
  bool answered_ = false;
  std::optional<RunTask::Result> result_;
};

}  // namespace

int RunTaskCommand::run(int argc, char** argv) const {
  rclcpp::init(argc, argv, rclcpp::InitOptions(), rclcpp::SignalHandlerOptions::None);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const int code = Run(*this).run();
  rclcpp::shutdown();
  return code;
}

}  // namespace hl_behavior
