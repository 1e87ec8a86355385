// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/detail/executable.hpp"

namespace rclcpp {
namespace detail {

/// Where a wait set sleeps.
class WaitSignal {
 public:
  void wake() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      woken_ = true;
    }
    condition_.notify_all();
  }
  /// What is woken from now on ends the next `wait_until`.
  void clear() {
    const std::lock_guard<std::mutex> lock(mutex_);
    woken_ = false;
  }
  void wait_until(std::chrono::steady_clock::time_point end) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto woken = [this] { return woken_; };
    if (end == std::chrono::steady_clock::time_point::max()) {
      condition_.wait(lock, woken);
    } else {
      condition_.wait_until(lock, end, woken);
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool woken_ = false;
};

/// What stands for an entity in queues and listeners, without keeping it alive.
struct ReadyToken {
  std::weak_ptr<Executable> owner;
  std::weak_ptr<CallbackGroup> group;
  // With the queue's mutex:
  bool queued = false;
  std::uint64_t number = 0;  // of its place in the queue
  // Of the thread that runs the owner, if its group is exclusive:
  bool again = false;
  // For a wait set:
  std::atomic<bool> watched{false};
  std::mutex watch_mutex;
  std::shared_ptr<WaitSignal> signal;  // with watch_mutex

  void wake_watcher() {
    if (!watched) return;
    const std::lock_guard<std::mutex> lock(watch_mutex);
    if (signal) signal->wake();
  }
};

/// A timer's schedule, in nanoseconds of its clock. The clock may move, jump and be replaced by a simulated one at any
/// moment, also between two readings: `next` is only ever moved on from a value that was compared with one reading.
struct TimerState {
  using ReadClock = std::function<std::int64_t()>;  // ns

  TimerState(Clock::SharedPtr clock_in, std::int64_t period_in, ReadClock read = {})
      : clock(std::move(clock_in)), period(period_in), read_(std::move(read)) {
    restart();
  }

  std::int64_t now() const { return read_ ? read_() : clock->now().nanoseconds(); }
  bool due(std::int64_t time) const { return !canceled && time >= next; }
  /// A whole period from now, on whatever time line the clock shows when this returns.
  void restart();
  /// To the multiple of the period after `planned` that is not over; false if somebody else has changed the plan.
  bool advance(std::int64_t planned, std::int64_t time);
  /// After a jump of the clock, in the thread that moves it. True if the executor has to look again.
  bool jumped(const rcl_time_jump_t& jump);
  /// A simulated clock wakes the executor when it moves; the others have to be waited for.
  bool simulated() const { return clock->get_clock_type() == RCL_ROS_TIME && clock->ros_time_is_active(); }

  const Clock::SharedPtr clock;
  const std::int64_t period;
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> canceled{false};
  std::weak_ptr<Executable> owner;
  std::weak_ptr<CallbackGroup> group;
  std::uint64_t pass = 0;  // of the last call; with the queue's mutex

 private:
  const ReadClock read_;
};

/// What the threads of an executor share: the entities that are ready, and the timers. No entity is ever destroyed
/// while the mutex is held: its destructor waits for listeners, and those want the mutex.
class ExecutorQueue {
 public:
  /// A callback to run; the group is free again when this is destroyed.
  class Work {
   public:
    Work() = default;
    Work(Work&&) = default;
    Work& operator=(Work&&) = default;
    ~Work();
    explicit operator bool() const { return executable_ != nullptr; }
    bool run() { return executable_->execute(); }

   private:
    friend class ExecutorQueue;
    std::shared_ptr<Executable> executable_;
    std::shared_ptr<CallbackGroup> group_;
    std::shared_ptr<ReadyToken> token_;  // none for a timer
    const ExecutorQueue* queue_ = nullptr;
  };

  /// Which work a call of `next` may return.
  struct Limit {
    std::uint64_t number = std::numeric_limits<std::uint64_t>::max();  // tokens queued later are left
    std::uint64_t pass = 0;                                            // timers called in this pass are left; 0: none
  };

  enum class Wake { Waiting, Nobody };
  /// `Nobody`: the caller itself asks for work next.
  void push(const std::shared_ptr<ReadyToken>& token, Wake wake = Wake::Waiting);
  void add(std::shared_ptr<TimerState> timer);
  void remove(const CallbackGroup* group);
  void wake();

  /// The next work, waiting for it until `end` at most, or until `interrupts` differs from `seen`.
  Work next(std::chrono::steady_clock::time_point end, std::uint64_t seen, const Limit& limit);
  std::uint64_t interrupts();
  /// What is ready at this moment.
  Limit now();
  /// Lets threads that wait in `next` return.
  void interrupt();

 private:
  using Garbage = std::vector<std::shared_ptr<void>>;

  using TimePoint = std::chrono::steady_clock::time_point;

  /// The next work, or when to look again. Both come from one reading of each timer's clock: a deadline that passes
  /// between two readings would be seen by neither.
  Work pick(const Limit& limit, Garbage& garbage, TimePoint& look_again);
  Work pick_timer(const Limit& limit, Garbage& garbage, TimePoint& look_again);
  bool take(const std::weak_ptr<Executable>& owner, const std::weak_ptr<CallbackGroup>& group, Work& work);
  void put_back(Work& work, Garbage& garbage);
  bool work_for_others(const Limit& limit) const;

  std::mutex mutex_;
  std::condition_variable condition_;
  std::list<std::shared_ptr<ReadyToken>> ready_;
  std::list<std::shared_ptr<ReadyToken>> spare_;  // nodes of the list, for the next push
  std::vector<std::shared_ptr<TimerState>> timers_;
  std::uint64_t last_number_ = 0;
  std::uint64_t last_pass_ = 0;
  std::uint64_t interrupts_ = 0;
  int waiting_ = 0;
};

}  // namespace detail
}  // namespace rclcpp
