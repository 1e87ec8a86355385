// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_action/server.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "action_msgs/msg/goal_status_array.hpp"
#include "action_msgs/srv/cancel_goal.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp_action/qos.hpp"

namespace rclcpp_action {

using action_msgs::srv::CancelGoal;
using detail::ServerGoal;

namespace {

const char* text_of(int8_t status) {
  switch (status) {
    case GoalStatus::STATUS_ACCEPTED:
      return "ACCEPTED";
    case GoalStatus::STATUS_EXECUTING:
      return "EXECUTING";
    case GoalStatus::STATUS_CANCELING:
      return "CANCELING";
    case GoalStatus::STATUS_SUCCEEDED:
      return "SUCCEEDED";
    case GoalStatus::STATUS_CANCELED:
      return "CANCELED";
    case GoalStatus::STATUS_ABORTED:
      return "ABORTED";
    default:
      return "UNKNOWN";
  }
}

/// The state after the event, or UNKNOWN if the state does not allow it.
int8_t next_status(int8_t status, ServerGoal::Event event) {
  const bool accepted = status == GoalStatus::STATUS_ACCEPTED;
  const bool executing = status == GoalStatus::STATUS_EXECUTING;
  const bool canceling = status == GoalStatus::STATUS_CANCELING;
  switch (event) {
    case ServerGoal::Event::Execute:
      return accepted ? GoalStatus::STATUS_EXECUTING : GoalStatus::STATUS_UNKNOWN;
    case ServerGoal::Event::CancelGoal:
      return accepted || executing ? GoalStatus::STATUS_CANCELING : GoalStatus::STATUS_UNKNOWN;
    case ServerGoal::Event::Succeed:
      return executing || canceling ? GoalStatus::STATUS_SUCCEEDED : GoalStatus::STATUS_UNKNOWN;
    case ServerGoal::Event::Abort:
      return executing || canceling ? GoalStatus::STATUS_ABORTED : GoalStatus::STATUS_UNKNOWN;
    case ServerGoal::Event::Canceled:
      return canceling ? GoalStatus::STATUS_CANCELED : GoalStatus::STATUS_UNKNOWN;
  }
  return GoalStatus::STATUS_UNKNOWN;
}

bool is_active_status(int8_t status) {
  return status == GoalStatus::STATUS_ACCEPTED || status == GoalStatus::STATUS_EXECUTING ||
         status == GoalStatus::STATUS_CANCELING;
}

GoalInfo info_of(const ServerGoal& goal) {
  GoalInfo info;
  info.goal_id.uuid = goal.id;
  info.stamp = goal.stamp;
  return info;
}

}  // namespace

namespace detail {

bool ServerGoal::apply(Event event) noexcept {
  int8_t status = status_;
  int8_t next;
  do {
    next = next_status(status, event);
    if (next == GoalStatus::STATUS_UNKNOWN) {
      return false;
    }
  } while (!status_.compare_exchange_weak(status, next));
  return true;
}

}  // namespace detail

struct ServerBase::Impl {
  struct Entry {
    std::shared_ptr<ServerGoal> goal;
    std::weak_ptr<void> handle;
    std::shared_ptr<void> response;  // once the goal has ended
    std::optional<rclcpp::Time> ended;
    std::vector<rmw_request_id_t> waiting;  // for the result
  };

  Impl(std::shared_ptr<rclcpp::node_interfaces::NodeBaseInterface> base, rclcpp::Clock::SharedPtr node_clock,
       rclcpp::Logger node_logger, const std::string& action, std::chrono::nanoseconds timeout)
      : node_base(std::move(base)),
        clock(std::move(node_clock)),
        logger(node_logger.get_child("rclcpp_action")),
        name(action),
        result_timeout(timeout) {}

  /// The goals that a request means, in one of the four ways of asking.
  std::vector<Entry> selected(const GoalInfo& info) {
    const bool any_id = info.goal_id.uuid == GoalUUID{};
    const bool any_time = info.stamp.sec == 0 && info.stamp.nanosec == 0;
    const auto until = std::make_pair(info.stamp.sec, info.stamp.nanosec);
    std::vector<Entry> result;
    for (const auto& [id, entry] : goals) {
      const auto stamp = std::make_pair(entry.goal->stamp.sec, entry.goal->stamp.nanosec);
      if (id == info.goal_id.uuid || (any_time ? any_id : stamp <= until)) {
        result.push_back(entry);
      }
    }
    return result;
  }

