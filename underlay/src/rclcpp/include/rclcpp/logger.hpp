// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace rclcpp {

class Logger;
namespace detail {
struct LoggerState;
bool log_enabled(const Logger& logger, int severity);
}  // namespace detail

/// A named source of log messages. Names form a tree by dots: a logger without a level of its own has its parent's.
class Logger {
 public:
  enum class Level { Unset = 0, Debug = 10, Info = 20, Warn = 30, Error = 40, Fatal = 50 };

  const char* get_name() const;
  Logger get_child(const std::string& suffix);
  void set_level(Level level);

 private:
  friend Logger get_logger(const std::string& name);
  friend bool detail::log_enabled(const Logger& logger, int severity);
  explicit Logger(std::shared_ptr<detail::LoggerState> state) : state_(std::move(state)) {}

  std::shared_ptr<detail::LoggerState> state_;
};

Logger get_logger(const std::string& name);

}  // namespace rclcpp
