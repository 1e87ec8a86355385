// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "action_msgs/srv/cancel_goal.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/subscription.hpp"
#include "rclcpp_action/client_goal_handle.hpp"
#include "rclcpp_action/exceptions.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

/// What clients of all actions have in common: the goals under way, their states, cancelling.
class ClientBase : public std::enable_shared_from_this<ClientBase> {
 public:
  virtual ~ClientBase();
  ClientBase(const ClientBase&) = delete;
  ClientBase& operator=(const ClientBase&) = delete;

  bool action_server_is_ready() const;
  /// A negative timeout waits for ever; false after it, or if the context is shut down.
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_action_server(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_action_server_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

 protected:
  using CancelService = action_msgs::srv::CancelGoal;
  using CancelCallback = std::function<void(CancelService::Response::SharedPtr)>;

  ClientBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
             rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
             rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string& name);

  /// Begins to receive states. Called once, when a shared pointer owns the client and its other channels exist.
  void start_base(const rclcpp::CallbackGroup::SharedPtr& group, rclcpp::ClientBase::SharedPtr send_goal,
                  rclcpp::ClientBase::SharedPtr get_result, rclcpp::SubscriptionBase::SharedPtr feedback);

  rclcpp::node_interfaces::NodeBaseInterface* node_base() const;
  std::string channel(const char* name) const;  // "<action>/_action/<name>"

  static GoalUUID new_goal_id();
  void add_goal(const std::shared_ptr<ClientGoalHandleBase>& goal);
  void remove_goal(const GoalUUID& id);
  std::shared_ptr<ClientGoalHandleBase> find_goal(const GoalUUID& id) const;
  /// Throws UnknownGoalHandleError.
  void require_known(const ClientGoalHandleBase& goal) const;

  std::shared_future<CancelService::Response::SharedPtr> cancel(const GoalUUID& id, const rclcpp::Time& stamp,
                                                                CancelCallback callback);
  bool wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sends goals to an action server. Answers, feedback and results are received by the executor the node is in.
template <typename ActionT>
class Client : public ClientBase {
 public:
  using SharedPtr = std::shared_ptr<Client<ActionT>>;
  using WeakPtr = std::weak_ptr<Client<ActionT>>;
  using Goal = typename ActionT::Goal;
  using Feedback = typename ActionT::Feedback;
  using GoalHandle = ClientGoalHandle<ActionT>;
  using WrappedResult = typename GoalHandle::WrappedResult;
  using GoalResponseCallback = std::function<void(typename GoalHandle::SharedPtr)>;
  using FeedbackCallback = typename GoalHandle::FeedbackCallback;
  using ResultCallback = typename GoalHandle::ResultCallback;
  using CancelRequest = CancelService::Request;
  using CancelResponse = CancelService::Response;
  using CancelCallback = ClientBase::CancelCallback;

  struct SendGoalOptions {
    GoalResponseCallback goal_response_callback;  // gets null if the goal is rejected
    FeedbackCallback feedback_callback;
    ResultCallback result_callback;  // without it the result is only fetched by async_get_result
  };

  Client(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
         rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
         rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string& name)
      : ClientBase(std::move(node_base), std::move(node_graph), std::move(node_logging), name) {}

  /// The future holds null if the goal is rejected.
  std::shared_future<typename GoalHandle::SharedPtr> async_send_goal(
      const Goal& goal, const SendGoalOptions& options = SendGoalOptions()) {
    auto request = std::make_shared<typename SendGoal::Request>();
    request->goal_id.uuid = new_goal_id();
    request->goal = goal;
    const auto promise = std::make_shared<std::promise<typename GoalHandle::SharedPtr>>();
    std::shared_future<typename GoalHandle::SharedPtr> future = promise->get_future();
    send_goal_->async_send_request(request, [weak = weak_from_this(), id = request->goal_id.uuid, promise,
                                             options](typename rclcpp::Client<SendGoal>::SharedFuture response) {
      if (const auto self = std::static_pointer_cast<Client>(weak.lock())) {
        self->on_goal_response(id, *response.get(), *promise, options);
      }
    });
    return future;
  }

