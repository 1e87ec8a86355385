// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <thread>

#include "fixture.hpp"
#include "std_msgs/msg/int64.hpp"
#include "std_msgs/msg/string.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/writer.hpp"

using rclcpp::IntraProcessSetting;
using rclcpp::MessageInfo;
using rclcpp::QoS;
using std_msgs::msg::Int64;
using std_msgs::msg::String;

class Topics : public WithRos {};

namespace {

struct Listener {
  std::string heard;
  void with_reference(const String& message) { heard += "r" + message.data; }
  void with_const_pointer(String::ConstSharedPtr message) { heard += "c" + message->data; }
  void with_pointer_and_info(const String::SharedPtr message, const MessageInfo& info) {
    heard += (info.get_rmw_message_info().source_timestamp > 0 ? "s" : "?") + message->data;
  }
  void with_unique(String::UniquePtr message) { heard += "u" + message->data; }
};

QoS latched() {
  return QoS(1).transient_local();
}

}  // namespace

TEST_F(Topics, EverySignatureOfACallbackIsCalled) {
  auto node = make_node("signatures");
  auto publisher = node->create_publisher<String>("words", 10);
  int calls = 0;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  const auto subscribe = [&](auto callback) {
    subscriptions.push_back(node->create_subscription<String>("words", 10, callback));
  };
  subscribe([&](const String& m) { calls += m.data == "x"; });
  subscribe([&](const String& m, const MessageInfo&) { calls += m.data == "x"; });
  subscribe([&](String::ConstSharedPtr m) { calls += m->data == "x"; });
  subscribe([&](String::ConstSharedPtr m, const MessageInfo&) { calls += m->data == "x"; });
  subscribe([&](const String::ConstSharedPtr& m) { calls += m->data == "x"; });
  subscribe([&](String::SharedPtr m) { calls += m->data == "x"; });
  subscribe([&](String::SharedPtr m, const MessageInfo&) { calls += m->data == "x"; });
  subscribe([&](String::UniquePtr m) { calls += m->data == "x"; });
  subscribe([&](String::UniquePtr m, const MessageInfo&) { calls += m->data == "x"; });
  using std::placeholders::_1;
  using std::placeholders::_2;
  Listener listener;
  subscribe(std::bind(&Listener::with_reference, &listener, _1));
  subscribe(std::bind(&Listener::with_const_pointer, &listener, _1));
  subscribe(std::bind(&Listener::with_pointer_and_info, &listener, _1, _2));
  subscribe(std::bind(&Listener::with_unique, &listener, _1));
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == subscriptions.size(); }));
  String message;
  message.data = "x";
  publisher->publish(message);
  EXPECT_TRUE(spin_until([&] { return calls == 9 && listener.heard.size() == 8; }));
  EXPECT_EQ(listener.heard, "rxcxsxux");
}

TEST_F(Topics, UniquePointerArrivesAsTheVeryObject) {
  auto node = make_node("intra", rclcpp::NodeOptions().use_intra_process_comms(true));
  auto publisher = node->create_publisher<Int64>("pointer", 10);
  std::vector<const Int64*> received;
  auto subscription = node->create_subscription<Int64>(
      "pointer", 10, [&](Int64::UniquePtr message) { received.push_back(message.get()); });
  ASSERT_TRUE(spin_until([&] { return publisher->get_intra_process_subscription_count() == 1; }));
  for (int i = 0; i < 100; ++i) {
    auto message = std::make_unique<Int64>();
    const Int64* address = message.get();
    publisher->publish(std::move(message));
    ASSERT_TRUE(spin_until([&] { return received.size() == static_cast<std::size_t>(i + 1); }));
    EXPECT_EQ(received.back(), address);
  }
}

TEST_F(Topics, SharedReadersOfOneProcessShareTheObject) {
  auto node = make_node("sharing");
  auto publisher = node->create_publisher<Int64>("shared", 10);
  std::vector<const Int64*> received;
  const auto note = [&](Int64::ConstSharedPtr message) { received.push_back(message.get()); };
  auto first = node->create_subscription<Int64>("shared", 10, note);
  auto second = node->create_subscription<Int64>("shared", 10, note);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 2; }));
  auto message = std::make_unique<Int64>();
  const Int64* address = message.get();
  publisher->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return received.size() == 2; }));
  EXPECT_EQ(received[0], address);
  EXPECT_EQ(received[1], address);
}

TEST_F(Topics, ReaderThatMayChangeTheMessageDoesNotHarmTheOthers) {
  auto node = make_node("changing", rclcpp::NodeOptions().use_intra_process_comms(true));
  auto publisher = node->create_publisher<Int64>("changed", 10);
  int sum = 0;
  const auto change = [&](Int64::UniquePtr message) { sum += static_cast<int>(message->data++); };
  auto first = node->create_subscription<Int64>("changed", 10, change);
  auto second = node->create_subscription<Int64>("changed", 10, change);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 2; }));
  auto message = std::make_unique<Int64>();
  message->data = 5;
  publisher->publish(std::move(message));
  ASSERT_TRUE(spin_until([&] { return sum >= 10; }));
  EXPECT_EQ(sum, 10);
}

