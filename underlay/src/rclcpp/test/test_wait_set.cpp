// SPDX-License-Identifier: Apache-2.0
// Waiting without an executor, as nodes that decide the order of their work themselves do it.
#include <array>
#include <atomic>
#include <example_interfaces/srv/add_two_ints.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <std_msgs/msg/string.hpp>
#include <thread>

#include "fixture.hpp"

using example_interfaces::srv::AddTwoInts;
using rclcpp::WaitResultKind;
using std_msgs::msg::String;

class WaitSets : public WithRos {
 protected:
  WaitSets() : node_(std::make_shared<rclcpp::Node>("waiting")) {}

  rclcpp::Subscription<String>::SharedPtr subscribe(const std::string& topic,
                                                    const rclcpp::SubscriptionOptions& options = {}) {
    return node_->create_subscription<String>(
        topic, 10, [this](const String& message) { handled_.push_back(message.data); }, options);
  }
  static String text(const std::string& words) {
    String message;
    message.data = words;
    return message;
  }
  static bool matched(const rclcpp::Publisher<String>& publisher) {
    return hl_testing::wait_until([&] { return publisher.get_subscription_count() > 0; });
  }

  rclcpp::Node::SharedPtr node_;
  std::vector<std::string> handled_;
};

TEST_F(WaitSets, AreReadyForTheSubscriptionThatHasAMessage) {
  auto silent = subscribe("silent");
  auto heard = subscribe("heard");
  auto publisher = node_->create_publisher<String>("heard", 10);
  ASSERT_TRUE(matched(*publisher));
  rclcpp::WaitSet wait_set({{silent}, {heard}});
  EXPECT_EQ(wait_set.wait(0ms).kind(), WaitResultKind::Timeout);
  publisher->publish(text("one"));
  publisher->publish(text("two"));
  std::vector<std::string> taken;
  while (taken.size() < 2) {
    const auto result = wait_set.wait(30s);
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    const auto& found = result.get_wait_set().get_rcl_wait_set();
    ASSERT_EQ(found.size_of_subscriptions, 2u);
    EXPECT_FALSE(found.subscriptions[0]);
    EXPECT_TRUE(found.subscriptions[1]);
    String message;
    rclcpp::MessageInfo info;
    ASSERT_TRUE(heard->take(message, info));
    taken.push_back(message.data);
  }
  EXPECT_EQ(taken, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(wait_set.wait(0ms).kind(), WaitResultKind::Timeout) << "what was taken is gone";
}

TEST_F(WaitSets, WakeForAMessageThatComesLater) {
  auto subscription = subscribe("later");
  auto publisher = node_->create_publisher<String>("later", 10);
  ASSERT_TRUE(matched(*publisher));
  rclcpp::WaitSet wait_set({{{subscription}}}, {}, {});
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    publisher->publish(text("late"));
  });
  EXPECT_EQ(wait_set.wait().kind(), WaitResultKind::Ready);  // for ever, if need be
  other.join();
}

TEST_F(WaitSets, AMessageThatWasTakenGoesToTheCallback) {
  auto subscription = subscribe("handled");
  auto publisher = node_->create_publisher<String>("handled", 10);
  ASSERT_TRUE(matched(*publisher));
  publisher->publish(text("by hand"));
  rclcpp::WaitSet wait_set;
  wait_set.add_subscription(subscription);
  ASSERT_EQ(wait_set.wait(30s).kind(), WaitResultKind::Ready);
  auto message = subscription->create_message();
  rclcpp::MessageInfo info;
  ASSERT_TRUE(subscription->take_type_erased(message.get(), info));
  EXPECT_FALSE(subscription->is_serialized());
  subscription->handle_message(message, info);
  EXPECT_EQ(handled_, std::vector<std::string>{"by hand"});
  EXPECT_FALSE(subscription->take_type_erased(message.get(), info));
  EXPECT_THROW(subscription->handle_serialized_message(subscription->create_serialized_message(), info),
               std::runtime_error);
}

TEST_F(WaitSets, GuardConditionsAreMetOnce) {
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  rclcpp::WaitSet wait_set({}, {guard});
  guard->trigger();
  guard->trigger();
  {
    const auto result = wait_set.wait(30s);
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    EXPECT_TRUE(result.get_wait_set().get_rcl_wait_set().guard_conditions[0]);
  }
  EXPECT_EQ(wait_set.wait(0ms).kind(), WaitResultKind::Timeout);
  std::thread other([&] { guard->trigger(); });
  EXPECT_EQ(wait_set.wait(30s).kind(), WaitResultKind::Ready);
  other.join();
  std::size_t told = 0;
  guard->set_on_trigger_callback([&](std::size_t count) { told += count; });
  EXPECT_EQ(told, 3u) << "what came before is told";
  guard->trigger();
  EXPECT_EQ(told, 4u);
  guard->set_on_trigger_callback(nullptr);
  guard->trigger();
  EXPECT_EQ(told, 4u);
  EXPECT_EQ(guard->get_context(), rclcpp::contexts::get_global_default_context());
  EXPECT_THROW(rclcpp::GuardCondition(nullptr), std::invalid_argument);
}

