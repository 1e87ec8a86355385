// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <functional>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "fixture.hpp"
#include "std_msgs/msg/int64.hpp"

using example_interfaces::srv::AddTwoInts;
using rclcpp::CallbackGroupType;
using rclcpp::executors::MultiThreadedExecutor;
using rclcpp::executors::SingleThreadedExecutor;
using std_msgs::msg::Int64;

class Executors : public WithRos {};

TEST_F(Executors, TimerKeepsItsPeriodAndCanBeCancelledAndReset) {
  auto node = make_node("timer");
  int calls = 0;
  auto timer = node->create_wall_timer(5ms, [&] { ++calls; });
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(spin_until([&] { return calls == 10; }));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 45ms);
  timer->cancel();
  EXPECT_TRUE(timer->is_canceled());
  EXPECT_EQ(timer->time_until_trigger(), std::chrono::nanoseconds::max());
  executor_->spin_once(20ms);
  EXPECT_EQ(calls, 10);
  timer->reset();
  EXPECT_TRUE(spin_until([&] { return calls == 11; }));
}

TEST_F(Executors, TimerMayCancelItselfThroughItsArgument) {
  auto node = make_node("self_cancel");
  int calls = 0;
  auto timer = node->create_wall_timer(1ms, [&](rclcpp::TimerBase& self) {
    ++calls;
    self.cancel();
  });
  ASSERT_TRUE(spin_until([&] { return calls == 1; }));
  executor_->spin_once(10ms);
  EXPECT_EQ(calls, 1);
}

TEST_F(Executors, BadPeriodIsRefused) {
  auto node = make_node("period");
  EXPECT_THROW(node->create_wall_timer(-1ms, [] {}), std::invalid_argument);
}

TEST_F(Executors, SpinSomeRunsWhatIsReadyOnce) {
  auto node = make_node("some");
  int calls = 0;
  auto subscription = node->create_subscription<Int64>("some", 10, [&](const Int64&) { ++calls; });
  auto publisher = node->create_publisher<Int64>("some", 10);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  executor_->spin_all(1s);
  for (int i = 0; i < 3; ++i) publisher->publish(Int64());
  executor_->spin_some();
  EXPECT_EQ(calls, 1);
  executor_->spin_all(1s);
  EXPECT_EQ(calls, 3);
}

TEST_F(Executors, FutureOfAnotherThreadEndsTheSpin) {
  auto node = make_node("future");
  std::promise<int> promise;
  auto future = promise.get_future();
  EXPECT_EQ(executor_->spin_until_future_complete(future, 10ms), rclcpp::FutureReturnCode::TIMEOUT);
  std::thread setter([&] { promise.set_value(1); });
  EXPECT_EQ(executor_->spin_until_future_complete(future, 30s), rclcpp::FutureReturnCode::SUCCESS);
  setter.join();
}

TEST_F(Executors, CancelAndShutdownEndTheSpin) {
  for (int i = 0; i < 50; ++i) {
    SingleThreadedExecutor executor;
    std::thread spinner([&] { executor.spin(); });
    while (!executor.is_spinning()) std::this_thread::yield();
    executor.cancel();
    spinner.join();
  }
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  std::thread spinner([&] { executor.spin(); });
  while (!executor.is_spinning()) std::this_thread::yield();
  rclcpp::shutdown();
  spinner.join();
}

// As when a program ends before the thread it has started came to spin().
TEST_F(Executors, CancelBeforeTheSpinEndsTheNextSpinOnly) {
  auto node = std::make_shared<rclcpp::Node>("eager");
  std::atomic<int> calls{0};
  auto timer = node->create_wall_timer(1ms, [&] { ++calls; });
  const auto ends_after_cancel = [&](rclcpp::Executor& executor, const std::function<void()>& spin) {
    executor.add_node(node);
    executor.cancel();
    auto spinning = std::async(std::launch::async, spin);
    const bool ended = spinning.wait_for(10s) == std::future_status::ready;
    executor.cancel();  // lets a test that fails come to an end
    if (!ended) return false;
    EXPECT_FALSE(executor.is_spinning());
    executor.spin_once(0ns);  // takes the second cancel

    const int before = calls;
    auto second = std::async(std::launch::async, [&] { executor.spin(); });
    const bool runs = hl_testing::wait_until([&] { return calls > before; });
    executor.cancel();
    second.wait();
    executor.remove_node(node);
    return runs;
  };
  SingleThreadedExecutor single;
  EXPECT_TRUE(ends_after_cancel(single, [&] { single.spin(); }));
  std::promise<void> promise;
  const auto never = promise.get_future();
  EXPECT_TRUE(ends_after_cancel(
      single, [&] { EXPECT_EQ(single.spin_until_future_complete(never), rclcpp::FutureReturnCode::INTERRUPTED); }));
  MultiThreadedExecutor multi(rclcpp::ExecutorOptions(), 3);
  EXPECT_TRUE(ends_after_cancel(multi, [&] { multi.spin(); }));
}

