// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rclcpp/parameter_value.hpp"

namespace rclcpp {
namespace detail {

/// A parameter value from outside, for the nodes whose full name fits `node`.
struct ParameterOverride {
  std::string node;  // absolute; `*` stands for one part of the name, `**` for any number of parts
  std::string name;
  ParameterValue value;
};

/// Reads a file of the usual form (node: ros__parameters: name: value, nested namespaces and names, wildcards).
/// Throws std::runtime_error("<file>:<line>: <what and remedy>").
std::vector<ParameterOverride> read_parameter_file(const std::string& path);

/// The same from memory; `source` stands for the file name in errors.
std::vector<ParameterOverride> parse_parameter_yaml(const std::string& yaml, const std::string& source);

/// A single value as in a parameter file: `true`, `1`, `1.0`, `text`, `'1'`, `[1, 2]`. Throws std::runtime_error.
ParameterValue parse_parameter_value(const std::string& yaml);

/// Whether a node pattern of a parameter file means the node.
bool node_pattern_matches(const std::string& pattern, const std::string& fully_qualified_name);

/// What remains for one node. Of one pattern the later value wins; between patterns the one that was first mentioned
/// later wins (so a file's `/**:` section below `node:` overrides it), as in ROS 2.
std::map<std::string, ParameterValue> overrides_for(const std::string& fully_qualified_name,
                                                    const std::vector<ParameterOverride>& overrides);

}  // namespace detail
}  // namespace rclcpp
