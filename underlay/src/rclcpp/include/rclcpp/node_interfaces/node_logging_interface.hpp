// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "rclcpp/logger.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {
namespace node_interfaces {

class NodeLoggingInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeLoggingInterface)
  explicit NodeLoggingInterface(const std::string& logger_name) : logger_(rclcpp::get_logger(logger_name)) {}

  Logger get_logger() const { return logger_; }
  const char* get_logger_name() const { return logger_.get_name(); }

 private:
  Logger logger_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
