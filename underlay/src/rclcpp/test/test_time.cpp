// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <future>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/rate.hpp"

using namespace std::chrono_literals;
using rclcpp::Clock;
using rclcpp::Duration;
using rclcpp::Time;
using rclcpp::detail::ClockOverride;

namespace {

void isolate_once() {
  static const int domain = hl_testing::isolate();
  (void)domain;
}

/// An initialized context of its own, so that no test shuts down another's.
std::shared_ptr<rclcpp::Context> running_context() {
  isolate_once();
  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  return context;
}

}  // namespace

TEST(Duration, ComesFromEveryUnit) {
  EXPECT_EQ(Duration(1, 500'000'000).nanoseconds(), 1'500'000'000);
  EXPECT_EQ(Duration(-1, 500'000'000).nanoseconds(), -500'000'000);
  EXPECT_EQ(Duration(20ms).nanoseconds(), 20'000'000);
  EXPECT_EQ(Duration::from_seconds(0.25).nanoseconds(), 250'000'000);
  EXPECT_EQ(Duration::from_nanoseconds(7).nanoseconds(), 7);
  EXPECT_DOUBLE_EQ(Duration(1500ms).seconds(), 1.5);
  EXPECT_EQ(Duration(1500ms).to_chrono<std::chrono::milliseconds>(), 1500ms);
  const Duration implicit = 3s;
  EXPECT_EQ(implicit, Duration(3, 0));
  EXPECT_THROW(Duration::from_seconds(1e11), std::overflow_error);
  EXPECT_THROW(Duration::from_seconds(std::nan("")), std::overflow_error);
}

TEST(Duration, RefusesWhatLeaves64Bits) {
  const auto highest = Duration::from_nanoseconds(std::numeric_limits<int64_t>::max());
  const auto lowest = Duration::from_nanoseconds(std::numeric_limits<int64_t>::min());
  EXPECT_THROW(highest + Duration(1ns), std::overflow_error);
  EXPECT_THROW(lowest - Duration(1ns), std::underflow_error);
  EXPECT_THROW(lowest + Duration(-1ns), std::underflow_error);
  EXPECT_THROW(highest - Duration(-1ns), std::overflow_error);
  EXPECT_THROW(highest * 2.0, std::overflow_error);
  EXPECT_THROW(highest * -2.0, std::underflow_error);
  EXPECT_THROW(Duration(1s) * std::numeric_limits<double>::infinity(), std::runtime_error);
  EXPECT_EQ(Duration(3s) * 0.5, Duration(1500ms));
}

TEST(Duration, SurvivesTheRoundTripThroughItsMessage) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int64_t> any(INT32_MIN * 1'000'000'000LL, INT32_MAX * 1'000'000'000LL);
  for (int i = 0; i < 10'000; ++i) {
    const auto duration = Duration::from_nanoseconds(any(random));
    const builtin_interfaces::msg::Duration message = duration;
    EXPECT_LT(message.nanosec, 1'000'000'000u);
    EXPECT_EQ(Duration(message), duration);
  }
  const builtin_interfaces::msg::Duration longest = Duration::max();
  EXPECT_EQ(longest.sec, INT32_MAX);
  EXPECT_EQ(longest.nanosec, 999'999'999u);
  EXPECT_EQ(Duration(longest), Duration::max());
}

TEST(Time, RefusesNegativeMessagesAndForeignClocks) {
  EXPECT_THROW(Time(-1, 0), std::runtime_error);
  builtin_interfaces::msg::Time message;
  message.sec = -1;
  EXPECT_THROW(Time{message}, std::runtime_error);
  const Time ros(5, 0, RCL_ROS_TIME);
  const Time steady(5, 0, RCL_STEADY_TIME);
  EXPECT_THROW((void)(ros < steady), std::runtime_error);
  EXPECT_THROW((void)(ros == steady), std::runtime_error);
  EXPECT_THROW((void)(ros - steady), std::runtime_error);
  EXPECT_THROW(Time(std::numeric_limits<int64_t>::max()) + Duration(1ns), std::overflow_error);
  const builtin_interfaces::msg::Time last = Time::max();  // what a message can tell
  EXPECT_EQ(last.sec, INT32_MAX);
  EXPECT_EQ(last.nanosec, 999'999'999u);
}

TEST(Time, Calculates) {
  Time time(10, 0, RCL_ROS_TIME);
  time += Duration(1500ms);
  EXPECT_EQ(time.nanoseconds(), 11'500'000'000);
  time -= Duration(500ms);
  EXPECT_EQ(time, Time(11, 0, RCL_ROS_TIME));
  EXPECT_EQ(Duration(1s) + time, Time(12, 0, RCL_ROS_TIME));
  EXPECT_EQ(time - Time(10, 0, RCL_ROS_TIME), Duration(1s));
  EXPECT_EQ(time.get_clock_type(), RCL_ROS_TIME);
  const builtin_interfaces::msg::Time message = time;
  EXPECT_EQ(message.sec, 11);
  EXPECT_EQ(Time(message), time);
}

TEST(Clock, ShowsSystemTimeUntilSimulated) {
  Clock clock(RCL_ROS_TIME);
  const auto system = [] { return Clock(RCL_SYSTEM_TIME).now().nanoseconds(); };
  const int64_t before = system();
  const int64_t shown = clock.now().nanoseconds();
  EXPECT_LE(before, shown);
  EXPECT_LE(shown, system());
  EXPECT_FALSE(clock.ros_time_is_active());
  EXPECT_TRUE(clock.started());

  ClockOverride::enable(clock);
  EXPECT_TRUE(clock.ros_time_is_active());
  EXPECT_EQ(clock.now().nanoseconds(), 0);
  EXPECT_FALSE(clock.started());
  ClockOverride::set(clock, 42);
  EXPECT_TRUE(clock.started());
  EXPECT_EQ(clock.now(), Time(int64_t{42}, RCL_ROS_TIME));

  ClockOverride::disable(clock);
  EXPECT_GE(clock.now().nanoseconds(), before);
}

TEST(Clock, OnlyRosClocksCanBeSimulated) {
  Clock steady(RCL_STEADY_TIME);
  EXPECT_THROW(steady.ros_time_is_active(), std::runtime_error);
  EXPECT_THROW(ClockOverride::enable(steady), std::runtime_error);
  EXPECT_THROW(Clock{RCL_CLOCK_UNINITIALIZED}, std::runtime_error);
}

TEST(Clock, TellsJumpsBeyondTheThreshold) {
  Clock clock(RCL_ROS_TIME);
  std::vector<int64_t> deltas;
  std::vector<rcl_clock_change_t> changes;
  int before = 0;
  auto handler = clock.create_jump_callback([&] { ++before; },
                                            [&](const rcl_time_jump_t& jump) {
                                              deltas.push_back(jump.delta.nanoseconds);
                                              changes.push_back(jump.clock_change);
                                            },
                                            {true, {100}, {-50}});
  ClockOverride::enable(clock);
  ClockOverride::set(clock, 99);   // too small
  ClockOverride::set(clock, 199);  // forward
  ClockOverride::set(clock, 150);  // too small
  ClockOverride::set(clock, 100);  // backward
  ClockOverride::disable(clock);
  handler.reset();
  ClockOverride::enable(clock);
  EXPECT_EQ(deltas, (std::vector<int64_t>{0, 100, -50, 0}));
  EXPECT_EQ(changes, (std::vector<rcl_clock_change_t>{RCL_ROS_TIME_ACTIVATED, RCL_ROS_TIME_NO_CHANGE,
                                                      RCL_ROS_TIME_NO_CHANGE, RCL_ROS_TIME_DEACTIVATED}));
  EXPECT_EQ(before, 4);
}

TEST(Clock, AJumpHandlerMayRemoveItselfAndOthers) {
  Clock clock(RCL_ROS_TIME);
  ClockOverride::enable(clock);
  int calls = 0;
  rclcpp::JumpHandler::SharedPtr first, second;
  first = clock.create_jump_callback(nullptr,
                                     [&](const rcl_time_jump_t&) {
                                       ++calls;
                                       first.reset();
                                       second.reset();
                                     },
                                     {true, {1}, {-1}});
  second = clock.create_jump_callback(nullptr, [&](const rcl_time_jump_t&) { ++calls; }, {true, {1}, {-1}});
  ClockOverride::set(clock, 10);
  ClockOverride::set(clock, 20);
  EXPECT_EQ(calls, 1);
}

TEST(Clock, SleepsOnSimulatedTime) {
  auto context = running_context();
  Clock clock(RCL_ROS_TIME);
  ClockOverride::enable(clock);
  ClockOverride::set(clock, 1'000);
  auto slept =
      std::async(std::launch::async, [&] { return clock.sleep_until(Time(int64_t{5000}, RCL_ROS_TIME), context); });
  EXPECT_EQ(slept.wait_for(20ms), std::future_status::timeout);
  ClockOverride::set(clock, 4'999);
  EXPECT_EQ(slept.wait_for(20ms), std::future_status::timeout);
  ClockOverride::set(clock, 5'000);
  EXPECT_TRUE(slept.get());
}

TEST(Clock, SleepEndsWhenTheClockIsSwitchedOrTheContextShutDown) {
  auto context = running_context();
  Clock clock(RCL_ROS_TIME);
  const Time later = clock.now() + Duration(3600s);
  auto switched = std::async(std::launch::async, [&] { return clock.sleep_until(later, context); });
  while (switched.wait_for(5ms) != std::future_status::ready) {  // whenever the thread gets to run
    ClockOverride::enable(clock);
    ClockOverride::disable(clock);
  }
  EXPECT_FALSE(switched.get());

  std::vector<std::future<bool>> sleepers;
  for (const auto type : {RCL_ROS_TIME, RCL_SYSTEM_TIME, RCL_STEADY_TIME}) {
    sleepers.push_back(std::async(std::launch::async, [=] {
      Clock own(type);
      return own.sleep_for(Duration(3600s), context);
    }));
  }
  std::this_thread::sleep_for(20ms);
  context->shutdown("test");
  for (auto& sleeper : sleepers) {
    EXPECT_FALSE(sleeper.get());
  }
  EXPECT_FALSE(clock.sleep_for(Duration(3600s), context)) << "a context that is down lets nobody sleep";
}

TEST(Clock, SleepsForTheTimeAskedFor) {
  auto context = running_context();
  for (const auto type : {RCL_ROS_TIME, RCL_SYSTEM_TIME, RCL_STEADY_TIME}) {
    Clock clock(type);
    const Time begin = clock.now();
    EXPECT_TRUE(clock.sleep_for(Duration(5ms), context));
    EXPECT_GE(clock.now() - begin, Duration(5ms));
  }
  Clock clock(RCL_STEADY_TIME);
  EXPECT_THROW(clock.sleep_until(Time(int64_t{0}, RCL_ROS_TIME), context), std::runtime_error);
}

TEST(Clock, WaitsUntilTheFirstSimulatedTime) {
  auto context = running_context();
  Clock clock(RCL_ROS_TIME);
  ClockOverride::enable(clock);
  EXPECT_FALSE(clock.wait_until_started(Duration(5ms), context, Duration(1ms)));
  auto started = std::async(std::launch::async, [&] { return clock.wait_until_started(context); });
  ClockOverride::set(clock, 1);
  EXPECT_TRUE(started.get());
}

TEST(Clock, ManyThreadsReadSleepAndJumpAtOnce) {
  auto context = running_context();
  Clock clock(RCL_ROS_TIME);
  ClockOverride::enable(clock);
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) {
        const auto handler = clock.create_jump_callback([] {}, [](const rcl_time_jump_t&) {}, {true, {1}, {-1}});
        clock.sleep_for(Duration(3ns), context);
      }
    });
  }
  for (int64_t t = 1; t < 2'000; ++t) {
    ClockOverride::set(clock, t);
  }
  done = true;
  context->shutdown("test");
  for (auto& thread : threads) {
    thread.join();
  }
}

TEST(Rate, KeepsThePaceAndTellsOverruns) {
  const auto context = rclcpp::contexts::get_global_default_context();
  isolate_once();
  context->init(0, nullptr);
  rclcpp::WallRate rate(200.0);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 4; ++i) {
    rate.sleep();
  }
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(rate.sleep());
  rclcpp::Rate system(5ms);
  EXPECT_TRUE(system.sleep());
  EXPECT_THROW(rclcpp::Rate(0.0), std::invalid_argument);
  EXPECT_THROW(rclcpp::WallRate(-1.0), std::invalid_argument);
  context->shutdown("test");
  EXPECT_FALSE(rclcpp::Rate(1.0).sleep());
}
