// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "builtin_interfaces/msg/time.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

class ServerBase;

namespace detail {

/// The state machine of one goal on the server.
class ServerGoal {
 public:
  enum class Event { Execute, CancelGoal, Succeed, Abort, Canceled };

  ServerGoal(const GoalUUID& goal_id, const builtin_interfaces::msg::Time& accepted) : id(goal_id), stamp(accepted) {}

  int8_t status() const { return status_; }
  /// Changes the state, if it allows the event.
  bool apply(Event event) noexcept;

  const GoalUUID id;
  const builtin_interfaces::msg::Time stamp;  // when it was accepted

 private:
  std::atomic<int8_t> status_{GoalStatus::STATUS_ACCEPTED};
};

}  // namespace detail

class ServerGoalHandleBase {
 public:
  /// A client asked for the end, and the server agreed: call `canceled` as soon as possible.
  bool is_canceling() const { return goal_->status() == GoalStatus::STATUS_CANCELING; }
  bool is_executing() const { return goal_->status() == GoalStatus::STATUS_EXECUTING; }
  /// Not at its end: accepted, executing or canceling.
  bool is_active() const;

 protected:
  ServerGoalHandleBase(std::shared_ptr<detail::ServerGoal> goal, std::weak_ptr<ServerBase> server)
      : goal_(std::move(goal)), server_(std::move(server)) {}
  ~ServerGoalHandleBase() = default;

  void begin();
  void end(detail::ServerGoal::Event event, std::shared_ptr<void> response);
  /// For a handle that dies before its goal's end: nobody could ever end it.
  void abandon(std::shared_ptr<void> response) noexcept;

  const std::shared_ptr<detail::ServerGoal> goal_;

 private:
  const std::weak_ptr<ServerBase> server_;
};

/// A goal that the server accepted. Its methods may be called from any thread. If all copies of the handle are dropped
/// before the goal's end, the goal counts as canceled.
template <typename ActionT>
class ServerGoalHandle : public ServerGoalHandleBase {
 public:
  using Response = typename ActionT::Impl::GetResultService::Response;
  using FeedbackMessage = typename ActionT::Impl::FeedbackMessage;

  ServerGoalHandle(std::shared_ptr<detail::ServerGoal> state, std::weak_ptr<ServerBase> server,
                   std::shared_ptr<const typename ActionT::Goal> goal,
                   std::weak_ptr<rclcpp::Publisher<FeedbackMessage>> feedback)
      : ServerGoalHandleBase(std::move(state), std::move(server)),
        goal_message_(std::move(goal)),
        feedback_(std::move(feedback)) {}
  ~ServerGoalHandle() {
    if (is_active()) {
      abandon(response(GoalStatus::STATUS_CANCELED, typename ActionT::Result()));
    }
  }
  ServerGoalHandle(const ServerGoalHandle&) = delete;
  ServerGoalHandle& operator=(const ServerGoalHandle&) = delete;

  std::shared_ptr<const typename ActionT::Goal> get_goal() const { return goal_message_; }
  const GoalUUID& get_goal_id() const { return goal_->id; }

  void publish_feedback(std::shared_ptr<typename ActionT::Feedback> feedback) {
    if (const auto publisher = feedback_.lock()) {
      auto message = std::make_unique<FeedbackMessage>();
      message->goal_id.uuid = goal_->id;
      message->feedback = *feedback;
      publisher->publish(std::move(message));
    }
  }

  /// Starts a goal that was deferred.
  void execute() { begin(); }
  /// The three ends; each throws if the goal is not in a state from which it can be reached.
  void succeed(typename ActionT::Result::SharedPtr result) {
    end(detail::ServerGoal::Event::Succeed, response(GoalStatus::STATUS_SUCCEEDED, *result));
  }
  void abort(typename ActionT::Result::SharedPtr result) {
    end(detail::ServerGoal::Event::Abort, response(GoalStatus::STATUS_ABORTED, *result));
  }
  void canceled(typename ActionT::Result::SharedPtr result) {
    end(detail::ServerGoal::Event::Canceled, response(GoalStatus::STATUS_CANCELED, *result));
  }

 private:
  static std::shared_ptr<Response> response(int8_t status, const typename ActionT::Result& result) {
    auto response = std::make_shared<Response>();
    response->status = status;
    response->result = result;
    return response;
  }

  const std::shared_ptr<const typename ActionT::Goal> goal_message_;
  const std::weak_ptr<rclcpp::Publisher<FeedbackMessage>> feedback_;
};

}  // namespace rclcpp_action
