// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/parameter.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/parameter_value.hpp"

namespace rclcpp {

/// A name and a value.
class Parameter {
 public:
  Parameter() = default;
  explicit Parameter(const std::string& name) : name_(name) {}
  Parameter(const std::string& name, const ParameterValue& value) : name_(name), value_(value) {}
  template <class T>
  Parameter(const std::string& name, const T& value) : Parameter(name, ParameterValue(value)) {}

  const std::string& get_name() const { return name_; }
  ParameterType get_type() const { return value_.get_type(); }
  std::string get_type_name() const { return to_string(get_type()); }
  const ParameterValue& get_parameter_value() const { return value_; }
  rcl_interfaces::msg::ParameterValue get_value_message() const { return value_.to_value_msg(); }

  bool operator==(const Parameter& rhs) const { return name_ == rhs.name_ && value_ == rhs.value_; }
  bool operator!=(const Parameter& rhs) const { return !(*this == rhs); }

  template <ParameterType type>
  decltype(auto) get_value() const {
    return value_.get<type>();
  }
  template <class T>
  decltype(auto) get_value() const {
    if constexpr (std::is_same_v<T, Parameter>) {
      return static_cast<const Parameter&>(*this);
    } else if constexpr (std::is_same_v<T, ParameterValue>) {
      return static_cast<const ParameterValue&>(value_);
    } else {
      try {
        return value_.get<T>();
      } catch (const ParameterTypeException& error) {
        throw exceptions::InvalidParameterTypeException(name_, error.what());
      }
    }
  }

  bool as_bool() const { return get_value<PARAMETER_BOOL>(); }
  int64_t as_int() const { return get_value<PARAMETER_INTEGER>(); }
  double as_double() const { return get_value<PARAMETER_DOUBLE>(); }
  const std::string& as_string() const { return get_value<PARAMETER_STRING>(); }
  const std::vector<uint8_t>& as_byte_array() const { return get_value<PARAMETER_BYTE_ARRAY>(); }
  const std::vector<bool>& as_bool_array() const { return get_value<PARAMETER_BOOL_ARRAY>(); }
  const std::vector<int64_t>& as_integer_array() const { return get_value<PARAMETER_INTEGER_ARRAY>(); }
  const std::vector<double>& as_double_array() const { return get_value<PARAMETER_DOUBLE_ARRAY>(); }
  const std::vector<std::string>& as_string_array() const { return get_value<PARAMETER_STRING_ARRAY>(); }

  static Parameter from_parameter_msg(const rcl_interfaces::msg::Parameter& message) {
    return Parameter(message.name, ParameterValue(message.value));
  }
  rcl_interfaces::msg::Parameter to_parameter_msg() const;
  std::string value_to_string() const { return to_string(value_); }

 private:
  std::string name_;
  ParameterValue value_;
};

std::ostream& operator<<(std::ostream& os, const Parameter& parameter);
std::ostream& operator<<(std::ostream& os, const std::vector<Parameter>& parameters);

}  // namespace rclcpp
