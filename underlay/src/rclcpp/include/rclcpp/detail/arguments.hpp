// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/detail/node_names.hpp"
#include "rclcpp/detail/parameter_file.hpp"

namespace rclcpp {
namespace detail {

/// The command line of a process, or NodeOptions::arguments, split into what ROS understands and the rest.
struct Arguments {
  std::vector<RemapRule> remaps;
  std::vector<ParameterOverride> parameters;  // of --params-file and -p, in the order given
  std::optional<int> log_level;
  std::vector<std::pair<std::string, int>> logger_levels;
  bool rosout_logs = true;
  bool console_logs = true;
  std::string enclave = "/";
  std::vector<std::string> others;  // outside of --ros-args ... --
};

/// Throws exceptions::RCLInvalidROSArgsError, which quotes the bad argument, or exceptions::UnknownROSArgsError.
Arguments parse_arguments(const std::vector<std::string>& arguments);

/// Everything outside of `--ros-args ... --`, unchecked.
std::vector<std::string> without_ros_arguments(const std::vector<std::string>& arguments);

/// Sets levels and outputs of the log as the arguments say.
void apply_log_arguments(const Arguments& arguments);

}  // namespace detail
}  // namespace rclcpp
