// SPDX-License-Identifier: Apache-2.0
#include "yaml_reader.hpp"

#include <yaml-cpp/yaml.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "hints.hpp"

namespace ros2cli {
namespace {

void assign(Value& value, const Field& field, const YAML::Node& node, const std::string& path);

[[noreturn]] void refuse(const std::string& path, const YAML::Node& node, const std::string& expected) {
  const std::string given = node.IsScalar()     ? "'" + node.Scalar() + "'"
                            : node.IsSequence() ? "a list"
                            : node.IsMap()      ? "a mapping"
                                                : "nothing";
  throw CommandError("field '" + path + "' is " + expected + ", not " + given);
}

template <class T>
bool parse_integer(const std::string& text, T& value) {
  const char* start = text.data();
  const char* end = start + text.size();
  if (start != end && *start == '+') ++start;
  int base = 10;
  if (end - start > 2 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X')) {
    start += 2;
    base = 16;
  }
  const auto [stop, error] = std::from_chars(start, end, value, base);
  return error == std::errc() && stop == end;
}

bool parse_truth(const std::string& text, bool& value) {
  for (const char* word : {"true", "True", "TRUE", "1"}) {
    if (text == word) return value = true;
  }
  for (const char* word : {"false", "False", "FALSE", "0"}) {
    if (text == word) {
      value = false;
      return true;
    }
  }
  return false;
}

bool parse_real(const std::string& text, double& value) {
  if (text == ".nan" || text == "nan")
    value = std::nan("");
  else if (text == ".inf" || text == "inf")
    value = std::numeric_limits<double>::infinity();
  else if (text == "-.inf" || text == "-inf")
    value = -std::numeric_limits<double>::infinity();
  else {
    const char* start = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0);
    const auto [stop, error] = std::from_chars(start, text.data() + text.size(), value);
    return error == std::errc() && stop == text.data() + text.size();
  }
  return true;
}

Number number_from(const Field& field, const YAML::Node& node, const std::string& path) {
  if (!node.IsScalar()) refuse(path, node, "a " + name_of(field.kind));
  const auto& text = node.Scalar();
  if (field.kind == Kind::Bool) {
    bool value = false;
    if (!parse_truth(text, value)) refuse(path, node, "true or false");
    return Number::of_unsigned(field.kind, value ? 1 : 0);
  }
  if (field.kind == Kind::Float || field.kind == Kind::Double) {
    double value = 0;
    if (!parse_real(text, value)) refuse(path, node, "a number");
    return Number::of_real(field.kind, value);
  }
  const bool is_signed =
      field.kind == Kind::Int8 || field.kind == Kind::Int16 || field.kind == Kind::Int32 || field.kind == Kind::Int64;
  const int bits = static_cast<int>(size_of(field.kind)) * 8;
  if (is_signed) {
    std::int64_t value = 0;
    const std::int64_t limit = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
    if (!parse_integer(text, value) || value > limit || value < -limit - 1)
      refuse(path, node, "an " + name_of(field.kind));
    return Number::of_signed(field.kind, value);
  }
  std::uint64_t value = 0;
  if (!parse_integer(text, value) || value > std::numeric_limits<std::uint64_t>::max() >> (64 - bits)) {
    refuse(path, node, "a " + name_of(field.kind));
  }
  return Number::of_unsigned(field.kind, value);
}

void set_to_now(Message& time) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now);
  member(time, "sec").content = Number::of_signed(Kind::Int32, seconds.count());
  member(time, "nanosec").content = Number::of_unsigned(
      Kind::UInt32,
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now - seconds).count()));
}

