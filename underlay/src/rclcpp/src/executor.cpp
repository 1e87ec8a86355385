// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/executor.hpp"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <thread>

#include "executor_queue.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/node.hpp"

namespace rclcpp {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

namespace {

steady_clock::time_point end_of(nanoseconds timeout) {
  const auto now = steady_clock::now();
  if (timeout < nanoseconds::zero() || timeout > steady_clock::time_point::max() - now) {
    return steady_clock::time_point::max();
  }
  return now + timeout;
}

template <class T>
void forget(std::vector<std::weak_ptr<T>>& list, const std::shared_ptr<T>& entry) {
  const auto gone = [&](const std::weak_ptr<T>& weak) { return weak.expired() || weak.lock() == entry; };
  list.erase(std::remove_if(list.begin(), list.end(), gone), list.end());
}

}  // namespace

std::string to_string(const FutureReturnCode& code) {
  switch (code) {
    case FutureReturnCode::SUCCESS:
      return "SUCCESS (0)";
    case FutureReturnCode::INTERRUPTED:
      return "INTERRUPTED (1)";
    case FutureReturnCode::TIMEOUT:
      return "TIMEOUT (2)";
  }
  return "Unknown enum value";
}

std::ostream& operator<<(std::ostream& os, const FutureReturnCode& code) {
  return os << to_string(code);
}

class Executor::SpinGuard {
 public:
  SpinGuard(Executor& executor, const char* what) : executor_(executor) {
    if (executor_.spinning_.exchange(true)) {
      throw std::runtime_error(std::string(what) + "() called while already spinning");
    }
  }
  ~SpinGuard() {
    executor_.canceled_ = false;  // before another spin can begin: that one is not meant
    executor_.spinning_ = false;
  }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  Executor& executor_;
};

Executor::Executor(const ExecutorOptions& options)
    : context_(options.context), queue_(std::make_shared<detail::ExecutorQueue>()) {
  on_shutdown_ = context_->add_on_shutdown_callback([weak = std::weak_ptr<detail::ExecutorQueue>(queue_)] {
    if (const auto queue = weak.lock()) queue->interrupt();
  });
}

Executor::~Executor() {
  context_->remove_on_shutdown_callback(on_shutdown_);
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& weak : nodes_) {
    if (const auto node = weak.lock()) node->dissociate(queue_.get());
  }
  for (const auto& weak : manual_groups_) {
    if (const auto group = weak.lock()) {
      group->dissociate();
      group->get_associated_with_executor_atomic() = false;
    }
  }
}

void Executor::add_node(NodeBase node, bool /*notify*/) {
  if (node->get_associated_with_executor_atomic().exchange(true)) {
    throw std::runtime_error("Node '" + std::string(node->get_fully_qualified_name()) +
                             "' has already been added to an executor.");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    nodes_.push_back(node);
  }
  node->associate(queue_);
}

void Executor::add_node(std::shared_ptr<Node> node, bool notify) {
  add_node(node->get_node_base_interface(), notify);
}

void Executor::remove_node(NodeBase node, bool /*notify*/) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto mine = [&](const auto& weak) { return weak.lock() == node; };
    if (std::none_of(nodes_.begin(), nodes_.end(), mine)) {
      throw std::runtime_error("Node '" + std::string(node->get_fully_qualified_name()) +
                               "' needs to be associated with this executor to be removed.");
    }
    forget(nodes_, node);
  }
  node->dissociate(queue_.get());
}

void Executor::remove_node(std::shared_ptr<Node> node, bool notify) {
  remove_node(node->get_node_base_interface(), notify);
}

void Executor::add_callback_group(CallbackGroup::SharedPtr group, NodeBase /*node*/, bool /*notify*/) {
  if (group->get_associated_with_executor_atomic().exchange(true)) {
    throw std::runtime_error("Callback group has already been added to an executor.");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    manual_groups_.push_back(group);
  }
  group->associate(queue_);
}

void Executor::remove_callback_group(CallbackGroup::SharedPtr group, bool /*notify*/) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto mine = [&](const auto& weak) { return weak.lock() == group; };
    if (std::none_of(manual_groups_.begin(), manual_groups_.end(), mine)) {
      throw std::runtime_error("Callback group needs to be associated with this executor to be removed.");
    }
    forget(manual_groups_, group);
  }
  group->dissociate();
  group->get_associated_with_executor_atomic() = false;
}

std::vector<CallbackGroup::WeakPtr> Executor::get_manually_added_callback_groups() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return manual_groups_;
}

std::vector<CallbackGroup::WeakPtr> Executor::get_automatically_added_callback_groups_from_nodes() {
  std::vector<CallbackGroup::WeakPtr> groups;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& weak : nodes_) {
    const auto node = weak.lock();
    if (!node) continue;
    node->for_each_callback_group([&](const CallbackGroup::SharedPtr& group) {
      if (group->automatically_add_to_executor_with_node()) groups.push_back(group);
    });
  }
  return groups;
}