TEST_F(Executors, CancelThatRacesWithTheStartOfSpinIsNotLost) {
  for (std::size_t i = 0; i < hl_testing::count(300, 20'000); ++i) {
    SingleThreadedExecutor executor;
    std::thread spinner([&] { executor.spin(); });
    for (std::size_t pause = 0; pause < i % 7; ++pause) std::this_thread::yield();
    executor.cancel();
    spinner.join();
  }
}

TEST_F(Executors, NodeBelongsToOneExecutorAtATime) {
  auto node = make_node("owned");
  SingleThreadedExecutor other;
  EXPECT_THROW(other.add_node(node), std::runtime_error);
  EXPECT_THROW(other.remove_node(node), std::runtime_error);
  executor_->remove_node(node);
  other.add_node(node);
  int calls = 0;
  auto timer = node->create_wall_timer(1ms, [&] { ++calls; });
  other.spin_once(30s);
  EXPECT_EQ(calls, 1);
}

TEST_F(Executors, MessagesWaitUntilTheNodeIsSpun) {
  auto node = std::make_shared<rclcpp::Node>("patient");
  int calls = 0;
  auto subscription = node->create_subscription<Int64>("patience", 10, [&](const Int64&) { ++calls; });
  auto publisher = node->create_publisher<Int64>("patience", 10);
  ASSERT_TRUE(hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Int64());
  rclcpp::spin_some(node);
  EXPECT_EQ(calls, 1);
}

TEST_F(Executors, GroupThatIsNotAddedWithItsNodeIsAddedByHand) {
  auto node = make_node("groups");
  auto group = node->create_callback_group(CallbackGroupType::MutuallyExclusive, false);
  int calls = 0;
  auto timer = node->create_wall_timer(
      1ms, [&] { ++calls; }, group);
  executor_->spin_once(10ms);
  EXPECT_EQ(calls, 0);
  SingleThreadedExecutor other;
  other.add_callback_group(group, node->get_node_base_interface());
  EXPECT_THROW(other.add_callback_group(group, node->get_node_base_interface()), std::runtime_error);
  other.spin_once(30s);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(other.get_all_callback_groups().size(), 1u);
  other.remove_callback_group(group);
  other.spin_once(10ms);
  EXPECT_EQ(calls, 1);

  auto stranger = make_node("stranger");
  EXPECT_THROW(stranger->create_wall_timer(
                   1ms, [] {}, group),
               std::runtime_error);
}

TEST_F(Executors, ExclusiveGroupsNeverOverlapAndReentrantOnesDo) {
  auto node = std::make_shared<rclcpp::Node>("overlap");
  auto exclusive = node->create_callback_group(CallbackGroupType::MutuallyExclusive);
  auto reentrant = node->create_callback_group(CallbackGroupType::Reentrant);
  std::atomic<int> in_exclusive{0}, in_reentrant{0}, violations{0}, overlaps{0}, done{0};
  const auto guarded = [&] {
    if (++in_exclusive > 1) ++violations;
    std::this_thread::sleep_for(1ms);
    --in_exclusive;
    ++done;
  };
  const auto open = [&] {
    if (++in_reentrant > 1) ++overlaps;
    std::this_thread::sleep_for(2ms);
    --in_reentrant;
  };
  std::vector<rclcpp::TimerBase::SharedPtr> timers;
  for (int i = 0; i < 3; ++i) {
    timers.push_back(node->create_wall_timer(1ms, guarded, exclusive));
    timers.push_back(node->create_wall_timer(1ms, open, reentrant));
  }
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  executor.add_node(node);
  std::thread spinner([&] { executor.spin(); });
  EXPECT_TRUE(hl_testing::wait_until([&] { return done > 50 && overlaps > 5; }));
  executor.cancel();
  spinner.join();
  EXPECT_EQ(violations, 0);
}

TEST_F(Executors, OneReentrantSubscriptionHandlesSeveralMessagesAtOnce) {
  auto node = std::make_shared<rclcpp::Node>("parallel");
  rclcpp::SubscriptionOptions options;
  options.callback_group = node->create_callback_group(CallbackGroupType::Reentrant);
  std::atomic<int> inside{0}, most{0}, done{0};
  auto subscription = node->create_subscription<Int64>(
      "parallel", 10,
      [&](const Int64&) {
        const int now = ++inside;
        if (now > most) most = now;
        hl_testing::wait_until([&] { return most >= 2; }, 5s);
        --inside;
        ++done;
      },
      options);
  auto publisher = node->create_publisher<Int64>("parallel", 10);
  ASSERT_TRUE(hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; }));
  for (int i = 0; i < 4; ++i) publisher->publish(Int64());
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
  executor.add_node(node);
  std::thread spinner([&] { executor.spin(); });
  EXPECT_TRUE(hl_testing::wait_until([&] { return done == 4; }));
  executor.cancel();
  spinner.join();
  EXPECT_GE(most, 2);
}