void assign_message(Message& message, const YAML::Node& node, const std::string& path) {
  if (!node || node.IsNull()) return;
  if (node.IsScalar() && node.Scalar() == "now" && message.type->name == "builtin_interfaces/msg/Time") {
    set_to_now(message);
    return;
  }
  if (node.IsScalar() && node.Scalar() == "auto" && message.type->name == "std_msgs/msg/Header") {
    set_to_now(std::get<Message>(member(message, "stamp").content));
    return;
  }
  if (!node.IsMap()) refuse(path.empty() ? message.type->name : path, node, "a message, so {field: value, ...}");
  for (const auto& entry : node) {
    const auto name = entry.first.as<std::string>();
    auto& value = member(message, name);
    const auto index = static_cast<std::size_t>(&value - message.fields.data());
    assign(value, message.type->fields[index], entry.second, path.empty() ? name : path + "." + name);
  }
}

void assign_single(Value& value, const Field& field, const YAML::Node& node, const std::string& path) {
  if (auto* message = std::get_if<Message>(&value.content)) {
    assign_message(*message, node, path);
    return;
  }
  if (field.kind != Kind::String && field.kind != Kind::WString) {
    value.content = number_from(field, node, path);
    return;
  }
  if (!node.IsScalar() && !node.IsNull()) refuse(path, node, "a text");
  const std::string text = node.IsNull() ? "" : node.Scalar();
  if (field.kind == Kind::WString) {
    value.content = to_utf16(text);
  } else {
    value.content = text;
  }
}

void assign(Value& value, const Field& field, const YAML::Node& node, const std::string& path) {
  if (field.shape == Shape::Single) {
    assign_single(value, field, node, path);
    return;
  }
  if (!node.IsSequence()) refuse(path, node, "a list, so [a, b, ...]");
  const bool fits = field.shape == Shape::Array             ? node.size() == field.capacity
                    : field.shape == Shape::BoundedSequence ? node.size() <= field.capacity
                                                            : true;
  if (!fits) {
    throw CommandError("field '" + path + "' takes " + (field.shape == Shape::Array ? "" : "at most ") +
                       std::to_string(field.capacity) + " elements, not " + std::to_string(node.size()));
  }
  Numbers numbers{field.kind, {}};
  std::vector<Value> items;
  std::size_t index = 0;
  for (const auto& element : node) {
    const auto place = path + "[" + std::to_string(index++) + "]";
    if (size_of(field.kind) > 0) {
      numbers.append(number_from(field, element, place));
    } else {
      items.push_back(make_element(field));
      assign_single(items.back(), field, element, place);
    }
  }
  if (size_of(field.kind) > 0) {
    value.content = std::move(numbers);
  } else {
    value.content = std::move(items);
  }
}

}  // namespace

Message message_from_node(const Description& type, const YAML::Node& node) {
  auto message = make_message(type);
  try {
    assign_message(message, node, "");
  } catch (const YAML::Exception& error) {
    throw CommandError(std::string("the values are not valid: ") + error.what());
  }
  return message;
}

Message message_from_text(const Description& type, const std::string& yaml) {
  return message_from_node(type, parse_yaml(yaml));
}

void assign_text(Value& value, const Field& field, const std::string& yaml) {
  try {
    assign(value, field, parse_yaml(yaml), field.name);
  } catch (const YAML::Exception& error) {
    throw CommandError("value '" + yaml + "' of '" + field.name + "' is not valid: " + error.what());
  }
}

bool depends_on_time(const std::string& yaml) {
  return yaml.find("auto") != std::string::npos || yaml.find("now") != std::string::npos;
}

YAML::Node parse_yaml(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (depth > 200) throw CommandError("the values are nested too deeply");  // the parser would exhaust the stack
  }
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw CommandError("'" + text.substr(0, 200) + "' is not valid YAML: " + error.what() +
                       "; write e.g. \"{data: hello}\" (a space follows each colon)");
  }
}

YAML::Node parse_yaml_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw CommandError("cannot read '" + path + "'");
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return YAML::Load(text.str());
  } catch (const YAML::Exception& error) {
    throw CommandError(path + ":" + std::to_string(error.mark.line + 1) + ": not valid YAML: " + error.msg);
  }
}

}  // namespace ros2cli