  /// Throws UnknownGoalHandleError for a goal that is not of this client.
  std::shared_future<WrappedResult> async_get_result(typename GoalHandle::SharedPtr goal_handle,
                                                     ResultCallback result_callback = nullptr) {
    if (goal_handle->result_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      require_known(*goal_handle);
    }
    fetch_result(goal_handle, result_callback);
    return goal_handle->result_;
  }

  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_goal(typename GoalHandle::SharedPtr goal_handle,
                                                                           CancelCallback cancel_callback = nullptr) {
    require_known(*goal_handle);
    return cancel(goal_handle->get_goal_id(), rclcpp::Time(), std::move(cancel_callback));
  }
  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_all_goals(
      CancelCallback cancel_callback = nullptr) {
    return cancel(GoalUUID{}, rclcpp::Time(), std::move(cancel_callback));
  }
  /// All goals that were accepted at or before `stamp`.
  std::shared_future<typename CancelResponse::SharedPtr> async_cancel_goals_before(
      const rclcpp::Time& stamp, CancelCallback cancel_callback = nullptr) {
    return cancel(GoalUUID{}, stamp, std::move(cancel_callback));
  }

  /// Begins to receive. Called once, by create_client.
  void start(const rclcpp::CallbackGroup::SharedPtr& group) {
    const auto callback_group = node_base()->group_or_default(group);
    send_goal_ = std::make_shared<rclcpp::Client<SendGoal>>(node_base(), channel("send_goal"), rclcpp::ServicesQoS());
    get_result_ =
        std::make_shared<rclcpp::Client<GetResult>>(node_base(), channel("get_result"), rclcpp::ServicesQoS());
    rclcpp::SubscriptionOptions options;
    options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    feedback_ = std::make_shared<rclcpp::Subscription<FeedbackMessage>>(
        node_base(), channel("feedback"), rclcpp::QoS(10),
        [weak = weak_from_this()](std::shared_ptr<const FeedbackMessage> message) {
          if (const auto self = std::static_pointer_cast<Client>(weak.lock())) {
            self->on_feedback(message);
          }
        },
        options);
    start_base(callback_group, send_goal_, get_result_, feedback_);
    send_goal_->start(callback_group);
    get_result_->start(callback_group);
    feedback_->start(callback_group);
  }

 private:
  using SendGoal = typename ActionT::Impl::SendGoalService;
  using GetResult = typename ActionT::Impl::GetResultService;
  using FeedbackMessage = typename ActionT::Impl::FeedbackMessage;

  void on_goal_response(const GoalUUID& id, const typename SendGoal::Response& response,
                        std::promise<typename GoalHandle::SharedPtr>& promise, const SendGoalOptions& options) {
    typename GoalHandle::SharedPtr handle;
    if (response.accepted) {
      handle = std::make_shared<GoalHandle>(id, rclcpp::Time(response.stamp), options.feedback_callback,
                                            options.result_callback);
      add_goal(handle);
    }
    promise.set_value(handle);
    if (options.goal_response_callback) {
      options.goal_response_callback(handle);
    }
    if (handle && options.result_callback) {
      fetch_result(handle, nullptr);
    }
  }

  void on_feedback(const std::shared_ptr<const FeedbackMessage>& message) {
    const auto handle = std::static_pointer_cast<GoalHandle>(find_goal(message->goal_id.uuid));
    if (handle && handle->feedback_callback_) {
      handle->feedback_callback_(handle, std::shared_ptr<const Feedback>(message, &message->feedback));
    }
  }

  void fetch_result(const typename GoalHandle::SharedPtr& handle, const ResultCallback& callback) {
    if (!handle->become_result_aware(callback)) {
      return;
    }
    auto request = std::make_shared<typename GetResult::Request>();
    request->goal_id.uuid = handle->get_goal_id();
    get_result_->async_send_request(
        request, [weak = weak_from_this(), handle](typename rclcpp::Client<GetResult>::SharedFuture response) {
          const auto answer = response.get();
          WrappedResult result;
          result.goal_id = handle->get_goal_id();
          result.code = static_cast<ResultCode>(answer->status);
          result.result = std::make_shared<typename ActionT::Result>(std::move(answer->result));
          handle->set_result(result);
          if (const auto self = std::static_pointer_cast<Client>(weak.lock())) {
            self->remove_goal(handle->get_goal_id());
          }
        });
  }

  std::shared_ptr<rclcpp::Client<SendGoal>> send_goal_;
  std::shared_ptr<rclcpp::Client<GetResult>> get_result_;
  std::shared_ptr<rclcpp::Subscription<FeedbackMessage>> feedback_;
};

}  // namespace rclcpp_action