  /// Forgets results that are too old, and stops the timer when there are none left.
  void expire() {
    std::lock_guard<std::mutex> lock(mutex);
    const rclcpp::Time now = clock->now();
    bool more = false;
    for (auto it = goals.begin(); it != goals.end();) {
      const auto& ended = it->second.ended;
      // A clock that went back cannot tell the age any more.
      if (ended && (now < *ended || now - *ended >= rclcpp::Duration(result_timeout))) {
        it = goals.erase(it);
      } else {
        more |= ended.has_value();
        ++it;
      }
    }
    if (!more) {
      expiry->cancel();
    }
  }

  const std::shared_ptr<rclcpp::node_interfaces::NodeBaseInterface> node_base;
  const rclcpp::Clock::SharedPtr clock;
  const rclcpp::Logger logger;
  const std::string name;
  const std::chrono::nanoseconds result_timeout;  // negative: results are kept for ever

  std::mutex mutex;
  std::map<GoalUUID, Entry> goals;

  std::mutex status_mutex;  // the last list published is the newest; taken before `mutex`
  std::shared_ptr<rclcpp::Publisher<action_msgs::msg::GoalStatusArray>> status;
  std::shared_ptr<rclcpp::Service<CancelGoal>> cancel;
  rclcpp::TimerBase::SharedPtr expiry;
};

bool ServerGoalHandleBase::is_active() const {
  return is_active_status(goal_->status());
}

void ServerGoalHandleBase::begin() {
  const int8_t status = goal_->status();
  if (!goal_->apply(ServerGoal::Event::Execute)) {
    throw rclcpp::exceptions::RCLError("goal " + to_string(goal_->id) + " cannot be executed: it is " +
                                       text_of(status) + ", not ACCEPTED");
  }
  if (const auto server = server_.lock()) {
    server->publish_status();
  }
}

void ServerGoalHandleBase::end(ServerGoal::Event event, std::shared_ptr<void> response) {
  const int8_t status = goal_->status();
  if (!goal_->apply(event)) {
    const char* wish = event == ServerGoal::Event::Succeed ? "SUCCEEDED"
                       : event == ServerGoal::Event::Abort ? "ABORTED"
                                                           : "CANCELED";
    throw rclcpp::exceptions::RCLError("goal " + to_string(goal_->id) + " is " + text_of(status) +
                                       " and cannot become " + wish);
  }
  if (const auto server = server_.lock()) {
    server->end_goal(*goal_, std::move(response));
  }
}

void ServerGoalHandleBase::abandon(std::shared_ptr<void> response) noexcept {
  goal_->apply(ServerGoal::Event::CancelGoal);
  const auto server = server_.lock();
  if (!goal_->apply(ServerGoal::Event::Canceled) || !server) {
    return;
  }
  try {
    server->end_goal(*goal_, std::move(response));
  } catch (const std::exception& error) {  // it is called by a destructor
    RCLCPP_ERROR(server->impl_->logger, "the end of goal %s could not be told: %s", to_string(goal_->id).c_str(),
                 error.what());
  }
}

ServerBase::ServerBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
                       rclcpp::node_interfaces::NodeClockInterface::SharedPtr node_clock,
                       rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr node_logging, const std::string& name,
                       const rcl_action_server_options_t& options)
    : impl_(std::make_unique<Impl>(std::move(node_base), node_clock->get_clock(), node_logging->get_logger(), name,
                                   std::chrono::nanoseconds(options.result_timeout.nanoseconds))) {}

ServerBase::~ServerBase() = default;

void ServerBase::start_base(const rclcpp::CallbackGroup::SharedPtr& group) {
  const auto base = impl_->node_base.get();
  const std::weak_ptr<ServerBase> weak = weak_from_this();
  rclcpp::PublisherOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  impl_->status = std::make_shared<rclcpp::Publisher<action_msgs::msg::GoalStatusArray>>(
      base, channel("status"), DefaultActionStatusQoS(), options);

  const auto expire = [weak] {
    if (const auto self = weak.lock()) {
      self->impl_->expire();
    }
  };
  const auto period = std::max(impl_->result_timeout, std::chrono::nanoseconds(std::chrono::milliseconds(1)));
  impl_->expiry =
      std::make_shared<rclcpp::GenericTimer<decltype(expire)>>(impl_->clock, period, expire, base->get_context());
  impl_->expiry->cancel();
  impl_->expiry->start(base->group_or_default(group));

  impl_->cancel = std::make_shared<rclcpp::Service<CancelGoal>>(
      base, channel("cancel_goal"),
      [weak](std::shared_ptr<CancelGoal::Request> request, std::shared_ptr<CancelGoal::Response> response) {
        if (const auto self = weak.lock()) {
          self->on_cancel(request->goal_info, *response);
        }
      },
      rclcpp::ServicesQoS());
  impl_->cancel->start(base->group_or_default(group));
}

