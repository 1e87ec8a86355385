// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "executor_queue.hpp"
#include "rclcpp/detail/executable.hpp"
#include "rclcpp/detail/wait_set_core.hpp"
#include "rclcpp/timer.hpp"

namespace rclcpp {
namespace detail {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

namespace {

constexpr const char* names[] = {"subscription", "guard condition", "timer", "client", "service", "waitable"};

steady_clock::time_point after(nanoseconds time) {
  const auto now = steady_clock::now();
  return time > steady_clock::time_point::max() - now ? steady_clock::time_point::max() : now + time;
}

bool simulated(Clock& clock) {
  return clock.get_clock_type() == RCL_ROS_TIME && clock.ros_time_is_active();
}

}  // namespace

WaitSetCore::WaitSetCore(Context::SharedPtr context, Ownership ownership)
    : context_(std::move(context)), ownership_(ownership), signal_(std::make_shared<WaitSignal>()) {
  if (!context_) throw std::invalid_argument("context is nullptr");
  on_shutdown_ = context_->add_on_shutdown_callback([signal = signal_] { signal->wake(); });
}

WaitSetCore::~WaitSetCore() {
  context_->remove_on_shutdown_callback(on_shutdown_);
  for (auto& list : entries_) {
    for (auto& entry : list) {
      const auto owner = entry.weak.lock();
      if (!owner) continue;
      entry.entity->watch(nullptr);
      entry.entity->exchange_in_use_by_wait_set_state(false);
    }
  }
}

void WaitSetCore::add(Kind kind, std::shared_ptr<void> owner, Executable& entity) {
  if (entity.exchange_in_use_by_wait_set_state(true)) {
    throw std::runtime_error(std::string(names[kind]) + " already in use by this or another wait set");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Entry entry{owner, nullptr, &entity};
    if (ownership_ == Ownership::Shared) entry.shared = std::move(owner);
    entries_[kind].push_back(std::move(entry));
    entity.watch(signal_);
  }
  signal_->wake();
}

void WaitSetCore::remove(Kind kind, Executable& entity) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& list = entries_[kind];
    const auto found = std::find_if(
        list.begin(), list.end(), [&](const Entry& entry) { return entry.entity == &entity && !entry.weak.expired(); });
    if (found == list.end()) throw std::runtime_error(std::string(names[kind]) + " not in wait set");
    list.erase(found);
    entity.watch(nullptr);
    entity.exchange_in_use_by_wait_set_state(false);
  }
  signal_->wake();
}

void WaitSetCore::prune() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto& list : entries_) {
    list.erase(std::remove_if(list.begin(), list.end(), [](const Entry& entry) { return entry.weak.expired(); }),
               list.end());
  }
}

bool WaitSetCore::look(steady_clock::time_point& next, bool& empty) {
  std::vector<std::shared_ptr<void>> before;  // destroyed after the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  before.swap(held_);
  empty = true;
  bool any = false;
  for (int kind = 0; kind < kinds; ++kind) {
    ready_[kind].clear();
    for (const auto& entry : entries_[kind]) {
      auto owner = entry.weak.lock();
      if (!owner) continue;  // as if it were removed
      held_.push_back(std::move(owner));
      empty = false;
      const bool pending = entry.entity->pending();
      any |= pending;
      ready_[kind].push_back(pending ? entry.entity : nullptr);
      if (kind == Timers && !pending) {
        auto& timer = static_cast<TimerBase&>(*entry.entity);
        const auto left = timer.time_until_trigger();
        // A simulated clock says when it moves; the others are waited for.
        if (left != nanoseconds::max() && !simulated(*timer.get_clock())) next = std::min(next, after(left));
      }
    }
  }
  show(Subscriptions, subscriptions_, found_.subscriptions, found_.size_of_subscriptions);
  show(GuardConditions, guard_conditions_, found_.guard_conditions, found_.size_of_guard_conditions);
  show(Timers, timers_, found_.timers, found_.size_of_timers);
  show(Clients, clients_, found_.clients, found_.size_of_clients);
  show(Services, services_, found_.services, found_.size_of_services);
  show(Waitables, events_, found_.events, found_.size_of_events);
  return any;
}

template <class T>
void WaitSetCore::show(Kind kind, std::vector<const T*>& entries, const T**& found, std::size_t& size) {
  entries.clear();
  for (const void* entity : ready_[kind]) entries.push_back(static_cast<const T*>(entity));
  found = entries.data();
  size = entries.size();
}

WaitResultKind WaitSetCore::wait(nanoseconds time_to_wait) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::exchange(waiting_, true)) {
      throw std::runtime_error("wait() called while another thread waits or the last result still exists");
    }
  }
  try {
    prune();
    const auto end = time_to_wait < nanoseconds::zero() ? steady_clock::time_point::max() : after(time_to_wait);
    for (;;) {
      signal_->clear();  // before the look: what happens after it ends the sleep
      auto next = end;
      bool empty = false;
      if (look(next, empty)) return WaitResultKind::Ready;
      if (empty) {
        release();
        return WaitResultKind::Empty;
      }
      if (steady_clock::now() >= end || !context_->is_valid()) {
        release();
        return WaitResultKind::Timeout;
      }
      signal_->wait_until(next);
    }
  } catch (...) {
    release();
    throw;
  }
}

void WaitSetCore::release() {
  std::vector<std::shared_ptr<void>> held;  // destroyed after the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  held.swap(held_);
  waiting_ = false;
}

}  // namespace detail
}  // namespace rclcpp
