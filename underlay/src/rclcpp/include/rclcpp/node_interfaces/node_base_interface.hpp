// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {

namespace detail {
struct NodeIdentity;
class ExecutorQueue;
}  // namespace detail

namespace node_interfaces {

/// Name, context and callback groups of a node.
class NodeBaseInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeBaseInterface)
  RCLCPP_DISABLE_COPY(NodeBaseInterface)

  NodeBaseInterface(std::shared_ptr<detail::NodeIdentity> identity, bool use_intra_process_default,
                    bool enable_topic_statistics_default = false);
  ~NodeBaseInterface();

  const char* get_name() const;
  const char* get_namespace() const;
  const char* get_fully_qualified_name() const;
  Context::SharedPtr get_context();

  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType group_type,
                                                 bool automatically_add_to_executor_with_node = true);
  CallbackGroup::SharedPtr get_default_callback_group() { return default_group_; }
  bool callback_group_in_node(CallbackGroup::SharedPtr group);
  using CallbackGroupFunction = std::function<void(CallbackGroup::SharedPtr)>;
  void for_each_callback_group(const CallbackGroupFunction& function);
  std::atomic_bool& get_associated_with_executor_atomic() { return associated_with_executor_; }

  bool get_use_intra_process_default() const { return use_intra_process_default_; }
  bool get_enable_topic_statistics_default() const { return enable_topic_statistics_default_; }
  std::string resolve_topic_or_service_name(const std::string& name, bool is_service, bool only_expand = false) const;

  // For entities and executors.
  const std::shared_ptr<detail::NodeIdentity>& identity() const { return identity_; }
  /// The given group, or the default one; throws if the group is of another node.
  CallbackGroup::SharedPtr group_or_default(const CallbackGroup::SharedPtr& group);
  void associate(const std::shared_ptr<detail::ExecutorQueue>& queue);
  void dissociate(const detail::ExecutorQueue* queue);

 private:
  std::shared_ptr<detail::NodeIdentity> identity_;
  const bool use_intra_process_default_;
  const bool enable_topic_statistics_default_;
  std::atomic_bool associated_with_executor_{false};
  CallbackGroup::SharedPtr default_group_;
  std::mutex mutex_;  // taken before a group's
  std::vector<CallbackGroup::WeakPtr> groups_;
  std::shared_ptr<detail::ExecutorQueue> queue_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
