// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "executor_queue.hpp"
#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"

namespace rclcpp {
namespace detail {

NodeIdentity::NodeIdentity(Context::SharedPtr context_in, NodeNames names_in)
    : context(std::move(context_in)),
      participant(context->participant()),
      names(std::move(names_in)),
      full_name(names.fully_qualified_name()),
      logger_name(names.logger_name()),
      graph_id(participant->graph().add_node(names.namespace_(), names.name())) {}

NodeIdentity::~NodeIdentity() {
  participant->graph().remove_node(graph_id);
}

GraphEntry::GraphEntry(std::shared_ptr<NodeIdentity> node, Kind kind, const underlay_dds::Gid& gid)
    : node_(std::move(node)), kind_(kind), gid_(gid) {
  node_->participant->graph().add_endpoint(node_->graph_id, kind_ == Kind::Reader, gid_);
}

GraphEntry::~GraphEntry() {
  node_->participant->graph().remove_endpoint(node_->graph_id, kind_ == Kind::Reader, gid_);
}

}  // namespace detail

namespace node_interfaces {

NodeBaseInterface::NodeBaseInterface(std::shared_ptr<detail::NodeIdentity> identity, bool use_intra_process_default,
                                     bool enable_topic_statistics_default)
    : identity_(std::move(identity)),
      use_intra_process_default_(use_intra_process_default),
      enable_topic_statistics_default_(enable_topic_statistics_default),
      default_group_(std::make_shared<CallbackGroup>(CallbackGroupType::MutuallyExclusive)) {
  groups_.push_back(default_group_);
}

NodeBaseInterface::~NodeBaseInterface() = default;

const char* NodeBaseInterface::get_name() const {
  return identity_->names.name().c_str();
}
const char* NodeBaseInterface::get_namespace() const {
  return identity_->names.namespace_().c_str();
}
const char* NodeBaseInterface::get_fully_qualified_name() const {
  return identity_->full_name.c_str();
}
Context::SharedPtr NodeBaseInterface::get_context() {
  return identity_->context;
}

CallbackGroup::SharedPtr NodeBaseInterface::create_callback_group(CallbackGroupType group_type,
                                                                  bool automatically_add_to_executor_with_node) {
  auto group = std::make_shared<CallbackGroup>(group_type, automatically_add_to_executor_with_node);
  const std::lock_guard<std::mutex> lock(mutex_);
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), [](const auto& weak) { return weak.expired(); }),
                groups_.end());
  groups_.push_back(group);
  if (queue_ && automatically_add_to_executor_with_node) {
    group->get_associated_with_executor_atomic() = true;
    group->associate(queue_);
  }
  return group;
}

bool NodeBaseInterface::callback_group_in_node(CallbackGroup::SharedPtr group) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(groups_.begin(), groups_.end(), [&](const auto& weak) { return weak.lock() == group; });
}

CallbackGroup::SharedPtr NodeBaseInterface::group_or_default(const CallbackGroup::SharedPtr& group) {
  if (!group) return default_group_;
  if (!callback_group_in_node(group)) {
    throw std::runtime_error("Cannot use a callback group that was not created by node '" + identity_->full_name +
                             "'.");
  }
  return group;
}

void NodeBaseInterface::for_each_callback_group(const CallbackGroupFunction& function) {
  std::vector<CallbackGroup::SharedPtr> groups;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& weak : groups_) {
      if (auto group = weak.lock()) groups.push_back(std::move(group));
    }
  }
  for (const auto& group : groups) function(group);
}

std::string NodeBaseInterface::resolve_topic_or_service_name(const std::string& name, bool is_service,
                                                             bool only_expand) const {
  return is_service ? identity_->names.service(name, only_expand) : identity_->names.topic(name, only_expand);
}

void NodeBaseInterface::associate(const std::shared_ptr<detail::ExecutorQueue>& queue) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_ = queue;
  for (const auto& weak : groups_) {
    const auto group = weak.lock();
    if (!group || !group->automatically_add_to_executor_with_node()) continue;
    if (!group->get_associated_with_executor_atomic().exchange(true)) group->associate(queue_);
  }
}

void NodeBaseInterface::dissociate(const detail::ExecutorQueue* queue) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (queue_.get() != queue) return;
  queue_.reset();
  for (const auto& weak : groups_) {
    const auto group = weak.lock();
    if (!group || !group->automatically_add_to_executor_with_node()) continue;
    group->dissociate();
    group->get_associated_with_executor_atomic() = false;
  }
  associated_with_executor_ = false;
}

}  // namespace node_interfaces
}  // namespace rclcpp
