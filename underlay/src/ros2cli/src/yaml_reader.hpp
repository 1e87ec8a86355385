// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "value.hpp"

namespace YAML {
class Node;
}

namespace ros2cli {

/// The message that a YAML text describes, e.g. "{linear: {x: 0.1}}"; fields that are left out have their defaults.
/// `header: auto` and `stamp: now` put in the present time. Throws CommandError that names field, value and remedy.
Message message_from_text(const Description& type, const std::string& yaml);
Message message_from_node(const Description& type, const YAML::Node& node);
/// Sets a value of `field` to what a YAML text says.
void assign_text(Value& value, const Field& field, const std::string& yaml);
/// True if the text asks for the present time somewhere, so that every message must be made anew.
bool depends_on_time(const std::string& yaml);

/// Parses a YAML text; throws CommandError instead of the library's exceptions.
YAML::Node parse_yaml(const std::string& text);
YAML::Node parse_yaml_file(const std::string& path);

}  // namespace ros2cli