std::vector<CallbackGroup::WeakPtr> Executor::get_all_callback_groups() {
  auto groups = get_manually_added_callback_groups();
  const auto automatic = get_automatically_added_callback_groups_from_nodes();
  groups.insert(groups.end(), automatic.begin(), automatic.end());
  return groups;
}

bool Executor::may_go_on() const {
  return !canceled_ && context_->is_valid();
}

bool Executor::run_one(steady_clock::time_point end) {
  for (;;) {
    // Read before the flags: an interrupt after that is not missed.
    const auto seen = queue_->interrupts();
    if (!may_go_on()) return false;
    auto work = queue_->next(end, seen, {});
    if (!work) return false;
    if (work.run()) return true;  // else an entity that only wanted to have a look
  }
}

void Executor::work() {
  while (may_go_on()) run_one(steady_clock::time_point::max());
}

void Executor::cancel() {
  canceled_ = true;
  queue_->interrupt();
}

void Executor::spin_once(nanoseconds timeout) {
  const SpinGuard guard(*this, "spin_once");
  run_one(end_of(timeout));
}

void Executor::spin_some(nanoseconds max_duration) {
  const SpinGuard guard(*this, "spin_some");
  const auto end = end_of(max_duration == nanoseconds::zero() ? nanoseconds(-1) : max_duration);
  const auto limit = queue_->now();
  while (may_go_on() && steady_clock::now() < end) {
    auto work = queue_->next(steady_clock::time_point(), 0, limit);
    if (!work) break;
    work.run();
  }
}

void Executor::spin_all(nanoseconds max_duration) {
  if (max_duration < nanoseconds::zero())
    throw std::invalid_argument("max_duration must be greater than or equal to 0");
  const SpinGuard guard(*this, "spin_all");
  const auto end = end_of(max_duration == nanoseconds::zero() ? nanoseconds(-1) : max_duration);
  while (may_go_on() && steady_clock::now() < end) {
    if (!run_one(steady_clock::time_point())) break;
  }
}

void Executor::spin_node_once_nanoseconds(NodeBase node, nanoseconds timeout) {
  add_node(node, false);
  spin_once(timeout);
  remove_node(node, false);
}

void Executor::spin_node_some(NodeBase node) {
  add_node(node, false);
  spin_some();
  remove_node(node, false);
}

void Executor::spin_node_some(std::shared_ptr<Node> node) {
  spin_node_some(node->get_node_base_interface());
}

FutureReturnCode Executor::spin_until(const std::function<bool()>& done, nanoseconds timeout) {
  // A future that another thread completes does not wake the executor: look for it now and then.
  constexpr auto look_again = std::chrono::milliseconds(10);
  if (done()) return FutureReturnCode::SUCCESS;
  const SpinGuard guard(*this, "spin_until_future_complete");
  const auto end = end_of(timeout);
  while (may_go_on()) {
    run_one(std::min(end, steady_clock::now() + look_again));
    if (done()) return FutureReturnCode::SUCCESS;
    if (steady_clock::now() >= end) return FutureReturnCode::TIMEOUT;
  }
  return FutureReturnCode::INTERRUPTED;
}

namespace executors {

void SingleThreadedExecutor::spin() {
  const SpinGuard guard(*this, "spin");
  work();
}

MultiThreadedExecutor::MultiThreadedExecutor(const ExecutorOptions& options, std::size_t number_of_threads,
                                             bool /*yield_before_execute*/, nanoseconds /*timeout*/)
    : Executor(options),
      threads_(number_of_threads != 0 ? number_of_threads : std::max(2u, std::thread::hardware_concurrency())) {}

void MultiThreadedExecutor::spin() {
  const SpinGuard guard(*this, "spin");
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto run = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(error_mutex);
      if (!error) error = std::current_exception();
      cancel();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < threads_; ++i) threads.emplace_back(run);
  run();
  for (auto& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace executors

void spin(node_interfaces::NodeBaseInterface::SharedPtr node) {
  ExecutorOptions options;
  options.context = node->get_context();
  executors::SingleThreadedExecutor executor(options);
  executor.add_node(node);
  executor.spin();
  executor.remove_node(node);
}

void spin(std::shared_ptr<Node> node) {
  spin(node->get_node_base_interface());
}

void spin_some(node_interfaces::NodeBaseInterface::SharedPtr node) {
  ExecutorOptions options;
  options.context = node->get_context();
  executors::SingleThreadedExecutor executor(options);
  executor.spin_node_some(node);
}

void spin_some(std::shared_ptr<Node> node) {
  spin_some(node->get_node_base_interface());
}

}  // namespace rclcpp
