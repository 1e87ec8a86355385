// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/exceptions/exceptions.hpp"

#include <utility>

namespace rclcpp {
namespace exceptions {
namespace {

std::string name_error(const char* name_type, const char* name, const char* error_msg, size_t invalid_index) {
  return std::string("Invalid ") + name_type + ": " + error_msg + ":\n  '" + name + "'\n   " +
         std::string(invalid_index, ' ') + "^\n";
}

std::string joined(const std::vector<std::string>& arguments) {
  std::string text = "found unknown ROS arguments:";
  for (const auto& argument : arguments) {
    text += " '" + argument + "'";
  }
  return text;
}

}  // namespace

NameValidationError::NameValidationError(const char* name_type_, const char* name_, const char* error_msg_,
                                         size_t invalid_index_)
    : std::invalid_argument(name_error(name_type_, name_, error_msg_, invalid_index_)),
      name_type(name_type_),
      name(name_),
      error_msg(error_msg_),
      invalid_index(invalid_index_) {}

UnknownROSArgsError::UnknownROSArgsError(std::vector<std::string> unknown)
    : std::runtime_error(joined(unknown)), unknown_ros_args(std::move(unknown)) {}

}  // namespace exceptions
}  // namespace rclcpp
