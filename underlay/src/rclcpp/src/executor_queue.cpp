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

void TimerState::restart() {
  do {
    next = now() + period;
  } while (next - now() > period);  // the clock went back, or became a simulated one, meanwhile
}

bool TimerState::advance(std::int64_t planned, std::int64_t time) {
  std::int64_t following = planned + period;
  if (following < time) following = period == 0 ? time : time + period - (time - following) % period;
  return next.compare_exchange_strong(planned, following);
}

bool TimerState::jumped(const rcl_time_jump_t& jump) {
  const bool switched = jump.clock_change != RCL_ROS_TIME_NO_CHANGE;
  const std::int64_t time = now();
  // Backwards, or onto another time line: what was planned has no meaning any more.
  if (switched || jump.delta.nanoseconds < 0 || next - time > period) next = time + period;
  return switched || due(time);
}

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

void ExecutorQueue::put_back(Work& work, Garbage& garbage) {
  if (work.group_->type() == CallbackGroupType::MutuallyExclusive) work.group_->can_be_taken_from().store(true);
  garbage.push_back(std::move(work.executable_));
  garbage.push_back(std::move(work.group_));
}

ExecutorQueue::Work ExecutorQueue::pick_timer(const Limit& limit, Garbage& garbage, TimePoint& look_again) {
  Work work;
  const auto steady_now = steady_clock::now();  // before the timers' clocks: rather too early than too late
  for (std::size_t i = 0; i < timers_.size();) {
    auto& timer = timers_[i];
    if (timer->owner.expired()) {
      garbage.push_back(std::move(timer));
      timers_.erase(timers_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    if (timer->canceled || (limit.pass != 0 && timer->pass == limit.pass)) {
      ++i;
      continue;
    }
    const std::int64_t planned = timer->next;
    const std::int64_t time = timer->now();
    if (time < planned) {
      const std::chrono::nanoseconds left(planned - time);
      if (!timer->simulated() && left < TimePoint::max() - steady_now) {
        look_again = std::min(look_again, steady_now + left);
      }
      ++i;
    } else if (!take(timer->owner, timer->group, work)) {
      ++i;  // its group is busy: the thread that runs it asks for work when it has finished
    } else if (timer->advance(planned, time)) {
      timer->pass = limit.pass;
      return work;
    } else {
      put_back(work, garbage);  // reset, or its clock jumped: judge it again
    }
  }
  return work;
}

ExecutorQueue::Work ExecutorQueue::pick(const Limit& limit, Garbage& garbage, TimePoint& look_again) {
  look_again = TimePoint::max();
  Work work = pick_timer(limit, garbage, look_again);
  if (work) return work;
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
    TimePoint look_again;
    Work work = pick(limit, garbage, look_again);
    if (work) {
      const bool pass_on = waiting_ > 0 && work_for_others(limit);
      lock.unlock();
      if (pass_on) condition_.notify_one();
      return work;
    }
    if (interrupts_ != seen || steady_clock::now() >= end) return work;
    const auto until = std::min(end, look_again);
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
