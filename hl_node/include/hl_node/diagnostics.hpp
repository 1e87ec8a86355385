// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <utility>
#include <vector>

namespace hl_node {

enum class Level : std::uint8_t { Ok = 0, Warn = 1, Error = 2, Stale = 3 };  // as DiagnosticStatus numbers them

/// One line of a node's health on `diagnostics`.
class Diagnostics {
 public:
  using Values = std::vector<std::pair<std::string, std::string>>;

  /// `subject`: what the line is about; its name becomes "/robot/node: subject".
  Diagnostics(rclcpp::Node& node, const std::string& subject, const std::string& hardware_id = "");

  /// To be called about once a second, and when the level changes. Not for a control tick: it allocates.
  void report(Level level, const std::string& message, const Values& values = {});

 private:
  rclcpp::Clock::SharedPtr clock_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr publisher_;
  diagnostic_msgs::msg::DiagnosticArray message_;
};

}  // namespace hl_node
