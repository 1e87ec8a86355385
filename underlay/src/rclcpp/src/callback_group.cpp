// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/callback_group.hpp"

#include <algorithm>

#include "executor_queue.hpp"

namespace rclcpp {

CallbackGroup::CallbackGroup(CallbackGroupType group_type, bool automatically_add_to_executor_with_node)
    : type_(group_type), automatically_add_(automatically_add_to_executor_with_node) {}

CallbackGroup::~CallbackGroup() = default;

namespace {

template <class T>
void remember(std::vector<std::weak_ptr<T>>& list, const std::shared_ptr<T>& entry) {
  list.erase(std::remove_if(list.begin(), list.end(), [](const auto& weak) { return weak.expired(); }), list.end());
  list.push_back(entry);
}

}  // namespace

void CallbackGroup::add(std::shared_ptr<detail::ReadyToken> token) {
  const std::lock_guard<std::mutex> lock(mutex_);
  token->group = weak_from_this();
  remember(tokens_, token);
}

void CallbackGroup::add(std::shared_ptr<detail::TimerState> timer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  timer->group = weak_from_this();
  remember(timers_, timer);
  if (queue_) queue_->add(std::move(timer));
}

void CallbackGroup::notify(const std::shared_ptr<detail::ReadyToken>& token) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (queue_) queue_->push(token);
}

void CallbackGroup::associate(const std::shared_ptr<detail::ExecutorQueue>& queue) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_ = queue;
  // What was notified without an executor is not known any more: everybody has a look.
  for (const auto& weak : tokens_) {
    if (auto token = weak.lock()) queue_->push(token);
  }
  for (const auto& weak : timers_) {
    if (auto timer = weak.lock()) queue_->add(std::move(timer));
  }
}

void CallbackGroup::dissociate() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!queue_) return;
  queue_->remove(this);
  queue_.reset();
}

void CallbackGroup::wake() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (queue_) queue_->wake();
}

void CallbackGroup::released(const detail::ExecutorQueue* queue, const std::shared_ptr<detail::ReadyToken>& again) {
  using Wake = detail::ExecutorQueue::Wake;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!queue_) return;
  const bool moved = queue_.get() != queue;  // to another executor, which may wait for this moment
  if (again) queue_->push(again, moved ? Wake::Waiting : Wake::Nobody);
  if (moved) queue_->wake();
}

namespace detail {

Executable::Executable() : token_(std::make_shared<ReadyToken>()) {}
Executable::~Executable() = default;

void Executable::notify() {
  detail::notify(token_);
}

void Executable::more() {
  const auto group = token_->group.lock();
  if (!group) return;
  if (group->type() == CallbackGroupType::Reentrant) {
    group->notify(token_);
  } else {
    token_->again = true;
  }
}

void Executable::join(const std::shared_ptr<CallbackGroup>& group) {
  token_->owner = weak_from_this();
  group->add(token_);
}

void Executable::watch(std::shared_ptr<WaitSignal> signal) {
  const std::lock_guard<std::mutex> lock(token_->watch_mutex);
  token_->signal = std::move(signal);
  token_->watched = token_->signal != nullptr;
}

void notify(const std::shared_ptr<ReadyToken>& token) {
  if (const auto group = token->group.lock()) group->notify(token);
  token->wake_watcher();
}

}  // namespace detail
}  // namespace rclcpp