void ServerBase::on_cancel(const GoalInfo& info, CancelGoal::Response& response) {
  std::vector<Impl::Entry> selected;
  bool known = false;
  {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    selected = impl_->selected(info);
    known = impl_->goals.count(info.goal_id.uuid) > 0;
  }
  bool asked = false;
  for (const auto& entry : selected) {
    const int8_t status = entry.goal->status();
    const auto handle = entry.handle.lock();
    if (!handle || (status != GoalStatus::STATUS_ACCEPTED && status != GoalStatus::STATUS_EXECUTING)) {
      continue;
    }
    asked = true;
    // Meanwhile the goal may have ended by itself; then there is nothing left to cancel.
    if (ask_to_cancel(handle) == CancelResponse::ACCEPT && entry.goal->apply(ServerGoal::Event::CancelGoal)) {
      response.goals_canceling.push_back(info_of(*entry.goal));
    }
  }
  const bool one_goal = info.goal_id.uuid != GoalUUID{};
  if (!response.goals_canceling.empty()) {
    response.return_code = CancelGoal::Response::ERROR_NONE;
    publish_status();
  } else if (asked) {
    response.return_code = CancelGoal::Response::ERROR_REJECTED;
  } else if (one_goal) {
    response.return_code =
        known ? CancelGoal::Response::ERROR_GOAL_TERMINATED : CancelGoal::Response::ERROR_UNKNOWN_GOAL_ID;
  }
}

rclcpp::node_interfaces::NodeBaseInterface* ServerBase::node_base() const {
  return impl_->node_base.get();
}

std::string ServerBase::channel(const char* name) const {
  return impl_->name + "/_action/" + name;
}

builtin_interfaces::msg::Time ServerBase::now() const {
  return impl_->clock->now();
}

std::shared_ptr<ServerGoal> ServerBase::add_goal(const GoalUUID& id) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  auto& entry = impl_->goals[id];
  if (entry.goal) {
    RCLCPP_WARN(impl_->logger, "refused goal %s: there is already one of this id", to_string(id).c_str());
    return nullptr;
  }
  entry.goal = std::make_shared<ServerGoal>(id, now());
  return entry.goal;
}

void ServerBase::set_handle(const ServerGoal& goal, const std::shared_ptr<void>& handle) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->goals.at(goal.id).handle = handle;
}

void ServerBase::publish_status() {
  std::lock_guard<std::mutex> publishing(impl_->status_mutex);
  auto message = std::make_unique<action_msgs::msg::GoalStatusArray>();
  {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    message->status_list.reserve(impl_->goals.size());
    for (const auto& [id, entry] : impl_->goals) {
      message->status_list.emplace_back();
      message->status_list.back().goal_info = info_of(*entry.goal);
      message->status_list.back().status = entry.goal->status();
    }
  }
  impl_->status->publish(std::move(message));
}

std::shared_ptr<void> ServerBase::result_or_wait(const GoalUUID& id, const rmw_request_id_t& header) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  const auto found = impl_->goals.find(id);
  if (found == impl_->goals.end()) {
    return unknown_result();
  }
  if (!found->second.response) {
    found->second.waiting.push_back(header);
  }
  return found->second.response;
}

void ServerBase::end_goal(const ServerGoal& goal, std::shared_ptr<void> response) {
  std::vector<rmw_request_id_t> waiting;
  {
    std::lock_guard<std::mutex> lock(impl_->mutex);
    auto& entry = impl_->goals.at(goal.id);
    entry.response = response;
    std::swap(waiting, entry.waiting);
    if (impl_->result_timeout.count() >= 0) {
      entry.ended = impl_->clock->now();
      if (impl_->expiry->is_canceled()) {
        impl_->expiry->reset();
      }
    }
  }
  publish_status();
  for (const auto& header : waiting) {
    send_result(header, response);
  }
}

}  // namespace rclcpp_action
