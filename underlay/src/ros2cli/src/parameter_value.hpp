// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "value.hpp"

namespace YAML {
class Node;
class Emitter;
}  // namespace YAML

namespace ros2cli {

/// rcl_interfaces/msg/ParameterValue from a YAML value: 1 is an integer, 1.0 a double, [a, b] a list of texts.
Message parameter_value(TypeLibrary& types, const YAML::Node& value, const std::string& name);
/// rcl_interfaces/msg/Parameter
Message parameter(TypeLibrary& types, const std::string& name, const YAML::Node& value);
/// Every parameter of a nested mapping, with names like "a.b".
std::vector<Message> parameters(TypeLibrary& types, const YAML::Node& mapping, const std::string& prefix = "");

/// "Integer", "String list" ...; empty if not set.
std::string kind_text(std::int64_t type);
/// The value as YAML; nothing if it is not set.
std::string value_text(const Message& parameter_value);

}  // namespace ros2cli
