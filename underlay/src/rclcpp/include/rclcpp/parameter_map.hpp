// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "rclcpp/parameter.hpp"

namespace rclcpp {

/// Full node names (or patterns of them) and their parameters.
using ParameterMap = std::unordered_map<std::string, std::vector<Parameter>>;

ParameterMap parameter_map_from_yaml_file(const std::string& yaml_filename);

}  // namespace rclcpp
