// SPDX-License-Identifier: Apache-2.0
// Values of types that this program was not compiled for: CDR, YAML, and hostile input.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <random>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "hints.hpp"
#include "hl_testing/isolation.hpp"
#include "parameter_value.hpp"
#include "printer.hpp"
#include "underlay_cdr/ops.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

TypeLibrary& types() {
  static TypeLibrary library;
  return library;
}

Message decoded(const Description& type, const std::vector<std::uint8_t>& bytes) {
  return decode(type, bytes.data() + 4, bytes.size() - 4, false);
}

template <class T>
std::vector<std::uint8_t> generated_bytes(const T& message) {
  const auto* support = rosidl_typesupport_cpp::get_message_type_support_handle<T>();
  const auto& ops = *static_cast<const underlay_cdr::MessageOps*>(support->data);
  std::vector<std::uint8_t> bytes(4 + ops.size(&message));
  bytes[1] = 1;
  ops.serialize(&message, bytes.data() + 4);
  return bytes;
}

std::string error_of(const std::string& type, const std::string& yaml) {
  try {
    message_from_text(types().find(type), yaml);
  } catch (const CommandError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DynamicTypes, SameBytesAsGeneratedCode) {
  sensor_msgs::msg::JointState state;
  state.header.frame_id = "base";
  state.header.stamp.sec = -5;
  state.name = {"a", "", "long name"};
  state.position = {1.5, -2.25};
  const auto message = message_from_text(types().find("sensor_msgs/msg/JointState"),
                                         "{header: {stamp: {sec: -5}, frame_id: base}, name: [a, '', long name], "
                                         "position: [1.5, -2.25]}");
  EXPECT_EQ(encode(message), generated_bytes(state));
  EXPECT_EQ(encode(decoded(*message.type, generated_bytes(state))), generated_bytes(state));
}

TEST(DynamicTypes, DefaultValuesOfTheDefinition) {
  const auto message = make_message(types().find("sensor_msgs/msg/Imu"));
  EXPECT_EQ(encode(message), generated_bytes(sensor_msgs::msg::Imu()));
}

TEST(DynamicTypes, ForeignByteOrder) {
  const auto& type = types().find("builtin_interfaces/msg/Time");
  const std::uint8_t bytes[] = {0, 0, 1, 2, 0, 0, 0, 9};
  EXPECT_EQ(to_yaml(decode(type, bytes, sizeof(bytes), true)), "sec: 258\nnanosec: 9\n");
}

TEST(DynamicTypes, ServiceAndActionParts) {
  EXPECT_EQ(types().find("std_srvs/srv/SetBool_Request").fields[0].name, "data");
  EXPECT_EQ(types().find("example_interfaces/action/Fibonacci_SendGoal_Request").fields.size(), 2u);
  EXPECT_EQ(types().find("std_msgs/String").name, "std_msgs/msg/String");
  EXPECT_EQ(types().find("std_msgs/msg/String").hash.substr(0, 7), "RIHS01_");
}

TEST(DynamicTypes, MissingTypesGetAHint) {
  const auto error = [](const std::string& name) {
    try {
      types().find(name);
    } catch (const CommandError& caught) {
      return std::string(caught.what());
    }
    return std::string();
  };
  EXPECT_NE(error("std_msgs/msg/Strng").find("did you mean 'std_msgs/msg/String'"), std::string::npos);
  EXPECT_NE(error("std_msg/msg/String").find("did you mean 'std_msgs'"), std::string::npos);
  EXPECT_NE(error("String").find("write package/msg/Name"), std::string::npos);
}

TEST(YamlReader, ErrorsNameFieldAndRemedy) {
  EXPECT_NE(error_of("geometry_msgs/msg/Twist", "{lineer: {x: 1}}").find("did you mean 'linear'"), std::string::npos);
  EXPECT_NE(error_of("geometry_msgs/msg/Twist", "{linear: {x: fast}}").find("field 'linear.x' is a number, not 'fast'"),
            std::string::npos);
  EXPECT_NE(error_of("geometry_msgs/msg/Twist", "{linear: 3}").find("field 'linear' is a message"), std::string::npos);
  EXPECT_NE(error_of("geometry_msgs/msg/Twist", "{linear: {x: 1").find("not valid YAML"), std::string::npos);
  EXPECT_NE(error_of("std_msgs/msg/UInt8", "{data: 256}").find("is a uint8, not '256'"), std::string::npos);
  EXPECT_NE(error_of("std_msgs/msg/Int8", "{data: -129}").find("is an int8"), std::string::npos);
  EXPECT_NE(error_of("std_msgs/msg/Bool", "{data: perhaps}").find("true or false"), std::string::npos);
  EXPECT_NE(error_of("sensor_msgs/msg/Imu", "{orientation_covariance: [1, 2]}").find("takes 9 elements, not 2"),
            std::string::npos);
  EXPECT_NE(error_of("sensor_msgs/msg/JointState", "{name: [[a]]}").find("field 'name[0]' is a text"),
            std::string::npos);
  EXPECT_NE(error_of("std_msgs/msg/String", "hello").find("is a message"), std::string::npos);
  EXPECT_NE(error_of("std_msgs/msg/String", std::string(100'000, '[')).find("nested too deeply"), std::string::npos);
}

TEST(YamlReader, ExtremesOfNumbers) {
  for (const auto* text : {"-9223372036854775808", "9223372036854775807"}) {
    EXPECT_EQ(to_yaml(message_from_text(types().find("std_msgs/msg/Int64"), std::string("{data: ") + text + "}")),
              std::string("data: ") + text + "\n");
  }
  EXPECT_EQ(to_yaml(message_from_text(types().find("std_msgs/msg/UInt64"), "{data: 0xffffffffffffffff}")),
            "data: 18446744073709551615\n");
  EXPECT_EQ(error_of("std_msgs/msg/UInt64", "{data: -1}"), "field 'data' is a uint64, not '-1'");
}

TEST(YamlReader, PresentTime) {
  const auto message = message_from_text(types().find("std_msgs/msg/Header"), "{stamp: now}");
  EXPECT_GT(integer(nested(message, "stamp"), "sec"), 1'600'000'000);
  EXPECT_GT(integer(nested(nested(message_from_text(types().find("sensor_msgs/msg/Imu"), "{header: auto}"), "header"),
                           "stamp"),
                    "sec"),
            1'600'000'000);
}

TEST(Printer, LooksAsRos2Prints) {
  const auto message =
      message_from_text(types().find("sensor_msgs/msg/JointState"),
                        "{name: [a, 'yes', '1', ''], position: [0.1, 1e-7, .nan, 100000], velocity: []}");
  EXPECT_EQ(to_yaml(message),
            "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\nname:\n- a\n- 'yes'\n- '1'\n- ''\n"
            "position:\n- 0.1\n- 1.0e-07\n- .nan\n- 100000.0\nvelocity: []\neffort: []\n");
  EXPECT_EQ(to_python(message_from_text(types().find("geometry_msgs/msg/Point"), "{x: 1}")),
            "geometry_msgs.msg.Point(x=1.0, y=0.0, z=0.0)");
  EXPECT_EQ(to_yaml(make_message(types().find("std_msgs/msg/Empty"))), "{}\n");
}

TEST(Printer, NestedListsAndStyles) {
  const auto message =
      message_from_text(types().find("tf2_msgs/msg/TFMessage"), "{transforms: [{child_frame_id: a}, {}]}");
  const auto text = to_yaml(message);
  EXPECT_EQ(text.substr(0, 40), "transforms:\n- header:\n    stamp:\n      s");
  EXPECT_NE(text.find("\n  child_frame_id: a\n"), std::string::npos);
  PrintOptions options;
  options.hide_arrays = true;
  EXPECT_EQ(to_yaml(message, options),
            "transforms: '<sequence type: geometry_msgs/msg/TransformStamped, length: 2>'\n");
  options = {};
  options.truncate_length = 2;
  const auto numbers = message_from_text(types().find("std_msgs/msg/Int32MultiArray"), "{data: [1, 2, 3]}");
  EXPECT_NE(to_yaml(numbers, options).find("data:\n- 1\n- 2\n- '...'\n"), std::string::npos);
  options.flow_style = true;
  EXPECT_EQ(to_yaml(numbers, options), "{layout: {dim: [], data_offset: 0}, data: [1, 2, '...']}\n");
}

TEST(Printer, TextsReadBackAsThemselves) {
  for (const std::string text :
       {"",     " a",   "a ", "a: b", "a #b", "- a",       "-a",   ":=",    "true", "No",         "12",
        "1e5",  "0x1F", "~",  "null", "a\nb", "tab\there", "it's", "\"q\"", "{a}",  "[b]",        "*a",
        "&a",   "!a",   "%a", "@a",   "`a",   "|",         ">",    "---",   "...",  "2020-01-01", "1:30",
        ".inf", "a:",   "?",  "? a",  "ä",    "#x",        "=",    "1_000", "\x01"}) {
    const auto node = YAML::Load("x: " + yaml_scalar(text) + "\n");
    EXPECT_EQ(node["x"].as<std::string>(""), text) << yaml_scalar(text);
  }
  EXPECT_EQ(yaml_scalar("base_link"), "base_link");
  EXPECT_EQ(yaml_scalar("/cmd_vel"), "/cmd_vel");
}

TEST(Printer, SelectsParts) {
  const auto message =
      message_from_text(types().find("sensor_msgs/msg/JointState"), "{name: [a, b], position: [1.5, 2.5]}");
  Field whole;
  const Value value{message};
  const auto text_at = [&](const std::string& path) {
    const auto part = select(value, whole, path);
    return to_yaml(part.get(), part.field);
  };
  EXPECT_EQ(text_at("name[1]"), "b\n");
  EXPECT_EQ(text_at("position[0]"), "1.5\n");
  EXPECT_EQ(text_at("position"), "- 1.5\n- 2.5\n");
  EXPECT_EQ(text_at("header.stamp"), "sec: 0\nnanosec: 0\n");
  for (const auto* bad :
       {"nam", "name[7]", "name.x", "position[0].x", "header[0]", "!", "name[99999999999999999999]"}) {
    EXPECT_THROW(text_at(bad), CommandError) << bad;
  }
  const auto part = select(value, whole, "position");
  EXPECT_EQ(to_csv(part.get(), part.field), "1.5,2.5\n");
}

TEST(Parameters, TypesFollowYaml) {
  const auto kind = [](const std::string& yaml) {
    return kind_text(integer(parameter_value(types(), YAML::Load(yaml), "p"), "type"));
  };
  EXPECT_EQ(kind("true"), "Boolean");
  EXPECT_EQ(kind("1"), "Integer");
  EXPECT_EQ(kind("1.0"), "Double");
  EXPECT_EQ(kind("1e3"), "Double");
  EXPECT_EQ(kind("hello"), "String");
  EXPECT_EQ(kind("'1'"), "String");
  EXPECT_EQ(kind(""), "String");
  EXPECT_EQ(kind("[true, false]"), "Boolean list");
  EXPECT_EQ(kind("[1, 2]"), "Integer list");
  EXPECT_EQ(kind("[1.5]"), "Double list");
  EXPECT_EQ(kind("['1', b]"), "String list");
  EXPECT_EQ(value_text(parameter_value(types(), YAML::Load("[on, off]"), "p")), "[true, false]");
  EXPECT_EQ(value_text(parameter_value(types(), YAML::Load("'1'"), "p")), "'1'");
  EXPECT_THROW(kind("[1, 2.0]"), CommandError);
  EXPECT_THROW(kind("[[1]]"), CommandError);
  EXPECT_THROW(kind("{a: 1}"), CommandError);
  EXPECT_EQ(parameters(types(), YAML::Load("{a: {b: 1, c: {d: x}}, e: 2.0}")).size(), 3u);
}

TEST(Fuzz, DecodeOfMutatedBytesThrowsOrSucceeds) {
  std::mt19937 random(3);
  const auto pick = [&](std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random); };
  std::vector<std::pair<const Description*, std::vector<std::uint8_t>>> seeds;
  for (const auto& [name, yaml] : std::map<std::string, std::string>{
           {"sensor_msgs/msg/JointState", "{name: [a, b], position: [1, 2], header: {frame_id: base}}"},
           {"tf2_msgs/msg/TFMessage", "{transforms: [{child_frame_id: a}, {header: {frame_id: map}}]}"},
           {"rcl_interfaces/srv/SetParameters_Request",
            "{parameters: [{name: a, value: {type: 9, string_array_value: [x, y]}}]}"},
           {"visualization_msgs/msg/MarkerArray", "{markers: [{points: [{x: 1}], colors: [{a: 1}], text: hi}]}"},
           {"diagnostic_msgs/msg/DiagnosticArray", "{status: [{name: bus, values: [{key: a, value: b}]}]}"}}) {
    const auto message = message_from_text(types().find(name), yaml);
    seeds.emplace_back(message.type, encode(message));
  }
  std::size_t good = 0, bad = 0;
  for (std::size_t round = 0; round < hl_testing::count(20'000, 10'000'000); ++round) {
    auto [type, bytes] = seeds[pick(seeds.size())];
    for (std::size_t change = 1 + pick(4); change > 0 && !bytes.empty(); --change) {
      switch (pick(4)) {
        case 0:
          bytes.resize(pick(bytes.size() + 1));
          break;
        case 1:
          bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(pick(bytes.size())),
                       static_cast<std::uint8_t>(random()));
          break;
        default:
          bytes[pick(bytes.size())] = static_cast<std::uint8_t>(pick(2) == 0 ? 255 : random());
      }
    }
    if (bytes.size() < 4) continue;
    try {
      const auto message = decoded(*type, bytes);
      to_yaml(message);
      ++good;
    } catch (const CommandError&) {
      ++bad;
    }
  }
  EXPECT_GT(good, 0u);
  EXPECT_GT(bad, 0u);
}

TEST(Fuzz, ValuesFromMutatedTextThrowOrSucceed) {
  std::mt19937 random(4);
  const auto pick = [&](std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random); };
  const std::string seed =
      "{header: {stamp: {sec: 1}, frame_id: 'a b'}, name: [a, \"b\"], position: [1.0, -2e3], effort: [.nan]}";
  const std::string alphabet = "{}[]:,'\" \n-#&*!|>abc019.e";
  std::size_t good = 0, bad = 0;
  for (std::size_t round = 0; round < hl_testing::count(5'000, 1'000'000); ++round) {
    auto text = seed;
    for (std::size_t change = 1 + pick(3); change > 0; --change) {
      text.replace(pick(text.size()), pick(4), std::string(pick(3), alphabet[pick(alphabet.size())]));
    }
    try {
      encode(message_from_text(types().find("sensor_msgs/msg/JointState"), text));
      ++good;
    } catch (const CommandError&) {
      ++bad;
    }
  }
  EXPECT_GT(good, 0u);
  EXPECT_GT(bad, 0u);
}

}  // namespace
}  // namespace ros2cli
