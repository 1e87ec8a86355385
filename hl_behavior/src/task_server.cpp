// SPDX-License-Identifier: Apache-2.0
#include "task_server.hpp"

#include <utility>

namespace hl_behavior {
namespace {

using RunTask = TaskServer::RunTask;
using State = rtdl::Interpreter::State;

std::uint8_t outcome_of(State state) {
  switch (state) {
    case State::Succeeded:
      return RunTask::Result::COMPLETED;
    case State::Cancelled:
      return RunTask::Result::CANCELLED;
    case State::TimedOut:
      return RunTask::Result::TIMEOUT;
    default:
      return RunTask::Result::FAILED;
  }
}

}  // namespace

TaskServer::TaskServer(rclcpp::Node& node, const rtdl::Tasks::Params& params, rtdl::Library library,
                       const hl_description::Field& field, const Knowledge& knowledge)
    : node_(node), tasks_(params, std::move(library), field), knowledge_(knowledge) {
  server_ = rclcpp_action::create_server<RunTask>(
      &node, "run_task",
      // Every goal is taken, so that its result can say why it was refused.
      [](const rclcpp_action::GoalUUID&, std::shared_ptr<const RunTask::Goal>) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](const std::shared_ptr<Handle>&) { return rclcpp_action::CancelResponse::ACCEPT; },
      [this](const std::shared_ptr<Handle>& handle) { begin(handle); });
}

void TaskServer::begin(const std::shared_ptr<Handle>& handle) {
  const auto goal = handle->get_goal();
  rtdl::Tasks::Request request{goal->text, goal->name, goal->arguments, std::nullopt};
  if (goal->time_limit > 0.0F) request.time_limit = static_cast<double>(goal->time_limit);
  const auto refusal = tasks_.begin(request, knowledge_, node_.get_clock()->now().seconds());
  if (!refusal) {
    handle_ = handle;
    told_.clear();
    RCLCPP_INFO(node_.get_logger(), "task '%s' decides", tasks_.name().c_str());
    return;
  }
  auto result = std::make_shared<RunTask::Result>();
  result->outcome =
      refusal->kind == rtdl::Tasks::Refusal::Kind::Invalid ? RunTask::Result::INVALID : RunTask::Result::REFUSED;
  result->reason = refusal->reason;
  result->diagnostics = refusal->diagnostics;
  handle->abort(result);
}

std::optional<Decision> TaskServer::step(const TacticsParams& tactics, const Behavior::Outputs* last, double now) {
  if (!handle_) return std::nullopt;
  if (handle_->is_canceling()) tasks_.cancel("cancelled", now);
  const auto decision = tasks_.step(knowledge_, tactics, last, now);
  tell(tasks_.take_events(), tasks_.outputs().active);
  if (!tasks_.active()) finish(outcome_of(tasks_.state()), tasks_.reason());
  return decision;
}

void TaskServer::tell(const std::vector<std::string>& events, const std::vector<std::string>& active) {
  if (events.empty() && active == told_) return;
  told_ = active;
  auto feedback = std::make_shared<RunTask::Feedback>();
  feedback->active = active;
  feedback->events = events;
  handle_->publish_feedback(feedback);
}

void TaskServer::finish(std::uint8_t outcome, const std::string& reason) {
  auto result = std::make_shared<RunTask::Result>();
  result->outcome = outcome;
  result->reason = reason;
  RCLCPP_INFO(node_.get_logger(), "task '%s' has ended%s%s; tactics decides", tasks_.name().c_str(),
              reason.empty() ? "" : ": ", reason.c_str());
  const auto handle = std::exchange(handle_, nullptr);
  if (handle->is_canceling())
    handle->canceled(result);
  else if (outcome == RunTask::Result::COMPLETED)
    handle->succeed(result);
  else
    handle->abort(result);
}

}  // namespace hl_behavior
