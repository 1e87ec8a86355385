// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <utility>
#include <vector>

namespace hl_node {

enum class Level : std::uint8_t { Ok = 0, Warn = 1, Error = 2, Stale = 3 };  // as DiagnosticStatus numbers them

/// A node's health on `diagnostics`.
class Diagnostics {
 public:
  using Values = std::vector<std::pair<std::string, std::string>>;
  struct Line {
    std::string subject;
    Level level = Level::Ok;
    std::string message;
    Values values;
  };

  /// `subject`: what the line is about; its name becomes "/robot/node: subject". `prefix`: as in interfaces.hpp.
  Diagnostics(rclcpp::Node& node, const std::string& subject, const std::string& hardware_id = "",
              const std::string& prefix = "");

  /// To be called about once a second, and when the level changes. Not for a control tick: it allocates.
  void report(Level level, const std::string& message, const Values& values = {});
  /// At a time of another clock than the node's.
  void report(Level level, const std::string& message, const Values& values,
              const builtin_interfaces::msg::Time& stamp);
  /// One line for each of several things; nothing is said if there are none.
  void report(const std::vector<Line>& lines);

 private:
  void fill(std::size_t line, const std::string& subject, Level level, const std::string& message,
            const Values& values);

  std::string node_name_, subject_, hardware_id_;
  rclcpp::Clock::SharedPtr clock_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr publisher_;
  diagnostic_msgs::msg::DiagnosticArray message_;
};

}  // namespace hl_node
