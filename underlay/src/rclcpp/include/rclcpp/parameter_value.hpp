// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/parameter_type.hpp"
#include "rcl_interfaces/msg/parameter_value.hpp"

namespace rclcpp {

enum ParameterType : uint8_t {
  PARAMETER_NOT_SET = rcl_interfaces::msg::ParameterType::PARAMETER_NOT_SET,
  PARAMETER_BOOL = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL,
  PARAMETER_INTEGER = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER,
  PARAMETER_DOUBLE = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE,
  PARAMETER_STRING = rcl_interfaces::msg::ParameterType::PARAMETER_STRING,
  PARAMETER_BYTE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BYTE_ARRAY,
  PARAMETER_BOOL_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL_ARRAY,
  PARAMETER_INTEGER_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER_ARRAY,
  PARAMETER_DOUBLE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE_ARRAY,
  PARAMETER_STRING_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_STRING_ARRAY,
};

std::string to_string(ParameterType type);
std::ostream& operator<<(std::ostream& os, ParameterType type);

class ParameterTypeException : public std::runtime_error {
 public:
  ParameterTypeException(ParameterType expected, ParameterType actual)
      : std::runtime_error("expected [" + to_string(expected) + "] got [" + to_string(actual) + "]") {}
};

/// A value of one of the nine parameter types, or of none.
class ParameterValue {
 public:
  ParameterValue() = default;
  explicit ParameterValue(const rcl_interfaces::msg::ParameterValue& value);  // throws if its type is unknown
  explicit ParameterValue(bool value);
  explicit ParameterValue(int value) : ParameterValue(static_cast<int64_t>(value)) {}
  explicit ParameterValue(int64_t value);
  explicit ParameterValue(float value) : ParameterValue(static_cast<double>(value)) {}
  explicit ParameterValue(double value);
  explicit ParameterValue(const std::string& value);
  explicit ParameterValue(const char* value) : ParameterValue(std::string(value)) {}
  explicit ParameterValue(const std::vector<uint8_t>& value);
  explicit ParameterValue(const std::vector<bool>& value);
  explicit ParameterValue(const std::vector<int>& value);
  explicit ParameterValue(const std::vector<int64_t>& value);
  explicit ParameterValue(const std::vector<float>& value);
  explicit ParameterValue(const std::vector<double>& value);
  explicit ParameterValue(const std::vector<std::string>& value);

  ParameterType get_type() const { return static_cast<ParameterType>(value_.type); }
  rcl_interfaces::msg::ParameterValue to_value_msg() const { return value_; }
  bool operator==(const ParameterValue& rhs) const { return value_ == rhs.value_; }
  bool operator!=(const ParameterValue& rhs) const { return value_ != rhs.value_; }

  /// The value as a reference to its own type (int64_t for every integer, double for float); throws
  /// ParameterTypeException if it has another.
  template <ParameterType type>
  const auto& get() const {
    require(type);
    if constexpr (type == PARAMETER_BOOL) {
      return value_.bool_value;
    } else if constexpr (type == PARAMETER_INTEGER) {
      return value_.integer_value;
    } else if constexpr (type == PARAMETER_DOUBLE) {
      return value_.double_value;
    } else if constexpr (type == PARAMETER_STRING) {
      return value_.string_value;
    } else if constexpr (type == PARAMETER_BYTE_ARRAY) {
      return value_.byte_array_value;
    } else if constexpr (type == PARAMETER_BOOL_ARRAY) {
      return value_.bool_array_value;
    } else if constexpr (type == PARAMETER_INTEGER_ARRAY) {
      return value_.integer_array_value;
    } else if constexpr (type == PARAMETER_DOUBLE_ARRAY) {
      return value_.double_array_value;
    } else {
      static_assert(type == PARAMETER_STRING_ARRAY, "PARAMETER_NOT_SET has no value");
      return value_.string_array_value;
    }
  }
  template <class T>
  const auto& get() const {
    return get<type_of<T>()>();
  }

 private:
  template <class T>
  static constexpr ParameterType type_of() {
    if constexpr (std::is_same_v<T, bool>) {
      return PARAMETER_BOOL;
    } else if constexpr (std::is_integral_v<T>) {
      return PARAMETER_INTEGER;
    } else if constexpr (std::is_floating_point_v<T>) {
      return PARAMETER_DOUBLE;
    } else if constexpr (std::is_convertible_v<T, std::string>) {
      return PARAMETER_STRING;
    } else if constexpr (std::is_convertible_v<T, std::vector<uint8_t>>) {
      return PARAMETER_BYTE_ARRAY;
    } else if constexpr (std::is_convertible_v<T, std::vector<bool>>) {
      return PARAMETER_BOOL_ARRAY;
    } else if constexpr (std::is_convertible_v<T, std::vector<int>> || std::is_convertible_v<T, std::vector<int64_t>>) {
      return PARAMETER_INTEGER_ARRAY;
    } else if constexpr (std::is_convertible_v<T, std::vector<float>> ||
                         std::is_convertible_v<T, std::vector<double>>) {
      return PARAMETER_DOUBLE_ARRAY;
    } else {
      static_assert(std::is_convertible_v<T, std::vector<std::string>>, "this type cannot be a parameter");
      return PARAMETER_STRING_ARRAY;
    }
  }
  void require(ParameterType type) const {
    if (get_type() != type) {
      throw ParameterTypeException(type, get_type());
    }
  }

  rcl_interfaces::msg::ParameterValue value_;
};

/// The text that ROS 2 prints: doubles with six digits after the point, arrays in brackets.
std::string to_string(const ParameterValue& value);

}  // namespace rclcpp
