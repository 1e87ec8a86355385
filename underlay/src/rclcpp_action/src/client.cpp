// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_action/client.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "action_msgs/msg/goal_status_array.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp_action/qos.hpp"

namespace rclcpp_action {

using action_msgs::msg::GoalStatusArray;

struct ClientBase::Impl {
  /// States of goals; of those that are still unknown too, since the list may arrive before the goal's response.
  void on_status(const std::shared_ptr<const GoalStatusArray>& message) {
    std::lock_guard<std::mutex> lock(mutex);
    last_status = message;
    for (const auto& [id, weak] : goals) {
      if (const auto goal = weak.lock()) {
        set_status(*goal);
      }
    }
  }

  static bool is_final(int8_t status) {
    return status == GoalStatus::STATUS_SUCCEEDED || status == GoalStatus::STATUS_CANCELED ||
           status == GoalStatus::STATUS_ABORTED;
  }

  void set_status(ClientGoalHandleBase& goal) const {
    for (const auto& state : last_status->status_list) {
      // A result may overtake the list; the end it told is not taken back.
      if (state.goal_info.goal_id.uuid == goal.goal_id_ && !is_final(goal.status_)) {
        goal.status_ = state.status;
      }
    }
  }

  std::shared_ptr<rclcpp::node_interfaces::NodeBaseInterface> node_base;
  std::shared_ptr<rclcpp::node_interfaces::NodeGraphInterface> node_graph;
  std::string name;
  rclcpp::ClientBase::SharedPtr send_goal;
  rclcpp::ClientBase::SharedPtr get_result;
  rclcpp::SubscriptionBase::SharedPtr feedback;
  std::shared_ptr<rclcpp::Client<CancelService>> cancel;
  std::shared_ptr<rclcpp::Subscription<GoalStatusArray>> status;

  mutable std::mutex mutex;
  std::map<GoalUUID, std::weak_ptr<ClientGoalHandleBase>> goals;
  std::shared_ptr<const GoalStatusArray> last_status = std::make_shared<GoalStatusArray>();
};

ClientBase::ClientBase(rclcpp::node_interfaces::NodeBaseInterface::SharedPtr node_base,
                       rclcpp::node_interfaces::NodeGraphInterface::SharedPtr node_graph,
                       rclcpp::node_interfaces::NodeLoggingInterface::SharedPtr /*node_logging*/,
                       const std::string& name)
    : impl_(std::make_unique<Impl>()) {
  impl_->node_base = std::move(node_base);
  impl_->node_graph = std::move(node_graph);
  impl_->name = name;
}

ClientBase::~ClientBase() {
  for (const auto& [id, weak] : impl_->goals) {
    if (const auto goal = weak.lock()) {
      goal->invalidate();
    }
  }
}

void ClientBase::start_base(const rclcpp::CallbackGroup::SharedPtr& group, rclcpp::ClientBase::SharedPtr send_goal,
                            rclcpp::ClientBase::SharedPtr get_result, rclcpp::SubscriptionBase::SharedPtr feedback) {
  impl_->send_goal = std::move(send_goal);
  impl_->get_result = std::move(get_result);
  impl_->feedback = std::move(feedback);
  impl_->cancel =
      std::make_shared<rclcpp::Client<CancelService>>(node_base(), channel("cancel_goal"), rclcpp::ServicesQoS());
  impl_->cancel->start(group);
  rclcpp::SubscriptionOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  impl_->status = std::make_shared<rclcpp::Subscription<GoalStatusArray>>(
      node_base(), channel("status"), DefaultActionStatusQoS(),
      [weak = weak_from_this()](std::shared_ptr<const GoalStatusArray> message) {
        if (const auto self = weak.lock()) {
          self->impl_->on_status(message);
        }
      },
      options);
  impl_->status->start(group);
}

bool ClientBase::action_server_is_ready() const {
  return impl_->send_goal->service_is_ready() && impl_->get_result->service_is_ready() &&
         impl_->cancel->service_is_ready() && impl_->feedback->get_publisher_count() > 0 &&
         impl_->status->get_publisher_count() > 0;
}

bool ClientBase::wait_for_action_server_nanoseconds(std::chrono::nanoseconds timeout) const {
  const auto begin = std::chrono::steady_clock::now();
  const auto event = impl_->node_graph->get_graph_event();
  const std::chrono::nanoseconds longest = std::chrono::milliseconds(50);  // endpoints match after they are announced
  while (!action_server_is_ready()) {
    const std::chrono::nanoseconds left = timeout - (std::chrono::steady_clock::now() - begin);
    if (!impl_->node_base->get_context()->is_valid() || (timeout.count() >= 0 && left.count() <= 0)) {
      return false;
    }
    impl_->node_graph->wait_for_graph_change(event, timeout.count() < 0 ? longest : std::min(left, longest));
    event->check_and_clear();
  }
  return true;
}

rclcpp::node_interfaces::NodeBaseInterface* ClientBase::node_base() const {
  return impl_->node_base.get();
}

std::string ClientBase::channel(const char* name) const {
  return impl_->name + "/_action/" + name;
}

GoalUUID ClientBase::new_goal_id() {
  static std::mutex mutex;
  static std::random_device random;
  std::lock_guard<std::mutex> lock(mutex);
  GoalUUID id;
  for (auto& byte : id) {
    byte = static_cast<uint8_t>(random());
  }
  return id;
}

void ClientBase::add_goal(const std::shared_ptr<ClientGoalHandleBase>& goal) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  for (auto it = impl_->goals.begin(); it != impl_->goals.end();) {
    it = it->second.expired() ? impl_->goals.erase(it) : std::next(it);
  }
  impl_->goals[goal->get_goal_id()] = goal;
  impl_->set_status(*goal);
}

void ClientBase::remove_goal(const GoalUUID& id) {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->goals.erase(id);
}

std::shared_ptr<ClientGoalHandleBase> ClientBase::find_goal(const GoalUUID& id) const {
  std::lock_guard<std::mutex> lock(impl_->mutex);
  const auto found = impl_->goals.find(id);
  return found == impl_->goals.end() ? nullptr : found->second.lock();
}

void ClientBase::require_known(const ClientGoalHandleBase& goal) const {
  if (find_goal(goal.get_goal_id()).get() != &goal) {
    throw exceptions::UnknownGoalHandleError();
  }
}

std::shared_future<ClientBase::CancelService::Response::SharedPtr> ClientBase::cancel(const GoalUUID& id,
                                                                                      const rclcpp::Time& stamp,
                                                                                      CancelCallback callback) {
  auto request = std::make_shared<CancelService::Request>();
  request->goal_info.goal_id.uuid = id;
  request->goal_info.stamp = stamp;
  return impl_->cancel
      ->async_send_request(request,
                           [callback = std::move(callback)](rclcpp::Client<CancelService>::SharedFuture response) {
                             if (callback) {
                               callback(response.get());
                             }
                           })
      .future;
}

}  // namespace rclcpp_action