TEST_F(Executors, ServiceCallInsideACallbackWorksWithASecondThread) {
  auto node = std::make_shared<rclcpp::Node>("nested");
  auto group = node->create_callback_group(CallbackGroupType::MutuallyExclusive);
  auto service = node->create_service<AddTwoInts>(
      "nested_add", [](const std::shared_ptr<AddTwoInts::Request> request,
                       std::shared_ptr<AddTwoInts::Response> response) { response->sum = request->a + request->b; });
  auto client = node->create_client<AddTwoInts>("nested_add", rclcpp::ServicesQoS(), group);
  std::atomic<int64_t> sum{0};
  auto timer_group = node->create_callback_group(CallbackGroupType::MutuallyExclusive);
  auto timer = node->create_wall_timer(
      1ms,
      [&](rclcpp::TimerBase& self) {
        self.cancel();
        if (!client->wait_for_service(30s)) return;
        auto request = std::make_shared<AddTwoInts::Request>();
        request->a = 1;
        request->b = 2;
        auto future = client->async_send_request(request);
        if (future.wait_for(30s) == std::future_status::ready) sum = future.get()->sum;
      },
      timer_group);
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 2);
  executor.add_node(node);
  std::thread spinner([&] { executor.spin(); });
  EXPECT_TRUE(hl_testing::wait_until([&] { return sum == 3; }));
  executor.cancel();
  spinner.join();
}

TEST_F(Executors, ExceptionOfACallbackLeavesSpin) {
  auto node = std::make_shared<rclcpp::Node>("throwing");
  auto timer = node->create_wall_timer(1ms, [] { throw std::logic_error("boom"); });
  {
    SingleThreadedExecutor executor;
    executor.add_node(node);
    EXPECT_THROW(executor.spin(), std::logic_error);
  }
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
  executor.add_node(node);
  EXPECT_THROW(executor.spin(), std::logic_error);
}

TEST_F(Executors, WaitableOfALibraryIsRunInItsGroup) {
  struct Counter : rclcpp::Waitable {
    int calls = 0;
    bool execute() override {
      ++calls;
      return true;
    }
  };
  auto node = make_node("library");
  auto counter = std::make_shared<Counter>();
  node->get_node_waitables_interface()->add_waitable(counter, nullptr);
  executor_->spin_some();
  std::thread other([&] { counter->notify(); });
  const int before = counter->calls;
  EXPECT_TRUE(spin_until([&] { return counter->calls > before; }));
  other.join();
}

// What a sanitizer looks at: everything is made and destroyed while four threads spin and others publish.
TEST_F(Executors, EntitiesComeAndGoWhileThreadsSpin) {
  auto keeper = std::make_shared<rclcpp::Node>("keeper");
  MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  executor.add_node(keeper);
  std::thread spinner([&] { executor.spin(); });
  auto echo = keeper->create_service<AddTwoInts>(
      "stress_add", [](const std::shared_ptr<AddTwoInts::Request> request,
                       std::shared_ptr<AddTwoInts::Response> response) { response->sum = request->a + request->b; });
  std::atomic<bool> stop{false};
  std::atomic<int> received{0}, answered{0}, ticks{0};
  std::thread publishing([&] {
    auto publisher = keeper->create_publisher<Int64>("stress", 10);
    for (Int64 message; !stop; ++message.data) {
      publisher->publish(message);
      publisher->publish(std::make_unique<Int64>(message));
      std::this_thread::sleep_for(200us);
    }
  });
  const auto churn = [&](unsigned seed) {
    std::mt19937 random(seed);
    const std::size_t rounds = hl_testing::count(30, 500);
    for (std::size_t i = 0; i < rounds; ++i) {
      auto node = std::make_shared<rclcpp::Node>("churn_" + std::to_string(seed),
                                                 rclcpp::NodeOptions().start_parameter_services(i % 8 == 0));
      auto group =
          node->create_callback_group(i % 2 == 0 ? CallbackGroupType::Reentrant : CallbackGroupType::MutuallyExclusive);
      rclcpp::SubscriptionOptions options;
      options.callback_group = group;
      executor.add_node(node);
      auto subscription = node->create_subscription<Int64>(
          "stress", 10, [&](Int64::ConstSharedPtr) { ++received; }, options);
      auto second = node->create_subscription<Int64>("stress", 10, [&](Int64::UniquePtr) { ++received; });
      auto timer = node->create_wall_timer(
          1ms, [&] { ++ticks; }, group);
      auto client = node->create_client<AddTwoInts>("stress_add");
      if (client->service_is_ready()) {
        client->async_send_request(std::make_shared<AddTwoInts::Request>(),
                                   [&](rclcpp::Client<AddTwoInts>::SharedFuture) { ++answered; });
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
      timer.reset();
      if (random() % 2 == 0) subscription.reset();
      if (random() % 2 == 0) executor.remove_node(node);
    }
  };
  std::thread one([&] { churn(1); }), two([&] { churn(2); });
  one.join();
  two.join();
  stop = true;
  publishing.join();
  executor.cancel();
  spinner.join();
  EXPECT_GT(received, 0);
  EXPECT_GT(ticks, 0);
}

RCLCPP_TEST_MAIN