TEST_F(Topics, IntraProcessOnALatchedEndpointThrowsAsInHumble) {
  auto node = make_node("latched_intra", rclcpp::NodeOptions().use_intra_process_comms(true));
  EXPECT_THROW(node->create_publisher<Int64>("x", latched()), std::invalid_argument);
  EXPECT_THROW(node->create_subscription<Int64>("x", latched(), [](const Int64&) {}), std::invalid_argument);
  rclcpp::PublisherOptions off;
  off.use_intra_process_comm = IntraProcessSetting::Disable;
  EXPECT_NO_THROW(node->create_publisher<Int64>("x", latched(), off));

  auto plain = make_node("latched_plain");
  rclcpp::PublisherOptions on;
  on.use_intra_process_comm = IntraProcessSetting::Enable;
  EXPECT_THROW(plain->create_publisher<Int64>("x", latched(), on), std::invalid_argument);
  EXPECT_THROW(plain->create_publisher<Int64>("x", QoS(rclcpp::KeepAll()), on), std::invalid_argument);
}

TEST_F(Topics, LateSubscriptionGetsWhatIsLatched) {
  auto node = make_node("latching");
  auto publisher = node->create_publisher<Int64>("state", latched());
  Int64 message;
  for (message.data = 1; message.data <= 3; ++message.data) publisher->publish(message);
  std::vector<int64_t> received;
  auto subscription =
      node->create_subscription<Int64>("state", latched(), [&](const Int64& m) { received.push_back(m.data); });
  ASSERT_TRUE(spin_until([&] { return !received.empty(); }));
  executor_->spin_some();
  EXPECT_EQ(received, std::vector<int64_t>{3});
}

TEST_F(Topics, DepthKeepsTheNewest) {
  auto node = make_node("depth");
  auto publisher = node->create_publisher<Int64>("numbers", 100);
  std::vector<int64_t> received;
  auto subscription =
      node->create_subscription<Int64>("numbers", 3, [&](const Int64& m) { received.push_back(m.data); });
  ASSERT_TRUE(hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; }));
  Int64 message;
  for (message.data = 0; message.data < 10; ++message.data) publisher->publish(message);
  ASSERT_TRUE(spin_until([&] { return received.size() == 3; }));
  EXPECT_EQ(received, (std::vector<int64_t>{7, 8, 9}));
}

TEST_F(Topics, QosIsKeptAndDescribed) {
  auto node = make_node("qos");
  const auto qos = QoS(7)
                       .best_effort()
                       .deadline(100ms)
                       .liveliness(rclcpp::LivelinessPolicy::ManualByTopic)
                       .liveliness_lease_duration(2s)
                       .lifespan(1s);
  auto publisher = node->create_publisher<Int64>("described", qos);
  EXPECT_EQ(publisher->get_actual_qos(), qos);
  std::vector<rclcpp::TopicEndpointInfo> found;
  ASSERT_TRUE(spin_until([&] {
    found = node->get_publishers_info_by_topic("described");
    return !found.empty();
  }));
  EXPECT_EQ(found[0].node_name(), "qos");
  EXPECT_EQ(found[0].topic_type(), "std_msgs/msg/Int64");
  EXPECT_EQ(found[0].qos_profile().reliability(), rclcpp::ReliabilityPolicy::BestEffort);
  EXPECT_EQ(found[0].qos_profile().deadline(), rclcpp::Duration(100ms));
  EXPECT_EQ(found[0].qos_profile().liveliness(), rclcpp::LivelinessPolicy::ManualByTopic);
  EXPECT_TRUE(publisher->assert_liveliness());
}

TEST_F(Topics, IncompatibleQosReachesTheCallbacksInTheExecutor) {
  auto node = make_node("incompatible");
  const auto spinner = std::this_thread::get_id();
  int offered = 0, requested = 0;
  rclcpp::PublisherOptions publisher_options;
  publisher_options.event_callbacks.incompatible_qos_callback = [&](rclcpp::QOSOfferedIncompatibleQoSInfo& info) {
    EXPECT_EQ(std::this_thread::get_id(), spinner);
    EXPECT_EQ(info.last_policy_kind, RMW_QOS_POLICY_RELIABILITY);
    ++offered;
  };
  rclcpp::SubscriptionOptions subscription_options;
  subscription_options.event_callbacks.incompatible_qos_callback = [&](rclcpp::QOSRequestedIncompatibleQoSInfo& info) {
    EXPECT_EQ(info.last_policy_kind, RMW_QOS_POLICY_RELIABILITY);
    ++requested;
  };
  auto publisher = node->create_publisher<Int64>("one", QoS(1).best_effort(), publisher_options);
  auto subscription = node->create_subscription<Int64>(
      "one", QoS(1), [](const Int64&) {}, subscription_options);
  EXPECT_TRUE(spin_until([&] { return offered > 0 && requested > 0; }));
}

