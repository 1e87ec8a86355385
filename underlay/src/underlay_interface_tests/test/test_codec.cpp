// SPDX-License-Identifier: Apache-2.0
// What the golden samples do not reach: bounds, wide strings, bools, padding, foreign byte order, reuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "geometry_msgs/msg/pose_array.hpp"
#include "hl_testing/allocations.hpp"
#include "rosidl_typesupport_cpp/action_type_support.hpp"
#include "rosidl_typesupport_cpp/service_type_support.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_msgs/msg/string.hpp"
#include "underlay_interface_tests/action/count.hpp"
#include "underlay_interface_tests/msg/fixed.hpp"
#include "underlay_interface_tests/msg/mixed.hpp"
#include "underlay_interface_tests/srv/echo.hpp"
#include "wire.hpp"

namespace {

using underlay_interface_tests::msg::Fixed;
using underlay_interface_tests::msg::Mixed;

Mixed full_mixed() {
  Mixed msg;
  msg.header.stamp.sec = -5;
  msg.header.stamp.nanosec = 999'999'999;
  msg.header.frame_id = "base_link";
  msg.label = "exactly twenty chars";
  msg.wide = u"Größe \u20ac";
  msg.short_wide = u"abc";
  msg.few.resize(5);
  for (std::uint8_t i = 0; i < 5; ++i) msg.few[i] = i;
  msg.flags = {true, false, true, true};
  msg.fixed_flags = {true, false, true};
  msg.few_flags.push_back(true);
  msg.raw = 200;
  msg.letter = 'x';
  msg.xy = {1.5F, -2.5F};
  msg.numbers = {1, -2};
  msg.reals = {0.5};
  msg.names = {"", "one", "two words"};
  msg.short_names.push_back("four");
  msg.two_names = {"left", "right"};
  msg.poses.resize(3);
  msg.poses[2].position.z = 7.0;
  msg.few_points.resize(2);
  msg.few_points[1].x = -1.0;
  msg.times[1].nanosec = 9;
  msg.last = -30000;
  return msg;
}

/// Writes CDR of either byte order by the rules of the standard, independently of the code under test.
class ReferenceWriter {
 public:
  explicit ReferenceWriter(bool big_endian) : big_endian_(big_endian) {}

  template <class T>
  ReferenceWriter& number(T value) {
    while (body_.size() % sizeof(T) != 0) body_.push_back(0);
    std::uint8_t bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));  // the tests run on little-endian machines
    for (std::size_t i = 0; i < sizeof(T); ++i) body_.push_back(bytes[big_endian_ ? sizeof(T) - 1 - i : i]);
    return *this;
  }
  ReferenceWriter& text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size() + 1));
    body_.insert(body_.end(), value.begin(), value.end());
    body_.push_back(0);
    return *this;
  }
  wire::Bytes cdr() const {
    wire::Bytes bytes(wire::header_bytes + body_.size());
    bytes[1] = big_endian_ ? 0 : 1;
    std::copy(body_.begin(), body_.end(), bytes.begin() + wire::header_bytes);
    return bytes;
  }

 private:
  bool big_endian_;
  wire::Bytes body_;
};

wire::Bytes reference(const Mixed& msg, bool big_endian) {
  ReferenceWriter out(big_endian);
  out.number(msg.header.stamp.sec).number(msg.header.stamp.nanosec).text(msg.header.frame_id).text(msg.label);
  for (const auto& wide : {msg.wide, msg.short_wide}) {
    out.number(static_cast<std::uint32_t>(wide.size()));
    for (const char16_t unit : wide) out.number(static_cast<std::uint32_t>(unit));
  }
  const auto length = [&out](const auto& sequence) { out.number(static_cast<std::uint32_t>(sequence.size())); };
  const auto numbers = [&out](const auto& values) {
    for (const auto value : values) out.number(value);
  };
  const auto bools = [&out](const auto& values) {
    for (const bool value : values) out.number(static_cast<std::uint8_t>(value));
  };
  length(msg.few), numbers(msg.few);
  length(msg.flags), bools(msg.flags);
  bools(msg.fixed_flags);
  length(msg.few_flags), bools(msg.few_flags);
  out.number(msg.raw).number(msg.letter);
  numbers(msg.xy);
  length(msg.numbers), numbers(msg.numbers);
  length(msg.reals), numbers(msg.reals);
  length(msg.names);
  for (const auto& name : msg.names) out.text(name);
  length(msg.short_names);
  for (const auto& name : msg.short_names) out.text(name);
  for (const auto& name : msg.two_names) out.text(name);
  length(msg.poses);
  for (const auto& pose : msg.poses) {
    out.number(pose.position.x).number(pose.position.y).number(pose.position.z);
    out.number(pose.orientation.x).number(pose.orientation.y).number(pose.orientation.z).number(pose.orientation.w);
  }
  length(msg.few_points);
  for (const auto& point : msg.few_points) out.number(point.x).number(point.y).number(point.z);
  for (const auto& time : msg.times) out.number(time.sec).number(time.nanosec);
  out.number(std::uint8_t{0}).number(msg.last);
  return out.cdr();
}

