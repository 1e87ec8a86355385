// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/parameter.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <sstream>
#include <type_traits>

#include "rclcpp/detail/parameter_store.hpp"

namespace rclcpp {
namespace {

std::string text_of(bool value) {
  return value ? "true" : "false";
}
std::string text_of(int64_t value) {
  return std::to_string(value);
}
std::string text_of(const std::string& value) {
  return value;
}

std::string text_of(double value) {
  return std::to_string(value);
}
std::string text_of(uint8_t value) {
  char buffer[8];
  std::snprintf(buffer, sizeof(buffer), "%#x", value);
  return buffer;
}

template <class T>
std::string text_of(const std::vector<T>& values) {
  std::string text = "[";
  for (const auto& value : values) {
    text += text.size() > 1 ? ", " : "";
    if constexpr (std::is_same_v<T, double>) {
      std::ostringstream number;
      number << value;  // shorter than one by itself, as in ROS 2
      text += number.str();
    } else {
      text += text_of(static_cast<const T&>(value));
    }
  }
  return text + "]";
}

}  // namespace

std::string to_string(ParameterType type) {
  switch (type) {
    case PARAMETER_NOT_SET:
      return "not set";
    case PARAMETER_BOOL:
      return "bool";
    case PARAMETER_INTEGER:
      return "integer";
    case PARAMETER_DOUBLE:
      return "double";
    case PARAMETER_STRING:
      return "string";
    case PARAMETER_BYTE_ARRAY:
      return "byte_array";
    case PARAMETER_BOOL_ARRAY:
      return "bool_array";
    case PARAMETER_INTEGER_ARRAY:
      return "integer_array";
    case PARAMETER_DOUBLE_ARRAY:
      return "double_array";
    case PARAMETER_STRING_ARRAY:
      return "string_array";
  }
  return "unknown type";
}

std::ostream& operator<<(std::ostream& os, ParameterType type) {
  return os << to_string(type);
}

ParameterValue::ParameterValue(const rcl_interfaces::msg::ParameterValue& value) : value_(value) {
  if (value.type > PARAMETER_STRING_ARRAY) {
    throw std::runtime_error("parameter type " + std::to_string(value.type) + " does not exist");
  }
}

ParameterValue::ParameterValue(bool value) {
  value_.type = PARAMETER_BOOL;
  value_.bool_value = value;
}

ParameterValue::ParameterValue(int64_t value) {
  value_.type = PARAMETER_INTEGER;
  value_.integer_value = value;
}

ParameterValue::ParameterValue(double value) {
  value_.type = PARAMETER_DOUBLE;
  value_.double_value = value;
}

ParameterValue::ParameterValue(const std::string& value) {
  value_.type = PARAMETER_STRING;
  value_.string_value = value;
}

ParameterValue::ParameterValue(const std::vector<uint8_t>& value) {
  value_.type = PARAMETER_BYTE_ARRAY;
  value_.byte_array_value = value;
}

ParameterValue::ParameterValue(const std::vector<bool>& value) {
  value_.type = PARAMETER_BOOL_ARRAY;
  value_.bool_array_value = value;
}

ParameterValue::ParameterValue(const std::vector<int>& value)
    : ParameterValue(std::vector<int64_t>(value.begin(), value.end())) {}

ParameterValue::ParameterValue(const std::vector<int64_t>& value) {
  value_.type = PARAMETER_INTEGER_ARRAY;
  value_.integer_array_value = value;
}

ParameterValue::ParameterValue(const std::vector<float>& value)
    : ParameterValue(std::vector<double>(value.begin(), value.end())) {}

ParameterValue::ParameterValue(const std::vector<double>& value) {
  value_.type = PARAMETER_DOUBLE_ARRAY;
  value_.double_array_value = value;
}

ParameterValue::ParameterValue(const std::vector<std::string>& value) {
  value_.type = PARAMETER_STRING_ARRAY;
  value_.string_array_value = value;
}

std::string detail::shortest_text(double value) {
  if (std::isnan(value)) {
    return ".nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? ".inf" : "-.inf";
  }
  char buffer[32];
  for (const int digits : {15, 16, 17}) {
    std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value) {
      break;
    }
  }
  std::string text = buffer;
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string to_string(const ParameterValue& value) {
  switch (value.get_type()) {
    case PARAMETER_NOT_SET:
      return "not set";
    case PARAMETER_BOOL:
      return text_of(value.get<PARAMETER_BOOL>());
    case PARAMETER_INTEGER:
      return text_of(value.get<PARAMETER_INTEGER>());
    case PARAMETER_DOUBLE:
      return text_of(value.get<PARAMETER_DOUBLE>());
    case PARAMETER_STRING:
      return text_of(value.get<PARAMETER_STRING>());
    case PARAMETER_BYTE_ARRAY:
      return text_of(value.get<PARAMETER_BYTE_ARRAY>());
    case PARAMETER_BOOL_ARRAY:
      return text_of(value.get<PARAMETER_BOOL_ARRAY>());
    case PARAMETER_INTEGER_ARRAY:
      return text_of(value.get<PARAMETER_INTEGER_ARRAY>());
    case PARAMETER_DOUBLE_ARRAY:
      return text_of(value.get<PARAMETER_DOUBLE_ARRAY>());
    case PARAMETER_STRING_ARRAY:
      return text_of(value.get<PARAMETER_STRING_ARRAY>());
  }
  return "unknown type";
}

rcl_interfaces::msg::Parameter Parameter::to_parameter_msg() const {
  rcl_interfaces::msg::Parameter message;
  message.name = name_;
  message.value = value_.to_value_msg();
  return message;
}

namespace {

std::string type_and_value(const Parameter& parameter) {
  return R"("type": ")" + parameter.get_type_name() + R"(", "value": ")" + parameter.value_to_string() + '"';
}

}  // namespace

std::ostream& operator<<(std::ostream& os, const Parameter& parameter) {
  return os << R"({"name": ")" << parameter.get_name() << R"(", )" << type_and_value(parameter) << "}";
}

std::ostream& operator<<(std::ostream& os, const std::vector<Parameter>& parameters) {
  os << "{";
  for (size_t i = 0; i < parameters.size(); ++i) {
    os << (i ? ", " : "") << '"' << parameters[i].get_name() << R"(": {)" << type_and_value(parameters[i]) << "}";
  }
  return os << "}";
}

}  // namespace rclcpp
