// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <utility>

#include "rclcpp/time.hpp"
#include "rclcpp_action/exceptions.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

template <typename ActionT>
class Client;

/// A goal of any action, as its client knows it.
class ClientGoalHandleBase {
 public:
  virtual ~ClientGoalHandleBase() = default;

  const GoalUUID& get_goal_id() const { return goal_id_; }
  rclcpp::Time get_goal_stamp() const { return stamp_; }
  /// The last state heard of, GoalStatus::STATUS_*.
  int8_t get_status() { return status_; }

 protected:
  friend class ClientBase;
  ClientGoalHandleBase(const GoalUUID& goal_id, const rclcpp::Time& stamp) : goal_id_(goal_id), stamp_(stamp) {}

  /// The client goes away, so there will be no result.
  virtual void invalidate() = 0;

  const GoalUUID goal_id_;
  const rclcpp::Time stamp_;
  std::atomic<int8_t> status_{GoalStatus::STATUS_ACCEPTED};
};

/// A goal that a server accepted, on the side of the client that sent it.
template <typename ActionT>
class ClientGoalHandle : public ClientGoalHandleBase {
 public:
  using SharedPtr = std::shared_ptr<ClientGoalHandle<ActionT>>;
  using WeakPtr = std::weak_ptr<ClientGoalHandle<ActionT>>;
  using Feedback = typename ActionT::Feedback;
  using Result = typename ActionT::Result;

  struct WrappedResult {
    GoalUUID goal_id;
    ResultCode code;
    typename Result::SharedPtr result;
  };
  using FeedbackCallback = std::function<void(SharedPtr, const std::shared_ptr<const Feedback>)>;
  using ResultCallback = std::function<void(const WrappedResult& result)>;

  /// Made by the client when a server accepts.
  ClientGoalHandle(const GoalUUID& goal_id, const rclcpp::Time& stamp, FeedbackCallback feedback_callback,
                   ResultCallback result_callback)
      : ClientGoalHandleBase(goal_id, stamp),
        feedback_callback_(std::move(feedback_callback)),
        result_callback_(std::move(result_callback)),
        result_(promise_.get_future()) {}

  bool is_feedback_aware() { return static_cast<bool>(feedback_callback_); }
  /// Whether the client has asked the server for the result.
  bool is_result_aware() {
    std::lock_guard<std::mutex> lock(mutex_);
    return result_aware_;
  }

 private:
  friend class Client<ActionT>;

  /// True for the first who wants the result.
  bool become_result_aware(const ResultCallback& callback) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (callback) {
      result_callback_ = callback;
    }
    return !std::exchange(result_aware_, true);
  }
  void set_result(const WrappedResult& result) {
    ResultCallback callback;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (std::exchange(settled_, true)) {
        return;
      }
      status_ = static_cast<int8_t>(result.code);
      callback = result_callback_;
      promise_.set_value(result);
    }
    if (callback) {
      callback(result);
    }
  }
  void invalidate() override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!std::exchange(settled_, true)) {
      promise_.set_exception(std::make_exception_ptr(exceptions::UnawareGoalHandleError(
          "the action client was destroyed before the result of goal " + to_string(goal_id_) + " arrived")));
    }
  }

  const FeedbackCallback feedback_callback_;
  std::mutex mutex_;
  ResultCallback result_callback_;
  bool result_aware_ = false;
  bool settled_ = false;  // the promise has its value
  std::promise<WrappedResult> promise_;
  const std::shared_future<WrappedResult> result_;
};

}  // namespace rclcpp_action