template <class T>
std::string error_of(const wire::Bytes& cdr) {
  try {
    wire::deserialized<T>(cdr);
  } catch (const underlay_cdr::CdrError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(Codec, WritesWhatTheStandardSays) {
  EXPECT_EQ(wire::hex(wire::serialize(full_mixed())), wire::hex(reference(full_mixed(), false)));
  EXPECT_EQ(wire::hex(wire::serialize(Mixed())), wire::hex(reference(Mixed(), false)));
}

TEST(Codec, ReadsBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    EXPECT_EQ(wire::deserialized<Mixed>(reference(full_mixed(), big_endian)), full_mixed());
    EXPECT_EQ(wire::deserialized<Mixed>(reference(Mixed(), big_endian)), Mixed());
  }
}

TEST(Codec, AReusedMessageKeepsNothingOfItsOldContent) {
  Mixed msg = full_mixed();
  wire::deserialize(wire::serialize(Mixed()), msg);
  EXPECT_EQ(msg, Mixed());
}

TEST(Codec, AnEmptyMessageIsOneByte) {
  EXPECT_EQ(wire::hex(wire::serialize(std_msgs::msg::Empty())), "0001000000");
}

TEST(Codec, FixedSizeIsKnownExactlyForTypesWithoutStringsAndSequences) {
  const Fixed fixed;
  EXPECT_EQ(wire::ops<Fixed>().fixed_size, wire::ops<Fixed>().size(&fixed));
  EXPECT_EQ(wire::ops<geometry_msgs::msg::Pose>().fixed_size, 56U);
  EXPECT_EQ(wire::ops<std_msgs::msg::Empty>().fixed_size, 1U);
  EXPECT_EQ(wire::ops<Mixed>().fixed_size, 0U);
  EXPECT_EQ(wire::ops<std_msgs::msg::String>().fixed_size, 0U);
}

TEST(Codec, ABoolIsTrueForEveryByteButZero) {
  auto cdr = wire::serialize(Fixed());
  cdr.at(wire::header_bytes + 16) = 77;  // c[0] follows a, padding and b
  EXPECT_TRUE(wire::deserialized<Fixed>(cdr).c[0]);
  EXPECT_EQ(wire::serialize(wire::deserialized<Fixed>(cdr)).at(wire::header_bytes + 16), 1);
}

TEST(Codec, AStringMayComeWithoutTerminatorOnlyIfItIsEmpty) {
  EXPECT_EQ(wire::deserialized<std_msgs::msg::String>(wire::from_hex("0001000000000000")).data, "");
  EXPECT_EQ(error_of<std_msgs::msg::String>(wire::from_hex("00010000020000006162")),
            "std_msgs/msg/String.data is a string without terminator");
}

TEST(Codec, StringsKeepEmbeddedZeros) {
  std_msgs::msg::String msg;
  msg.data = std::string("a\0b", 3);
  EXPECT_EQ(wire::deserialized<std_msgs::msg::String>(wire::serialize(msg)).data, msg.data);
}

TEST(Codec, AMessageThatBreaksABoundIsNotWritten) {
  Mixed msg;
  msg.label = "one and twenty chars.";
  try {
    wire::serialize(msg);
    FAIL() << "was written";
  } catch (const underlay_cdr::CdrError& error) {
    EXPECT_STREQ(error.what(), "underlay_interface_tests/msg/Mixed.label has length 21, its bound is 20");
  }
  msg.label.clear();
  msg.short_wide = u"four";
  EXPECT_THROW(wire::serialize(msg), underlay_cdr::CdrError);
}

TEST(Codec, DataThatBreaksABoundIsNotRead) {
  const auto with = [](auto change) {
    Mixed msg = full_mixed();
    change(msg);
    return reference(msg, false);
  };
  EXPECT_EQ(error_of<Mixed>(with([](Mixed& msg) { msg.label += "."; })),
            "underlay_interface_tests/msg/Mixed.label has length 21, its bound is 20");
  EXPECT_EQ(error_of<Mixed>(with([](Mixed& msg) { msg.short_wide = u"four"; })),
            "underlay_interface_tests/msg/Mixed.short_wide has length 4, its bound is 3");
  EXPECT_EQ(error_of<Mixed>(with([](Mixed& msg) { msg.short_names[0] = "fives"; })),
            "underlay_interface_tests/msg/Mixed.short_names has length 5, its bound is 4");
  auto cdr = wire::serialize(full_mixed());
  const wire::Bytes few{5, 0, 0, 0, 0, 1, 2, 3, 4};
  *std::search(cdr.begin(), cdr.end(), few.begin(), few.end()) = 6;
  EXPECT_EQ(error_of<Mixed>(cdr), "underlay_interface_tests/msg/Mixed.few has length 6, its bound is 5");
}

TEST(Codec, ErrorsSayWhatIsMissing) {
  EXPECT_EQ(error_of<std_msgs::msg::String>(wire::from_hex("00010000ffffffff")),
            "data ends after 4 bytes, 4294967295 are needed from offset 4");
  EXPECT_EQ(error_of<sensor_msgs::msg::JointState>(wire::from_hex("00010000"
                                                                  "0100000002000000"
                                                                  "01000000"
                                                                  "00000000"
                                                                  "ffffff7f")),
            "sensor_msgs/msg/JointState.name claims 2147483647 elements, but only 0 bytes follow");
}

TEST(Codec, ReadingIntoAMessageOfTheSameSizeAllocatesNothing) {
  const auto second_read_allocates = [](auto msg) {
    const auto cdr = wire::serialize(msg);
    auto target = wire::deserialized<decltype(msg)>(cdr);
    const std::size_t before = hl_testing::allocations::count;
    wire::deserialize(cdr, target);
    return hl_testing::allocations::count - before;
  };
  sensor_msgs::msg::JointState joints;
  joints.header.frame_id = "a frame name that is longer than the small buffer of std::string";
  joints.name.assign(20, "a joint name that is longer than the small buffer");
  joints.position.assign(20, 0.1);
  sensor_msgs::msg::Image image;
  image.data.resize(640 * 480 * 3);
  geometry_msgs::msg::PoseArray poses;
  poses.poses.resize(100);
  EXPECT_EQ(second_read_allocates(sensor_msgs::msg::Imu()), 0U);
  EXPECT_EQ(second_read_allocates(joints), 0U);
  EXPECT_EQ(second_read_allocates(image), 0U);
  EXPECT_EQ(second_read_allocates(poses), 0U);
  EXPECT_EQ(second_read_allocates(full_mixed()), 0U);

  const sensor_msgs::msg::Imu imu;
  wire::Bytes cdr(wire::ops<sensor_msgs::msg::Imu>().size(&imu));
  const std::size_t before = hl_testing::allocations::count;
  wire::ops<sensor_msgs::msg::Imu>().serialize(&imu, cdr.data());
  EXPECT_EQ(hl_testing::allocations::count, before);
}

TEST(Codec, ServicesAndActionsHaveHandlesForTheirParts) {
  using underlay_interface_tests::action::Count;
  using underlay_interface_tests::srv::Echo;
  const auto* echo = rosidl_typesupport_cpp::get_service_type_support_handle<Echo>();
  EXPECT_STREQ(echo->typesupport_identifier, underlay_cdr::identifier);
  const auto& ops = *static_cast<const underlay_cdr::ServiceOps*>(echo->data);
  EXPECT_STREQ(ops.dds_prefix, "underlay_interface_tests::srv::dds_::Echo_");
  EXPECT_EQ(ops.request, &wire::ops<Echo::Request>());
  EXPECT_EQ(ops.response, &wire::ops<Echo::Response>());

  const auto* count = rosidl_typesupport_cpp::get_action_type_support_handle<Count>();
  const auto& send_goal = *static_cast<const underlay_cdr::ServiceOps*>(count->goal_service_type_support->data);
  EXPECT_STREQ(send_goal.ros_name, "underlay_interface_tests/action/Count_SendGoal");
  const auto& feedback = *static_cast<const underlay_cdr::MessageOps*>(count->feedback_message_type_support->data);
  EXPECT_STREQ(feedback.dds_name, "underlay_interface_tests::action::dds_::Count_FeedbackMessage_");
}
