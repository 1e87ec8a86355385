// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace rclcpp {
namespace exceptions {

class InvalidNodeError : public std::runtime_error {
 public:
  InvalidNodeError() : std::runtime_error("node is invalid") {}
};

/// A node, namespace, topic or service name that breaks the rules; the text shows where.
class NameValidationError : public std::invalid_argument {
 public:
  NameValidationError(const char* name_type, const char* name, const char* error_msg, size_t invalid_index);

  const std::string name_type;
  const std::string name;
  const std::string error_msg;
  const size_t invalid_index;
};

class InvalidNodeNameError : public NameValidationError {
 public:
  InvalidNodeNameError(const char* node_name, const char* error_msg, size_t invalid_index)
      : NameValidationError("node name", node_name, error_msg, invalid_index) {}
};

class InvalidNamespaceError : public NameValidationError {
 public:
  InvalidNamespaceError(const char* namespace_, const char* error_msg, size_t invalid_index)
      : NameValidationError("namespace", namespace_, error_msg, invalid_index) {}
};

class InvalidTopicNameError : public NameValidationError {
 public:
  InvalidTopicNameError(const char* topic_name, const char* error_msg, size_t invalid_index)
      : NameValidationError("topic name", topic_name, error_msg, invalid_index) {}
};

class InvalidServiceNameError : public NameValidationError {
 public:
  InvalidServiceNameError(const char* service_name, const char* error_msg, size_t invalid_index)
      : NameValidationError("service name", service_name, error_msg, invalid_index) {}
};

class RCLError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InvalidQosOverridesException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad arguments between --ros-args and --.
class RCLInvalidROSArgsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class UnknownROSArgsError : public std::runtime_error {
 public:
  explicit UnknownROSArgsError(std::vector<std::string> unknown_ros_args);

  const std::vector<std::string> unknown_ros_args;
};

class InvalidParametersException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InvalidParameterValueException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InvalidParameterTypeException : public std::runtime_error {
 public:
  InvalidParameterTypeException(const std::string& name, const std::string& message)
      : std::runtime_error("parameter '" + name + "' has invalid type: " + message) {}
};

class UninitializedStaticallyTypedParameterException : public std::runtime_error {
 public:
  explicit UninitializedStaticallyTypedParameterException(const std::string& name)
      : std::runtime_error(
            "Statically typed parameter '" + name +
            "' must be initialized: it has no default, so a parameter file or -p has to give its value") {}
};

class ParameterAlreadyDeclaredException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterNotDeclaredException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterImmutableException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterModifiedInCallbackException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ParameterUninitializedException : public std::runtime_error {
 public:
  explicit ParameterUninitializedException(const std::string& name)
      : std::runtime_error("parameter '" + name + "' is not initialized") {}
};

}  // namespace exceptions
}  // namespace rclcpp