TEST_F(WaitSets, TimersAreReadyWhenTheyAreDueAndWaitAgainAfterACall) {
  int calls = 0;
  auto timer = node_->create_wall_timer(20ms, [&] { ++calls; });
  rclcpp::WaitSet wait_set({}, {}, {timer});
  for (int i = 0; i < 3; ++i) {
    const auto result = wait_set.wait(30s);
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    ASSERT_TRUE(result.get_wait_set().get_rcl_wait_set().timers[0]);
    ASSERT_TRUE(timer->call());
    timer->execute_callback();
  }
  EXPECT_EQ(calls, 3);
  timer->cancel();
  EXPECT_FALSE(timer->call());
  EXPECT_EQ(wait_set.wait(50ms).kind(), WaitResultKind::Timeout) << "a cancelled timer is never due";
  std::thread other([&] { timer->reset(); });
  EXPECT_EQ(wait_set.wait(30s).kind(), WaitResultKind::Ready) << "a reset one is";
  other.join();
}

TEST_F(WaitSets, TimersOfASimulatedClockAreWokenByIt) {
  node_->set_parameter({"use_sim_time", true});
  auto publisher = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", 1);
  const auto set_clock = [&](int32_t seconds) {
    rosgraph_msgs::msg::Clock message;
    message.clock.sec = seconds;
    publisher->publish(message);
  };
  ASSERT_TRUE(hl_testing::wait_until([&] {
    set_clock(100);
    return node_->now().seconds() == 100;
  }));
  auto timer = rclcpp::create_timer(node_, node_->get_clock(), rclcpp::Duration(10s), [] {});
  rclcpp::WaitSet wait_set({}, {}, {timer});
  EXPECT_EQ(wait_set.wait(20ms).kind(), WaitResultKind::Timeout) << "nobody moves the clock";
  std::thread other([&] { set_clock(111); });
  EXPECT_EQ(wait_set.wait(30s).kind(), WaitResultKind::Ready);
  other.join();
}

TEST_F(WaitSets, ServicesAndClientsAreServedByHand) {
  auto service = node_->create_service<AddTwoInts>(
      "add", [](std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
        response->sum = request->a + request->b;
      });
  auto client = node_->create_client<AddTwoInts>("add");
  ASSERT_TRUE(client->wait_for_service(30s));
  auto request = std::make_shared<AddTwoInts::Request>();
  request->a = 3;
  request->b = 4;
  auto future = client->async_send_request(request);
  rclcpp::WaitSet wait_set;
  wait_set.add_service(service);
  wait_set.add_client(client);
  while (future.wait_for(0s) != std::future_status::ready) {
    const auto result = wait_set.wait(30s);
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    const auto& found = result.get_wait_set().get_rcl_wait_set();
    if (found.services[0]) {
      auto header = service->create_request_header();
      auto taken = service->create_request();
      if (service->take_type_erased_request(taken.get(), *header)) service->handle_request(header, taken);
    }
    if (found.clients[0]) {
      auto header = client->create_request_header();
      auto taken = client->create_response();
      if (client->take_type_erased_response(taken.get(), *header)) client->handle_response(header, taken);
    }
  }
  EXPECT_EQ(future.get()->sum, 7);
}

TEST_F(WaitSets, EventsOfASubscriptionCountUnlessTheyAreMasked) {
  rclcpp::SubscriptionOptions options;
  int incompatible = 0;
  options.event_callbacks.incompatible_qos_callback = [&](auto&) { ++incompatible; };
  auto strict = subscribe("strict", options);
  auto without = subscribe("strict", options);
  rclcpp::WaitSet wait_set({{{strict}}}, {}, {});
  rclcpp::SubscriptionWaitSetMask only_messages;
  only_messages.include_events = false;
  rclcpp::WaitSet masked({{{without, only_messages}}}, {}, {});
  auto publisher = node_->create_publisher<String>("strict", rclcpp::QoS(1).best_effort());
  {
    const auto result = wait_set.wait(30s);
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    EXPECT_TRUE(result.get_wait_set().get_rcl_wait_set().events[0]);
    EXPECT_FALSE(result.get_wait_set().get_rcl_wait_set().subscriptions[0]);
  }
  EXPECT_EQ(masked.wait(0ms).kind(), WaitResultKind::Timeout);
}

