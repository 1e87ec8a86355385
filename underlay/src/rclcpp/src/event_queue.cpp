// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/detail/event_queue.hpp"

#include "arrival_callback.hpp"

namespace rclcpp {
namespace detail {

using underlay_dds::EventStatus;

EventQueue::Handler EventQueue::forward(const std::shared_ptr<EventQueue>& queue, int kind, Handler handler) {
  if (!handler) return {};
  auto& arrivals = queue->arrivals_[kind];
  arrivals = std::make_shared<ArrivalCallback>();
  return [weak = std::weak_ptr<EventQueue>(queue), arrivals,
          shared = std::make_shared<const Handler>(std::move(handler))](const EventStatus& status) {
    const auto target = weak.lock();
    if (!target) return;
    {
      const std::lock_guard<std::mutex> lock(target->mutex_);
      target->pending_.emplace_back(shared, status);
    }
    arrivals->arrived();
    target->notify();
  };
}

ArrivalCallback* EventQueue::arrivals(int kind) {
  const auto found = arrivals_.find(kind);
  return found == arrivals_.end() ? nullptr : found->second.get();
}

bool EventQueue::pending() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !pending_.empty();
}

bool EventQueue::execute() {
  std::pair<std::shared_ptr<const Handler>, EventStatus> event;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (pending_.empty()) return false;
    event = std::move(pending_.front());
    pending_.erase(pending_.begin());
  }
  more();
  (*event.first)(event.second);
  return true;
}

}  // namespace detail
}  // namespace rclcpp