TEST_F(Topics, MissedDeadlineAndLostLivelinessAreReported) {
  auto node = make_node("deadline");
  int missed = 0, offered_missed = 0, lost = 0;
  rclcpp::SubscriptionOptions options;
  options.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo&) { ++missed; };
  options.event_callbacks.liveliness_callback = [&](rclcpp::QOSLivelinessChangedInfo& info) {
    lost += info.not_alive_count_change > 0;
  };
  rclcpp::PublisherOptions publisher_options;
  publisher_options.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineOfferedInfo&) { ++offered_missed; };
  const auto qos =
      QoS(5).deadline(50ms).liveliness(rclcpp::LivelinessPolicy::ManualByTopic).liveliness_lease_duration(100ms);
  auto publisher = node->create_publisher<Int64>("beat", qos, publisher_options);
  auto subscription = node->create_subscription<Int64>(
      "beat", qos, [](const Int64&) {}, options);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Int64());
  EXPECT_TRUE(spin_until([&] { return missed > 0 && offered_missed > 0 && lost > 0; }));
}

TEST_F(Topics, MalformedBytesAreDroppedAndTheNextMessageIsReceived) {
  auto node = make_node("malformed");
  std::vector<std::string> received;
  auto subscription =
      node->create_subscription<String>("bytes", 10, [&](const String& m) { received.push_back(m.data); });
  underlay_dds::Writer raw(underlay_dds::Participant::get(), "rt/bytes", underlay_dds::Type::raw("std_msgs/msg/String"),
                           {});
  ASSERT_TRUE(hl_testing::wait_until([&] { return raw.matched() == 1; }));
  const std::uint8_t too_long[] = {0, 1, 0, 0, 255, 255, 0, 0, 'x', 0, 0, 0};
  const std::uint8_t good[] = {0, 1, 0, 0, 3, 0, 0, 0, 'o', 'k', 0, 0};
  raw.write_cdr(too_long, sizeof(too_long));
  raw.write_cdr(good, 4);
  raw.write_cdr(good, sizeof(good));
  ASSERT_TRUE(spin_until([&] { return !received.empty(); }));
  EXPECT_EQ(received, std::vector<std::string>{"ok"});
}

TEST_F(Topics, OwnPublicationsCanBeIgnored) {
  auto node = make_node("deaf");
  int received = 0;
  rclcpp::SubscriptionOptions options;
  options.ignore_local_publications = true;
  auto ignoring = node->create_subscription<Int64>(
      "own", 1, [&](const Int64&) { received += 100; }, options);
  auto hearing = node->create_subscription<Int64>("own", 1, [&](const Int64&) { ++received; });
  auto publisher = node->create_publisher<Int64>("own", 1);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Int64());
  EXPECT_TRUE(spin_until([&] { return received > 0; }));
  executor_->spin_some();
  EXPECT_EQ(received, 1);
}

TEST_F(Topics, TakeReadsWithoutTheCallback) {
  auto node = std::make_shared<rclcpp::Node>("taking");
  auto publisher = node->create_publisher<Int64>("taken", 10);
  auto subscription = node->create_subscription<Int64>("taken", 10, [](const Int64&) { FAIL(); });
  Int64 message;
  MessageInfo info;
  EXPECT_FALSE(subscription->take(message, info));
  ASSERT_TRUE(hl_testing::wait_until([&] { return subscription->get_publisher_count() == 1; }));
  message.data = 4;
  publisher->publish(message);
  message.data = 0;
  ASSERT_TRUE(hl_testing::wait_until([&] { return subscription->take(message, info); }));
  EXPECT_EQ(message.data, 4);
}

TEST_F(Topics, WaitForMessageReturnsTheNextOne) {
  auto node = std::make_shared<rclcpp::Node>("waiting");
  auto publisher = node->create_publisher<Int64>("once", latched());
  Int64 message;
  EXPECT_FALSE(rclcpp::wait_for_message(message, node, "once", 10ms));
  std::thread sender([&] {
    hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; });
    Int64 sent;
    sent.data = 9;
    publisher->publish(sent);
  });
  EXPECT_TRUE(rclcpp::wait_for_message(message, node, "once", 30s));
  sender.join();
  EXPECT_EQ(message.data, 9);
}

TEST_F(Topics, BadNamesAreRefusedWithThePlace) {
  auto node = make_node("names");
  EXPECT_THROW(node->create_publisher<Int64>("a b", 1), rclcpp::exceptions::InvalidTopicNameError);
  EXPECT_THROW(node->create_subscription<Int64>("", 1, [](const Int64&) {}), rclcpp::exceptions::InvalidTopicNameError);
  EXPECT_THROW(rclcpp::Node("bad name"), rclcpp::exceptions::InvalidNodeNameError);
}

RCLCPP_TEST_MAIN
