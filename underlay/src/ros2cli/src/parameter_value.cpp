// SPDX-License-Identifier: Apache-2.0
#include "parameter_value.hpp"

#include <yaml-cpp/yaml.h>

#include <array>

#include "hints.hpp"
#include "printer.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

// rcl_interfaces/msg/ParameterType: its numbers are the places in this table.
struct TypeEntry {
  const char* text;
  const char* field;
};
constexpr std::array<TypeEntry, 10> type_table = {{{"", ""},
                                                   {"Boolean", "bool_value"},
                                                   {"Integer", "integer_value"},
                                                   {"Double", "double_value"},
                                                   {"String", "string_value"},
                                                   {"Byte list", "byte_array_value"},
                                                   {"Boolean list", "bool_array_value"},
                                                   {"Integer list", "integer_array_value"},
                                                   {"Double list", "double_array_value"},
                                                   {"String list", "string_array_value"}}};
constexpr int boolean = 1, integer_type = 2, real = 3, string = 4;
constexpr int list_offset = 5;  // from a type to the list of it

/// The type of a YAML scalar as the parameter parser of ROS 2 sees it; quotes make a text.
int scalar_type(const YAML::Node& node) {
  if (node.Tag() == "!") return string;
  const auto& text = node.Scalar();
  bool truth = false;
  if (text != "y" && text != "n" && YAML::convert<bool>::decode(node, truth)) return boolean;
  std::int64_t whole = 0;
  if (YAML::convert<std::int64_t>::decode(node, whole)) return integer_type;
  double number = 0;
  if (YAML::convert<double>::decode(node, number)) return real;
  return string;
}

int type_of(const YAML::Node& value, const std::string& name) {
  if (value.IsNull()) return string;  // nothing at all is an empty text
  if (value.IsScalar()) return scalar_type(value);
  if (!value.IsSequence()) throw CommandError("parameter '" + name + "' is neither a value nor a list");
  int type = 0;
  for (const auto& item : value) {
    if (!item.IsScalar()) throw CommandError("parameter '" + name + "': a list holds single values only");
    const int next = scalar_type(item);
    if (type != 0 && type != next) {
      const bool numbers = (type == integer_type || type == real) && (next == integer_type || next == real);
      throw CommandError("parameter '" + name + "': the elements of a list must have one type" +
                         (numbers ? "; write 1.0 for a whole number among fractions" : ""));
    }
    type = next;
  }
  return (type == 0 ? string : type) + list_offset;
}

void set_number(Message& message, const std::string& field, std::int64_t value) {
  member(message, field).content = Number::of_unsigned(Kind::UInt8, static_cast<std::uint64_t>(value));
}

}  // namespace

Message parameter_value(TypeLibrary& types, const YAML::Node& value, const std::string& name) {
  auto result = make_message(types.find("rcl_interfaces/msg/ParameterValue"));
  const int type = type_of(value, name);
  set_number(result, "type", type);
  auto& target = member(result, type_table[static_cast<std::size_t>(type)].field);
  const auto& field = result.type->fields[static_cast<std::size_t>(&target - result.fields.data())];
  if (field.kind != Kind::Bool) {
    assign_text(target, field, YAML::Dump(value));
  } else if (value.IsSequence()) {
    Numbers numbers{Kind::Bool, {}};
    for (const auto& item : value) numbers.append(Number::of_unsigned(Kind::Bool, item.as<bool>() ? 1 : 0));
    target.content = numbers;
  } else {
    target.content = Number::of_unsigned(Kind::Bool, value.as<bool>() ? 1 : 0);
  }
  return result;
}

Message parameter(TypeLibrary& types, const std::string& name, const YAML::Node& value) {
  auto result = make_message(types.find("rcl_interfaces/msg/Parameter"));
  member(result, "name").content = name;
  member(result, "value").content = parameter_value(types, value, name);
  return result;
}

std::vector<Message> parameters(TypeLibrary& types, const YAML::Node& mapping, const std::string& prefix) {
  std::vector<Message> result;
  for (const auto& entry : mapping) {
    const auto name = prefix + entry.first.as<std::string>();
    if (entry.second.IsMap()) {
      for (auto& inner : parameters(types, entry.second, name + ".")) result.push_back(std::move(inner));
    } else {
      result.push_back(parameter(types, name, entry.second));
    }
  }
  return result;
}

std::string kind_text(std::int64_t type) {
  return type > 0 && type < static_cast<std::int64_t>(type_table.size())
             ? type_table[static_cast<std::size_t>(type)].text
             : "";
}

std::string value_text(const Message& value) {
  const auto type = integer(value, "type");
  if (kind_text(type).empty()) return "";
  const auto& chosen = member(value, type_table[static_cast<std::size_t>(type)].field);
  const auto& field = value.type->fields[static_cast<std::size_t>(&chosen - value.fields.data())];
  PrintOptions options;
  options.truncate_length = 0;
  options.flow_style = true;
  auto text = to_yaml(chosen, field, options);
  text.pop_back();
  return text;
}

}  // namespace ros2cli
