// SPDX-License-Identifier: Apache-2.0
#include "hl_node/diagnostics.hpp"

#include "hl_node/interfaces.hpp"

namespace hl_node {

Diagnostics::Diagnostics(rclcpp::Node& node, const std::string& subject, const std::string& hardware_id,
                         const std::string& prefix)
    : node_name_(node.get_fully_qualified_name()),
      subject_(subject),
      hardware_id_(hardware_id.empty() ? node.get_name() : hardware_id),
      clock_(node.get_clock()),
      publisher_(create_publisher<diagnostic_msgs::msg::DiagnosticArray>(node, topics::kDiagnostics, prefix)) {}

void Diagnostics::report(Level level, const std::string& message, const Values& values) {
  report(level, message, values, clock_->now());
}

void Diagnostics::report(Level level, const std::string& message, const Values& values,
                         const builtin_interfaces::msg::Time& stamp) {
  message_.status.resize(1);
  fill(0, subject_, level, message, values);
  message_.header.stamp = stamp;
  publisher_->publish(message_);
}

void Diagnostics::report(const std::vector<Line>& lines) {
  if (lines.empty()) return;
  message_.status.resize(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    fill(i, lines[i].subject, lines[i].level, lines[i].message, lines[i].values);
  message_.header.stamp = clock_->now();
  publisher_->publish(message_);
}

void Diagnostics::fill(std::size_t line, const std::string& subject, Level level, const std::string& message,
                       const Values& values) {
  diagnostic_msgs::msg::DiagnosticStatus& status = message_.status[line];
  status.name = node_name_ + ": " + subject;
  status.hardware_id = hardware_id_;
  status.level = static_cast<decltype(status.level)>(level);
  status.message = message;
  status.values.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    status.values[i].key = values[i].first;
    status.values[i].value = values[i].second;
  }
}

}  // namespace hl_node
