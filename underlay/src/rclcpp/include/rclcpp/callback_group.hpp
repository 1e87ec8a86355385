// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "rclcpp/macros.hpp"

namespace rclcpp {

namespace detail {
class ExecutorQueue;
struct ReadyToken;
struct TimerState;
}  // namespace detail

enum class CallbackGroupType { MutuallyExclusive, Reentrant };

/// Decides which callbacks may run at the same time: of a mutually exclusive group one, of a reentrant group any.
/// The user keeps the group alive; callbacks of a group that is gone do not run.
class CallbackGroup : public std::enable_shared_from_this<CallbackGroup> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(CallbackGroup)

  explicit CallbackGroup(CallbackGroupType group_type, bool automatically_add_to_executor_with_node = true);
  ~CallbackGroup();

  const CallbackGroupType& type() const { return type_; }
  std::atomic_bool& can_be_taken_from() { return can_be_taken_from_; }
  std::atomic_bool& get_associated_with_executor_atomic() { return associated_with_executor_; }
  bool automatically_add_to_executor_with_node() const { return automatically_add_; }

  // For entities and executors.
  void add(std::shared_ptr<detail::ReadyToken> token);
  void add(std::shared_ptr<detail::TimerState> timer);
  void notify(const std::shared_ptr<detail::ReadyToken>& token);
  void associate(const std::shared_ptr<detail::ExecutorQueue>& queue);
  void dissociate();
  /// Lets the executor look again, because a timer changed.
  void wake();
  /// A callback of this exclusive group has ended in a thread of `queue`; `again` is to be run once more.
  void released(const detail::ExecutorQueue* queue, const std::shared_ptr<detail::ReadyToken>& again);

 private:
  const CallbackGroupType type_;
  const bool automatically_add_;
  std::atomic_bool can_be_taken_from_{true};
  std::atomic_bool associated_with_executor_{false};
  std::mutex mutex_;  // taken before the queue's
  std::shared_ptr<detail::ExecutorQueue> queue_;
  std::vector<std::weak_ptr<detail::ReadyToken>> tokens_;
  std::vector<std::weak_ptr<detail::TimerState>> timers_;
};

}  // namespace rclcpp