TEST_F(WaitSets, SayWhatIsWrong) {
  rclcpp::WaitSet wait_set;
  EXPECT_EQ(wait_set.wait(1s).kind(), WaitResultKind::Empty);
  EXPECT_THROW(wait_set.add_guard_condition(nullptr), std::invalid_argument);
  EXPECT_THROW(wait_set.add_subscription(nullptr), std::invalid_argument);
  EXPECT_THROW(wait_set.add_timer(nullptr), std::invalid_argument);
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  EXPECT_THROW(wait_set.remove_guard_condition(guard), std::runtime_error);
  wait_set.add_guard_condition(guard);
  EXPECT_THROW(wait_set.add_guard_condition(guard), std::runtime_error);
  rclcpp::WaitSet other;
  EXPECT_THROW(other.add_guard_condition(guard), std::runtime_error) << "one wait set at a time";
  const auto timeout = wait_set.wait(0ms);
  EXPECT_THROW(timeout.get_wait_set(), std::runtime_error);
  guard->trigger();
  const auto result = wait_set.wait(30s);
  EXPECT_THROW((void)wait_set.wait(0ms), std::runtime_error) << "the last result is not over";
  using Timers = std::vector<std::shared_ptr<rclcpp::TimerBase>>;
  EXPECT_THROW(rclcpp::WaitSet({}, {}, Timers{}, {}, {}, {}, nullptr), std::invalid_argument);
}

TEST_F(WaitSets, WhatNobodyKeepsLeavesAndMayJoinAnother) {
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  rclcpp::WaitSet wait_set({}, {guard});
  wait_set.remove_guard_condition(guard);
  rclcpp::WaitSet second({}, {guard});
  guard.reset();
  EXPECT_EQ(second.wait(0ms).kind(), WaitResultKind::Empty);
  second.prune_deleted_entities();
  EXPECT_EQ(second.get_rcl_wait_set().size_of_guard_conditions, 0u);
}

TEST_F(WaitSets, StaticOnesKeepWhatTheyWaitFor) {
  auto subscription = subscribe("static");
  auto publisher = node_->create_publisher<String>("static", 10);
  ASSERT_TRUE(matched(*publisher));
  auto guard = std::make_shared<rclcpp::GuardCondition>();
  rclcpp::StaticWaitSet<1, 1, 0, 0, 0, 0> wait_set({{{subscription}}}, {{guard}});
  auto lone = subscribe("lone");
  rclcpp::StaticWaitSet<1, 0, 0, 0, 0, 0> one({{{lone}}});
  EXPECT_EQ(one.wait(0ms).kind(), WaitResultKind::Timeout);
  std::weak_ptr<rclcpp::GuardCondition> weak = guard;
  guard.reset();
  EXPECT_FALSE(weak.expired());
  publisher->publish(text("static"));
  const auto result = wait_set.wait(30s);
  ASSERT_EQ(result.kind(), WaitResultKind::Ready);
  EXPECT_TRUE(result.get_wait_set().get_rcl_wait_set().subscriptions[0]);
  EXPECT_FALSE(result.get_wait_set().get_rcl_wait_set().guard_conditions[0]);
}

TEST_F(WaitSets, ThreadSafeOnesChangeWhileAnotherThreadWaits) {
  rclcpp::ThreadSafeWaitSet wait_set;
  auto idle = std::make_shared<rclcpp::GuardCondition>();
  wait_set.add_guard_condition(idle);
  constexpr int rounds = 200;
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      auto guard = std::make_shared<rclcpp::GuardCondition>();
      guard->trigger();
      wait_set.add_guard_condition(guard);
      wait_set.remove_guard_condition(guard);
    }
    idle->trigger();
  });
  for (bool last = false; !last;) {
    const auto result = wait_set.wait(30s);
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    last = result.get_wait_set().get_rcl_wait_set().guard_conditions[0] != nullptr;
  }
  other.join();
}

TEST_F(WaitSets, AShutdownEndsTheWait) {
  rclcpp::WaitSet wait_set({}, {std::make_shared<rclcpp::GuardCondition>()});
  auto kept = std::make_shared<rclcpp::GuardCondition>();
  wait_set.add_guard_condition(kept);
  std::thread other([] {
    std::this_thread::sleep_for(20ms);
    rclcpp::shutdown();
  });
  EXPECT_EQ(wait_set.wait().kind(), WaitResultKind::Timeout);
  other.join();
}

TEST_F(WaitSets, WaitForMessageOfASubscription) {
  auto subscription = subscribe("awaited");
  auto publisher = node_->create_publisher<String>("awaited", 10);
  ASSERT_TRUE(matched(*publisher));
  const auto context = node_->get_node_base_interface()->get_context();
  String message;
  EXPECT_FALSE(rclcpp::wait_for_message(message, subscription, context, 10ms));
  publisher->publish(text("awaited"));
  EXPECT_TRUE(rclcpp::wait_for_message(message, subscription, context, 30s));
  EXPECT_EQ(message.data, "awaited");
}

RCLCPP_TEST_MAIN
