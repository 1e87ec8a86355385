// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/executor_options.hpp"
#include "rclcpp/future_return_code.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"

namespace rclcpp {

class Node;
namespace detail {
class ExecutorQueue;
}

/// Runs the callbacks of nodes and callback groups. Everything may be added, removed and destroyed while it spins.
class Executor {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(Executor)
  RCLCPP_DISABLE_COPY(Executor)
  using NodeBase = node_interfaces::NodeBaseInterface::SharedPtr;

  explicit Executor(const ExecutorOptions& options = ExecutorOptions());
  virtual ~Executor();

  virtual void spin() = 0;

  virtual void add_node(NodeBase node, bool notify = true);
  virtual void add_node(std::shared_ptr<Node> node, bool notify = true);
  virtual void remove_node(NodeBase node, bool notify = true);
  virtual void remove_node(std::shared_ptr<Node> node, bool notify = true);
  virtual void add_callback_group(CallbackGroup::SharedPtr group, NodeBase node, bool notify = true);
  virtual void remove_callback_group(CallbackGroup::SharedPtr group, bool notify = true);
  virtual std::vector<CallbackGroup::WeakPtr> get_all_callback_groups();
  virtual std::vector<CallbackGroup::WeakPtr> get_manually_added_callback_groups();
  virtual std::vector<CallbackGroup::WeakPtr> get_automatically_added_callback_groups_from_nodes();

  /// At most one callback; waits for it up to `timeout`, or for ever if that is negative.
  virtual void spin_once(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  /// What is ready now, each entity once; no more is begun after `max_duration` (0: no limit).
  virtual void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0));
  /// Until nothing is ready any more, or `max_duration` (0: no limit) is over.
  virtual void spin_all(std::chrono::nanoseconds max_duration);

  template <typename RepT = int64_t, typename T = std::milli>
  void spin_node_once(NodeBase node, std::chrono::duration<RepT, T> timeout = std::chrono::duration<RepT, T>(-1)) {
    spin_node_once_nanoseconds(std::move(node), std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }
  template <typename NodeT = Node, typename RepT = int64_t, typename T = std::milli>
  void spin_node_once(std::shared_ptr<NodeT> node,
                      std::chrono::duration<RepT, T> timeout = std::chrono::duration<RepT, T>(-1)) {
    spin_node_once_nanoseconds(node->get_node_base_interface(),
                               std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }
  void spin_node_some(NodeBase node);
  void spin_node_some(std::shared_ptr<Node> node);

  /// Spins until the future is ready, the timeout (negative: none) is over, or the context is shut down.
  template <typename FutureT, typename TimeRepT = int64_t, typename TimeT = std::milli>
  FutureReturnCode spin_until_future_complete(const FutureT& future, std::chrono::duration<TimeRepT, TimeT> timeout =
                                                                         std::chrono::duration<TimeRepT, TimeT>(-1)) {
    return spin_until([&future] { return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready; },
                      std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  /// Ends the running `spin`, `spin_once`, ..., or the next one if none runs: a program that ends at once does not wait
  /// for a thread that has yet to begin. Callbacks that run are finished.
  virtual void cancel();
  bool is_spinning() { return spinning_; }

 protected:
  class SpinGuard;  // marks the executor as spinning

  /// Runs callbacks in this thread until `cancel` or shutdown.
  void work();
  void spin_node_once_nanoseconds(NodeBase node, std::chrono::nanoseconds timeout);
  FutureReturnCode spin_until(const std::function<bool()>& done, std::chrono::nanoseconds timeout);

  Context::SharedPtr context_;

 private:
  bool run_one(std::chrono::steady_clock::time_point end);
  bool may_go_on() const;

  std::atomic_bool spinning_{false};
  std::atomic_bool canceled_{false};
  std::shared_ptr<detail::ExecutorQueue> queue_;
  OnShutdownCallbackHandle on_shutdown_;
  std::mutex mutex_;  // taken before a node's
  std::vector<node_interfaces::NodeBaseInterface::WeakPtr> nodes_;
  std::vector<CallbackGroup::WeakPtr> manual_groups_;
};

}  // namespace rclcpp
