// SPDX-License-Identifier: Apache-2.0
#include "hl_node/diagnostics.hpp"

#include "hl_node/interfaces.hpp"

namespace hl_node {

Diagnostics::Diagnostics(rclcpp::Node& node, const std::string& subject, const std::string& hardware_id)
    : clock_(node.get_clock()),
      publisher_(create_publisher<diagnostic_msgs::msg::DiagnosticArray>(node, topics::kDiagnostics)) {
  message_.status.resize(1);
  message_.status[0].name = std::string(node.get_fully_qualified_name()) + ": " + subject;
  message_.status[0].hardware_id = hardware_id.empty() ? node.get_name() : hardware_id;
}

void Diagnostics::report(Level level, const std::string& message, const Values& values) {
  message_.header.stamp = clock_->now();
  diagnostic_msgs::msg::DiagnosticStatus& status = message_.status[0];
  status.level = static_cast<decltype(status.level)>(level);
  status.message = message;
  status.values.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    status.values[i].key = values[i].first;
    status.values[i].value = values[i].second;
  }
  publisher_->publish(message_);
}

}  // namespace hl_node
