// SPDX-License-Identifier: Apache-2.0
// Timers and a clock that moves at the worst moment: between two readings.
#include <gtest/gtest.h>

#include <deque>

#include "executor_queue.hpp"
#include "fixture.hpp"

using rclcpp::CallbackGroup;
using rclcpp::CallbackGroupType;
using rclcpp::detail::Executable;
using rclcpp::detail::ExecutorQueue;
using rclcpp::detail::TimerState;
using std::chrono::steady_clock;

namespace {

constexpr std::int64_t kPeriod = 1000;  // ns

struct Callback : Executable {
  int calls = 0;
  bool execute() override {
    ++calls;
    return true;
  }
};

/// Readings of a clock, in order; the last one stays. A reading may do something, as another thread would.
struct Script {
  struct Reading {
    std::int64_t time;
    std::function<void()> then;
  };
  std::deque<Reading> readings;

  std::int64_t read() {
    Reading reading = readings.front();
    if (readings.size() > 1) readings.pop_front();
    if (reading.then) reading.then();
    return reading.time;
  }
};

class TimerQueue : public testing::Test {
 protected:
  std::shared_ptr<TimerState> make_timer(std::deque<Script::Reading> readings) {
    script_->readings = std::move(readings);
    auto timer = std::make_shared<TimerState>(std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME), kPeriod,
                                              [script = script_] { return script->read(); });
    timer->owner = callback_;
    group_->add(timer);
    return timer;
  }
  bool runs_within(std::chrono::milliseconds limit) {
    auto work = queue_->next(steady_clock::now() + limit, queue_->interrupts(), {});
    return work && work.run();
  }

  std::shared_ptr<Script> script_ = std::make_shared<Script>();
  std::shared_ptr<Callback> callback_ = std::make_shared<Callback>();
  std::shared_ptr<CallbackGroup> group_ = std::make_shared<CallbackGroup>(CallbackGroupType::MutuallyExclusive);
  std::shared_ptr<ExecutorQueue> queue_ = std::make_shared<ExecutorQueue>();
};

}  // namespace

TEST_F(TimerQueue, DeadlineBetweenTwoReadingsOfTheClockIsNotLost) {
  std::deque<Script::Reading> readings{{0, {}}, {0, {}}};                                // of the start
  for (std::int64_t t = kPeriod - 1; t < kPeriod + 9; ++t) readings.push_back({t, {}});  // ns by ns over the deadline
  const auto timer = make_timer(readings);
  group_->associate(queue_);
  EXPECT_TRUE(runs_within(30s));
  EXPECT_EQ(callback_->calls, 1);
  EXPECT_EQ(timer->next, 2 * kPeriod);
}

TEST_F(TimerQueue, CancelledTimerIsNotWaitedFor) {
  const auto timer = make_timer({{0, {}}, {0, {}}, {kPeriod, {}}});
  timer->canceled = true;
  group_->associate(queue_);
  EXPECT_FALSE(runs_within(1ms));
}

TEST_F(TimerQueue, ResetWhileTheTimerIsJudgedStartsItsPeriodAnew) {
  std::shared_ptr<TimerState> timer;
  const auto reset = [&] { timer->next = 5 * kPeriod; };
  timer = make_timer({{0, {}}, {0, {}}, {kPeriod, reset}, {5 * kPeriod - 1, {}}, {5 * kPeriod, {}}});
  group_->associate(queue_);
  EXPECT_TRUE(runs_within(30s));
  EXPECT_EQ(callback_->calls, 1);
  EXPECT_EQ(timer->next, 6 * kPeriod);
  EXPECT_TRUE(group_->can_be_taken_from());
}

// The simulation is started again while a timer that is long overdue is about to be called.
TEST_F(TimerQueue, JumpBackWhileTheTimerIsJudgedDoesNotPlanItInTheOldTime) {
  std::shared_ptr<TimerState> timer;
  const auto jump_back = [&] { timer->jumped({RCL_ROS_TIME_NO_CHANGE, {-90 * kPeriod}}); };
  timer = make_timer({{0, {}}, {0, {}}, {100 * kPeriod, jump_back}, {10 * kPeriod, {}}});
  group_->associate(queue_);
  EXPECT_FALSE(runs_within(1ms));
  EXPECT_EQ(timer->next, 11 * kPeriod);
}

TEST_F(TimerQueue, RestartThatMeetsASwitchToSimulatedTimeIsOnTheNewTimeLine) {
  const std::int64_t today = 1'700'000'000'000'000'000;
  const auto timer = make_timer({{today, {}}, {5, {}}});
  EXPECT_EQ(timer->next, 5 + kPeriod);
  script_->readings = {{today, {}}, {7, {}}};
  timer->restart();
  EXPECT_EQ(timer->next, 7 + kPeriod);
}

TEST_F(TimerQueue, LateTimerKeepsItsRhythm) {
  const auto timer = make_timer({{0, {}}, {0, {}}, {3 * kPeriod + 400, {}}});
  group_->associate(queue_);
  EXPECT_TRUE(runs_within(30s));
  EXPECT_EQ(timer->next, 4 * kPeriod);
}

RCLCPP_TEST_MAIN
