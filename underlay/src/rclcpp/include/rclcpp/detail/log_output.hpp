// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rclcpp/logger.hpp"

namespace rclcpp {
namespace detail {

/// One line of the log, as handed to sinks; the pointers are valid during the call only.
struct LogRecord {
  int severity;   // 10 debug .. 50 fatal
  int64_t stamp;  // ns, system time
  const char* name;
  const char* message;
  const char* file;
  const char* function;
  unsigned line;
};

using LogSink = std::function<void(const LogRecord&)>;

/// Sends every log line also to `sink` (for /rosout) until the returned handle dies. Sinks run in the logging thread,
/// from several threads at once and without a lock; what a sink logs itself goes to the console only. A sink may be
/// running while its handle dies, so it must own what it uses.
[[nodiscard]] std::shared_ptr<void> add_log_sink(LogSink sink);

/// Levels as of `--log-level`: of everything, or of one logger and its children (0 = as its parent).
void set_default_log_level(int severity);
void set_log_level(const std::string& logger_name, int severity);

/// `--disable-stdout-logs`
void set_console_output(bool enabled);

/// "debug", "INFO", ... to 10..50; throws std::invalid_argument naming the levels there are.
int log_level_from_string(const std::string& text);

}  // namespace detail
}  // namespace rclcpp
