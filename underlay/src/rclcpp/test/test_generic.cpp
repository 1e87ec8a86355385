// SPDX-License-Identifier: Apache-2.0
// Endpoints that know a type by its name only, as bridges and recorders use them.
#include <atomic>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <std_msgs/msg/string.hpp>

#include "fixture.hpp"
#include "rclcpp/serialization.hpp"

using geometry_msgs::msg::PoseStamped;
using rclcpp::SerializedMessage;
using std_msgs::msg::String;

class Generic : public WithRos {
 protected:
  static SerializedMessage bytes_of(const std::string& text) {
    String message;
    message.data = text;
    SerializedMessage bytes;
    rclcpp::Serialization<String>().serialize_message(&message, &bytes);
    return bytes;
  }
  static std::string text_of(const SerializedMessage& bytes) {
    String message;
    rclcpp::Serialization<String>().deserialize_message(&bytes, &message);
    return message.data;
  }
};

TEST_F(Generic, BytesReachTypedAndGenericSubscriptionsAndBack) {
  auto node = make_node("generic");
  std::vector<std::string> typed, generic;
  auto one =
      node->create_subscription<String>("words", 10, [&](const String& message) { typed.push_back(message.data); });
  auto two = node->create_generic_subscription(
      "words", "std_msgs/msg/String", rclcpp::QoS(10),
      [&](std::shared_ptr<SerializedMessage> message) { generic.push_back(text_of(*message)); });
  auto from_bytes = node->create_generic_publisher("words", "std_msgs/msg/String", rclcpp::QoS(10));
  auto from_objects = node->create_publisher<String>("words", 10);
  ASSERT_TRUE(spin_until(
      [&] { return from_bytes->get_subscription_count() == 2 && from_objects->get_subscription_count() == 2; }));
  from_bytes->publish(bytes_of("bytes"));
  ASSERT_TRUE(spin_until([&] { return typed.size() == 1 && generic.size() == 1; }));
  String message;
  message.data = "object";
  from_objects->publish(message);
  ASSERT_TRUE(spin_until([&] { return typed.size() == 2 && generic.size() == 2; }));
  EXPECT_EQ(typed, (std::vector<std::string>{"bytes", "object"}));
  EXPECT_EQ(generic, typed);
  EXPECT_STREQ(from_bytes->get_topic_name(), "/words");
}

TEST_F(Generic, TypedEndpointsTakeAndGiveBytesToo) {
  auto node = make_node("serialized");
  std::string text;
  rmw_gid_t sender{};
  auto subscription = node->create_subscription<String>(
      "words", 10, [&](std::shared_ptr<SerializedMessage> message, const rclcpp::MessageInfo& info) {
        text = text_of(*message);
        sender = info.get_rmw_message_info().publisher_gid;
      });
  auto publisher = node->create_publisher<String>("words", 10);
  auto other = node->create_publisher<String>("words", 10);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(bytes_of("as bytes"));
  ASSERT_TRUE(spin_until([&] { return !text.empty(); }));
  EXPECT_EQ(text, "as bytes");
  EXPECT_TRUE(*publisher == sender);
  EXPECT_FALSE(*other == sender);
}

TEST_F(Generic, UnknownTypesAreRefusedByName) {
  auto node = make_node("unknown");
  const auto make = [&](const std::string& type) { node->create_generic_publisher("t", type, rclcpp::QoS(1)); };
  EXPECT_THROW(make("String"), std::runtime_error);
  EXPECT_THROW(make("std_msgs/"), std::runtime_error);
  EXPECT_THROW(make("no_such_package/msg/String"), std::runtime_error);
  EXPECT_THROW(make("std_msgs/msg/NoSuchMessage"), std::runtime_error);
  EXPECT_NO_THROW(make("std_msgs/String"));
  auto publisher = node->create_generic_publisher("t", "std_msgs/msg/String", rclcpp::QoS(1));
  EXPECT_THROW(publisher->publish(SerializedMessage()), rclcpp::exceptions::RCLError) << "not even a header";
}

TEST_F(Generic, ArrivalsAreToldToWhoHasAnExecutorOfHisOwn) {
  auto node = make_node("arrivals");
  auto subscription = node->create_subscription<String>("words", 10, [](const String&) {});
  auto publisher = node->create_publisher<String>("words", 10);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  executor_->remove_node(node);
  std::atomic<std::size_t> arrived{0};
  EXPECT_THROW(subscription->set_on_new_message_callback(nullptr), std::invalid_argument);
  publisher->publish(String());
  EXPECT_TRUE(hl_testing::wait_until([&] {  // what came before is told
    subscription->set_on_new_message_callback([&](std::size_t count) { arrived += count; });
    return arrived >= 1;
  }));
  const std::size_t before = arrived;
  for (int i = 0; i < 3; ++i) publisher->publish(String());
  EXPECT_TRUE(hl_testing::wait_until([&] { return arrived >= before + 3; }));
  subscription->clear_on_new_message_callback();
  const std::size_t told = arrived;
  publisher->publish(String());
  SerializedMessage bytes;
  rclcpp::MessageInfo info;
  std::size_t taken = 0;
  EXPECT_TRUE(hl_testing::wait_until([&] { return (taken += subscription->take_serialized(bytes, info)) == 5; }));
  EXPECT_EQ(arrived, told);
  EXPECT_EQ(text_of(bytes), "");
}

TEST(Bytes, AreCopiedMovedAndReleased) {
  SerializedMessage one(16);
  EXPECT_EQ(one.size(), 0u);
  EXPECT_EQ(one.capacity(), 16u);
  auto& raw = one.get_rcl_serialized_message();
  raw.buffer[0] = 7;
  raw.buffer_length = 1;
  SerializedMessage two(one), three;
  three = one;
  EXPECT_EQ(two.get_rcl_serialized_message().buffer[0], 7);
  EXPECT_NE(two.get_rcl_serialized_message().buffer, raw.buffer);
  const SerializedMessage four(std::move(two));
  EXPECT_EQ(four.size(), 1u);
  two.reserve(4);  // moved from, and used again
  EXPECT_EQ(two.capacity(), 4u);
  auto released = three.release_rcl_serialized_message();
  EXPECT_EQ(released.buffer[0], 7);
  EXPECT_EQ(three.size(), 0u);
  SerializedMessage five(std::move(released));
  EXPECT_EQ(five.size(), 1u);
}

RCLCPP_TEST_MAIN
