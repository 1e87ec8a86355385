// SPDX-License-Identifier: Apache-2.0
// Whatever bytes arrive: a message or a CdrError, and never more memory than the data can justify.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <memory>
#include <random>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/isolation.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rmw_dds_common/msg/participant_entities_info.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_msgs/msg/float32_multi_array.hpp"
#include "std_msgs/msg/string.hpp"
#include "tf2_msgs/msg/tf_message.hpp"
#include "trajectory_msgs/msg/joint_trajectory.hpp"
#include "underlay_interface_tests/msg/mixed.hpp"
#include "underlay_interface_tests/srv/echo.hpp"
#include "visualization_msgs/msg/interactive_marker_init.hpp"
#include "visualization_msgs/msg/marker.hpp"
#include "wire.hpp"

namespace {

// The worst case is a sequence of messages that are themselves full of strings: 32 bytes in memory for 4 on the wire,
// and vectors that grow while they are copied.
constexpr std::size_t memory_per_byte = 100;
constexpr std::size_t memory_for_errors = 1000;

struct Type {
  const underlay_cdr::MessageOps* ops;
  std::shared_ptr<void> (*make)();
};

template <class T>
Type type() {
  return {&wire::ops<T>(), [] { return std::shared_ptr<void>(std::make_shared<T>()); }};
}

std::vector<Type> types() {
  return {type<std_msgs::msg::Empty>(),
          type<std_msgs::msg::String>(),
          type<std_msgs::msg::Float32MultiArray>(),
          type<sensor_msgs::msg::Imu>(),
          type<sensor_msgs::msg::JointState>(),
          type<sensor_msgs::msg::Image>(),
          type<nav_msgs::msg::Odometry>(),
          type<trajectory_msgs::msg::JointTrajectory>(),
          type<tf2_msgs::msg::TFMessage>(),
          type<rcl_interfaces::msg::ParameterEvent>(),
          type<diagnostic_msgs::msg::DiagnosticArray>(),
          type<rmw_dds_common::msg::ParticipantEntitiesInfo>(),
          type<visualization_msgs::msg::Marker>(),
          type<visualization_msgs::msg::InteractiveMarkerInit>(),
          type<underlay_interface_tests::msg::Mixed>(),
          type<underlay_interface_tests::srv::Echo::Response>()};
}

wire::Bytes body_of(const Type& type, const void* msg) {
  wire::Bytes body(type.ops->size(msg));
  type.ops->serialize(msg, body.data());
  return body;
}

/// True if `body` was read as a message of the type.
bool survives(const Type& type, const wire::Bytes& body, bool swap) {
  const auto msg = type.make();
  const std::size_t before = hl_testing::allocations::bytes;
  bool valid = true;
  try {
    type.ops->deserialize(msg.get(), body.data(), body.size(), swap);
  } catch (const underlay_cdr::CdrError&) {
    valid = false;
  }
  EXPECT_LE(hl_testing::allocations::bytes - before, memory_per_byte * body.size() + memory_for_errors)
      << type.ops->ros_name;
  if (valid) body_of(type, msg.get());
  return valid;
}

/// The longest sample of the type that ROS 2 wrote, or an empty message if there is none.
wire::Bytes valid_body(const Type& type) {
  static const YAML::Node file = YAML::LoadFile(TEST_DATA "/humble_cdr_golden.json");
  wire::Bytes longest = body_of(type, type.make().get());
  for (const auto& sample : file["samples"]) {
    if (sample["type"].as<std::string>() != type.ops->ros_name) continue;
    const auto cdr = wire::from_hex(sample["cdr_hex"].as<std::string>());
    if (cdr.size() - wire::header_bytes > longest.size()) longest.assign(cdr.begin() + wire::header_bytes, cdr.end());
  }
  return longest;
}

wire::Bytes random_bytes(std::mt19937& random, std::size_t count) {
  wire::Bytes bytes(count);
  // Mostly small numbers: uniform bytes would make every length absurd and reach nothing behind the first.
  for (auto& byte : bytes) byte = random() % 3 == 0 ? static_cast<std::uint8_t>(random()) : random() % 4 == 0 ? 1 : 0;
  return bytes;
}

wire::Bytes mutated(wire::Bytes bytes, std::mt19937& random) {
  for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = bytes.empty() ? 0 : random() % bytes.size();
    switch (random() % 6) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<std::uint8_t>(random());
        break;
      case 2:
        if (!bytes.empty()) bytes[at] ^= static_cast<std::uint8_t>(1U << random() % 8);
        break;
      case 3:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), random() % 9, 0);
        break;
      case 4:
        for (std::size_t i = at / 4 * 4; i < std::min(at / 4 * 4 + 4, bytes.size()); ++i) bytes[i] = 0xff;
        break;
      default:
        if (!bytes.empty()) bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return bytes;
}

class Fuzz : public testing::TestWithParam<Type> {};

INSTANTIATE_TEST_SUITE_P(Types, Fuzz, testing::ValuesIn(types()), [](const auto& info) {
  std::string name = info.param.ops->ros_name;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace

TEST_P(Fuzz, EveryTruncationIsRefused) {
  const auto body = valid_body(GetParam());
  ASSERT_TRUE(survives(GetParam(), body, false));
  for (std::size_t bytes = 0; bytes < body.size(); ++bytes) {
    const wire::Bytes cut(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(bytes));
    EXPECT_FALSE(survives(GetParam(), cut, false)) << bytes;
  }
}

TEST_P(Fuzz, RandomBytes) {
  std::mt19937 random(1);
  const std::size_t rounds = hl_testing::count(2'000, 700'000);
  for (std::size_t i = 0; i < rounds; ++i) {
    survives(GetParam(), random_bytes(random, random() % 400), random() % 2 == 0);
  }
}

TEST_P(Fuzz, MutatedMessages) {
  std::mt19937 random(2);
  const auto body = valid_body(GetParam());
  const std::size_t rounds = hl_testing::count(2'000, 700'000);
  for (std::size_t i = 0; i < rounds; ++i) survives(GetParam(), mutated(body, random), random() % 8 == 0);
}

TEST_P(Fuzz, EveryWordAsAHugeLength) {
  const auto body = valid_body(GetParam());
  for (std::size_t word = 0; word + 4 <= body.size(); word += 4) {
    for (const std::uint8_t high : {0x00, 0x10, 0x7f, 0xff}) {
      auto changed = body;
      changed[word] = changed[word + 1] = changed[word + 2] = 0xff;
      changed[word + 3] = high;
      survives(GetParam(), changed, false);
    }
  }
}
