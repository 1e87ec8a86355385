// SPDX-License-Identifier: Apache-2.0
// For programs that are nodes as well; they bring CLI11 themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <rclcpp/rclcpp.hpp>

namespace hl_node {

/// Starts rclcpp and reads what its own arguments leave of the command line. If there is nothing more to do, because
/// only help was asked for or an option is wrong: the exit code.
inline std::optional<int> read_command_line(CLI::App& cli, int argc, char** argv) {
  auto words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  words.pop_back();                          // the program's name
  try {
    cli.parse(words);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return cli.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace hl_node
