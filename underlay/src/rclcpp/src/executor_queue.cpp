// SPDX-License-Identifier: Apache-2.0
#include "executor_queue.hpp"

#include <algorithm>

namespace rclcpp {
namespace detail {

using std::chrono::steady_clock;

namespace {

bool runnable(const std::weak_ptr<CallbackGroup>& weak) {
  const auto group = weak.lock();
  return group && (group->type() == CallbackGroupType::Reentrant || group->can_be_taken_from());
}

}  // namespace

ExecutorQueue::Work::~Work() {
  if (!group_) return;
  executable_.reset();  // may be the end of the entity
  if (group_->type() == CallbackGroupType::MutuallyExclusive) {
    const bool again = token_ && token_->again;
    if (again) token_->again = false;
    group_->can_be_taken_from().store(true);
    group_->released(queue_, again ? token_ : nullptr);
  }
}

void ExecutorQueue::push(const std::shared_ptr<ReadyToken>& token, Wake wake) {
  bool notify = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (token->queued) return;
    token->queued = true;
    token->number = ++last_number_;
    if (spare_.empty()) {
      ready_.push_back(token);
    } else {
      spare_.front() = token;
      ready_.splice(ready_.end(), spare_, spare_.begin());
    }
    // If the group is busy, the thread that runs it looks for more work when it has finished.
    notify = wake == Wake::Waiting && waiting_ > 0 && runnable(token->group);
  }
  if (notify) condition_.notify_one();
}

void ExecutorQueue::add(std::shared_ptr<TimerState> timer) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    timers_.push_back(std::move(timer));
  }
  wake();
}

void ExecutorQueue::remove(const CallbackGroup* group) {
  Garbage garbage;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = ready_.begin(); it != ready_.end();) {
    const auto current = it++;
    const auto owner = (*current)->group.lock();
    if (owner && owner.get() != group) continue;
    (*current)->queued = false;
    garbage.push_back(std::move(*current));
    spare_.splice(spare_.end(), ready_, current);
  }
  for (auto it = timers_.begin(); it != timers_.end();) {
    const auto owner = (*it)->group.lock();
    if (owner && owner.get() != group) {
      ++it;
      continue;
    }
    garbage.push_back(std::move(*it));
    it = timers_.erase(it);
  }
}

void ExecutorQueue::wake() {
  bool notify = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    notify = waiting_ > 0;
  }
  if (notify) condition_.notify_all();
}

void ExecutorQueue::interrupt() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++interrupts_;
  }
  condition_.notify_all();
}

ExecutorQueue::Limit ExecutorQueue::now() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {last_number_, ++last_pass_};
}

bool ExecutorQueue::take(const std::weak_ptr<Executable>& owner, const std::weak_ptr<CallbackGroup>& group,
                         Work& work) {
  // The owner is locked last and kept in any case: released here, it might be destroyed under the mutex.
  work.group_ = group.lock();
  if (!work.group_) return false;
  const bool exclusive = work.group_->type() == CallbackGroupType::MutuallyExclusive;
  if (exclusive && !work.group_->can_be_taken_from().exchange(false)) {
    work.group_.reset();
    return false;
  }
  work.queue_ = this;
  work.executable_ = owner.lock();
  if (work.executable_) return true;
  if (exclusive) work.group_->can_be_taken_from().store(true);
  work.group_.reset();
  return false;
}

ExecutorQueue::Work ExecutorQueue::pick(const Limit& limit, Garbage& garbage) {
  Work work;
  for (std::size_t i = 0; i < timers_.size();) {
    auto& timer = timers_[i];
    if (timer->owner.expired()) {
      garbage.push_back(std::move(timer));
      timers_.erase(timers_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    ++i;
    if (limit.pass != 0 && timer->pass == limit.pass) continue;
    const std::int64_t time = timer->now();
    if (!timer->due(time) || !take(timer->owner, timer->group, work)) continue;
    timer->pass = limit.pass;
    timer->advance(time);
    return work;
  }
  for (auto it = ready_.begin(); it != ready_.end();) {
    const auto current = it++;
    auto& token = *current;
    if (token->number > limit.number) break;
    const bool dead = token->owner.expired() || token->group.expired();
    if (!dead && !take(token->owner, token->group, work)) continue;
    token->queued = false;
    if (dead) {
      garbage.push_back(std::move(token));
    } else {
      work.token_ = std::move(token);
    }
    spare_.splice(spare_.end(), ready_, current);
    if (!dead) return work;
  }
  return work;
}

steady_clock::time_point ExecutorQueue::next_timer() const {
  auto next = steady_clock::time_point::max();
  for (const auto& timer : timers_) {
    if (timer->canceled) continue;
    // A simulated clock wakes the queue when it moves.
    if (timer->clock->get_clock_type() == RCL_ROS_TIME && timer->clock->ros_time_is_active()) continue;
    const std::int64_t left = timer->next - timer->now();
    if (left <= 0) continue;  // due, but its group is busy
    const auto now = steady_clock::now();
    if (left < (steady_clock::time_point::max() - now).count()) {
      next = std::min(next, now + std::chrono::nanoseconds(left));
    }
  }
  return next;
}

std::uint64_t ExecutorQueue::interrupts() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return interrupts_;
}

bool ExecutorQueue::work_for_others(const Limit& limit) const {
  return std::any_of(ready_.begin(), ready_.end(),
                     [&](const auto& token) { return token->number <= limit.number && runnable(token->group); });
}

ExecutorQueue::Work ExecutorQueue::next(steady_clock::time_point end, std::uint64_t seen, const Limit& limit) {
  Garbage garbage;  // destroyed after the lock
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    Work work = pick(limit, garbage);
    if (work) {
      const bool pass_on = waiting_ > 0 && work_for_others(limit);
      lock.unlock();
      if (pass_on) condition_.notify_one();
      return work;
    }
    if (interrupts_ != seen || steady_clock::now() >= end) return work;
    const auto until = std::min(end, next_timer());
    ++waiting_;
    if (until == steady_clock::time_point::max()) {
      condition_.wait(lock);
    } else {
      condition_.wait_until(lock, until);
    }
    --waiting_;
  }
}

}  // namespace detail
}  // namespace rclcpp
