// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "action_msgs/srv/cancel_goal.hpp"
#include "rcl_action/action_server.h"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp_action/server_goal_handle.hpp"
#include "rclcpp_action/types.hpp"

namespace rclcpp_action {

enum class GoalResponse : int8_t {
  REJECT = 1,
  ACCEPT_AND_EXECUTE = 2,
  ACCEPT_AND_DEFER = 3  // the goal waits until its handle's execute() is called
};

enum class CancelResponse : int8_t { REJECT = 1, ACCEPT = 2 };

/// What servers of all actions have in common: the table of goals, their states on the wire, cancelling and the expiry
/// of results.
class ServerBase : public std::enable_shared_from_this<ServerBase> {
 public:
  virtual ~ServerBase();
  ServerBase(const ServerBase&) = delete;
  ServerBase& operator=(const ServerBase&) = delete;

 protected:
  friend class ServerGoalHandleBase;

  ServerBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
             rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
             rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string& name,
             const rcl_action_server_options_t& options);

  /// Begins to receive requests to cancel. Called once, when a shared pointer owns the server.
  void start_base(const rclcpp::CallbackGroup::SharedPtr& group);

  rclcpp::node_interfaces::NodeBaseInterface* node_base() const;
  std::string channel(const char* name) const;  // "<action>/_action/<name>"
  builtin_interfaces::msg::Time now() const;

  /// Null if there is a goal of this id already.
  std::shared_ptr<detail::ServerGoal> add_goal(const GoalUUID& id);
  void set_handle(const detail::ServerGoal& goal, const std::shared_ptr<void>& handle);
  void publish_status();
  /// The response to send, or null: it will be sent when the goal ends. For an unknown goal an empty one.
  std::shared_ptr<void> result_or_wait(const GoalUUID& id, const rmw_request_id_t& header);

  virtual CancelResponse ask_to_cancel(const std::shared_ptr<void>& handle) = 0;
  virtual void send_result(const rmw_request_id_t& header, const std::shared_ptr<void>& response) = 0;
  virtual std::shared_ptr<void> unknown_result() const = 0;

 private:
  void on_cancel(const GoalInfo& info, action_msgs::srv::CancelGoal::Response& response);
  void end_goal(const detail::ServerGoal& goal, std::shared_ptr<void> response);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Offers an action. The goal callback decides on a goal, the cancel callback on its cancelling; the accepted callback
/// gets the goal's handle after the client has been answered, and must not block (start a thread or a timer).
template <typename ActionT>
class Server : public ServerBase {
 public:
  using SharedPtr = std::shared_ptr<Server<ActionT>>;
  using WeakPtr = std::weak_ptr<Server<ActionT>>;
  using GoalHandle = ServerGoalHandle<ActionT>;
  using GoalCallback = std::function<GoalResponse(const GoalUUID&, std::shared_ptr<const typename ActionT::Goal>)>;
  using CancelCallback = std::function<CancelResponse(std::shared_ptr<GoalHandle>)>;
  using AcceptedCallback = std::function<void(std::shared_ptr<GoalHandle>)>;

  Server(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
         rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
         rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string& name,
         const rcl_action_server_options_t& options, GoalCallback handle_goal, CancelCallback handle_cancel,
         AcceptedCallback handle_accepted)
      : ServerBase(std::move(node_base), std::move(node_clock), std::move(node_logging), name, options),
        handle_goal_(std::move(handle_goal)),
        handle_cancel_(std::move(handle_cancel)),
        handle_accepted_(std::move(handle_accepted)) {}

  /// Begins to receive requests. Called once, by create_server.
  void start(const rclcpp::CallbackGroup::SharedPtr& group) {
    const std::weak_ptr<ServerBase> weak = weak_from_this();
    const auto with_server = [weak](auto call) {
      if (const auto self = std::static_pointer_cast<Server>(weak.lock())) {
        call(*self);
      }
    };
    rclcpp::PublisherOptions options;
    options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    feedback_ = std::make_shared<rclcpp::Publisher<FeedbackMessage>>(node_base(), channel("feedback"), rclcpp::QoS(10),
                                                                     options);
    get_result_ = std::make_shared<rclcpp::Service<GetResult>>(
        node_base(), channel("get_result"),
        [with_server](std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<typename GetResult::Request> request) {
          with_server([&](Server& server) { server.on_get_result(*header, request->goal_id.uuid); });
        },
        rclcpp::ServicesQoS());
    send_goal_ = std::make_shared<rclcpp::Service<SendGoal>>(
        node_base(), channel("send_goal"),
        [with_server](std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<typename SendGoal::Request> request) {
          with_server([&](Server& server) { server.on_send_goal(*header, request); });
        },
        rclcpp::ServicesQoS());
    start_base(group);
    get_result_->start(node_base()->group_or_default(group));
    send_goal_->start(node_base()->group_or_default(group));
  }

 private:
  using SendGoal = typename ActionT::Impl::SendGoalService;
  using GetResult = typename ActionT::Impl::GetResultService;
  using FeedbackMessage = typename ActionT::Impl::FeedbackMessage;

  void on_send_goal(rmw_request_id_t& header, const std::shared_ptr<typename SendGoal::Request>& request) {
    const GoalUUID& id = request->goal_id.uuid;
    const std::shared_ptr<const typename ActionT::Goal> message(request, &request->goal);
    const GoalResponse decision = handle_goal_(id, message);
    typename SendGoal::Response response;
    response.accepted = false;
    response.stamp = now();
    if (decision == GoalResponse::REJECT) {
      send_goal_->send_response(header, response);
      return;
    }
    const auto goal = add_goal(id);
    if (!goal) {
      send_goal_->send_response(header, response);
      return;
    }
    response.accepted = true;
    response.stamp = goal->stamp;
    const auto handle = std::make_shared<GoalHandle>(goal, weak_from_this(), message, feedback_);
    set_handle(*goal, handle);
    send_goal_->send_response(header, response);
    if (decision == GoalResponse::ACCEPT_AND_EXECUTE) {
      goal->apply(detail::ServerGoal::Event::Execute);
    }
    publish_status();
    handle_accepted_(handle);
  }

  void on_get_result(rmw_request_id_t& header, const GoalUUID& id) {
    if (const auto response = result_or_wait(id, header)) {
      send_result(header, response);
    }
  }

  CancelResponse ask_to_cancel(const std::shared_ptr<void>& handle) override {
    return handle_cancel_(std::static_pointer_cast<GoalHandle>(handle));
  }
  void send_result(const rmw_request_id_t& header, const std::shared_ptr<void>& response) override {
    rmw_request_id_t copy = header;
    get_result_->send_response(copy, *std::static_pointer_cast<typename GetResult::Response>(response));
  }
  std::shared_ptr<void> unknown_result() const override { return std::make_shared<typename GetResult::Response>(); }

  const GoalCallback handle_goal_;
  const CancelCallback handle_cancel_;
  const AcceptedCallback handle_accepted_;
  std::shared_ptr<rclcpp::Publisher<FeedbackMessage>> feedback_;
  std::shared_ptr<rclcpp::Service<GetResult>> get_result_;
  std::shared_ptr<rclcpp::Service<SendGoal>> send_goal_;
};

}  // namespace rclcpp_action
