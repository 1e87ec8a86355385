// SPDX-License-Identifier: Apache-2.0
// Log macros RCLCPP_<LEVEL>[_STREAM][_ONCE|_EXPRESSION|_FUNCTION|_SKIPFIRST|_THROTTLE|_SKIPFIRST_THROTTLE].
// Arguments are evaluated only if the message is written. Formats are checked as printf's are.
#pragma once

#include <atomic>
#include <sstream>

#include "rclcpp/logger.hpp"
#include "rclcpp/time.hpp"

/// Messages below RCLCPP_LOG_MIN_SEVERITY are compiled out.
#define RCLCPP_LOG_MIN_SEVERITY_DEBUG 0
#define RCLCPP_LOG_MIN_SEVERITY_INFO 1
#define RCLCPP_LOG_MIN_SEVERITY_WARN 2
#define RCLCPP_LOG_MIN_SEVERITY_ERROR 3
#define RCLCPP_LOG_MIN_SEVERITY_FATAL 4
#define RCLCPP_LOG_MIN_SEVERITY_NONE 5
#ifndef RCLCPP_LOG_MIN_SEVERITY
#define RCLCPP_LOG_MIN_SEVERITY RCLCPP_LOG_MIN_SEVERITY_DEBUG
#endif

namespace rclcpp {
namespace detail {

struct LogSite {
  const char* function;
  const char* file;
  unsigned line;
};

bool log_enabled(const Logger& logger, int severity);
void log(const Logger& logger, int severity, const LogSite& site, const char* format, ...)
    __attribute__((format(printf, 4, 5), cold));
void log(const Logger& logger, int severity, const LogSite& site, const std::ostringstream& text) __attribute__((cold));

/// State of one _ONCE, _SKIPFIRST or _THROTTLE macro; safe to share between threads.
class LogGate {
 public:
  bool first() { return !used_.exchange(true); }
  bool not_first() { return !first(); }
  /// True if `period_ms` have passed since the last true, or the clock went back.
  bool elapsed(const Time& now, double period_ms);

 private:
  std::atomic<bool> used_{false};
  std::atomic<int64_t> last_{INT64_MIN};  // ns
};

}  // namespace detail
}  // namespace rclcpp

#define RCLCPP_DETAIL_LOG_IF(severity, logger, condition, ...)                                              \
  do {                                                                                                      \
    if ((severity) >= 10 * (RCLCPP_LOG_MIN_SEVERITY + 1)) {                                                 \
      const ::rclcpp::Logger& rclcpp_detail_logger = (logger);                                              \
      if (::rclcpp::detail::log_enabled(rclcpp_detail_logger, severity) && (condition)) {                   \
        ::rclcpp::detail::log(rclcpp_detail_logger, severity, {__func__, __FILE__, __LINE__}, __VA_ARGS__); \
      }                                                                                                     \
    }                                                                                                       \
  } while (0)

#define RCLCPP_DETAIL_STREAM_IF(severity, logger, condition, stream)                                               \
  do {                                                                                                             \
    if ((severity) >= 10 * (RCLCPP_LOG_MIN_SEVERITY + 1)) {                                                        \
      const ::rclcpp::Logger& rclcpp_detail_logger = (logger);                                                     \
      if (::rclcpp::detail::log_enabled(rclcpp_detail_logger, severity) && (condition)) {                          \
        ::std::ostringstream rclcpp_detail_text;                                                                   \
        rclcpp_detail_text << stream;                                                                              \
        ::rclcpp::detail::log(rclcpp_detail_logger, severity, {__func__, __FILE__, __LINE__}, rclcpp_detail_text); \
      }                                                                                                            \
    }                                                                                                              \
  } while (0)

#define RCLCPP_DETAIL_GATED(write_if, severity, logger, condition, ...) \
  do {                                                                  \
    static ::rclcpp::detail::LogGate rclcpp_detail_gate;                \
    write_if(severity, logger, condition, __VA_ARGS__);                 \
  } while (0)

#define RCLCPP_DETAIL_ELAPSED(clock, duration) rclcpp_detail_gate.elapsed((clock).now(), duration)

#define RCLCPP_DEBUG(logger, ...) RCLCPP_DETAIL_LOG_IF(10, logger, true, __VA_ARGS__)
#define RCLCPP_DEBUG_ONCE(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 10, logger, rclcpp_detail_gate.first(), __VA_ARGS__)
#define RCLCPP_DEBUG_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG_IF(10, logger, expression, __VA_ARGS__)
#define RCLCPP_DEBUG_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG_IF(10, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_DEBUG_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 10, logger, rclcpp_detail_gate.not_first(), __VA_ARGS__)
#define RCLCPP_DEBUG_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 10, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_DEBUG_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 10, logger,               \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_DEBUG_STREAM(logger, stream) RCLCPP_DETAIL_STREAM_IF(10, logger, true, stream)
#define RCLCPP_DEBUG_STREAM_ONCE(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 10, logger, rclcpp_detail_gate.first(), stream)
#define RCLCPP_DEBUG_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_STREAM_IF(10, logger, expression, stream)
#define RCLCPP_DEBUG_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_STREAM_IF(10, logger, (*(function))(), stream)
#define RCLCPP_DEBUG_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 10, logger, rclcpp_detail_gate.not_first(), stream)
#define RCLCPP_DEBUG_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 10, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), stream)
#define RCLCPP_DEBUG_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 10, logger,                      \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), stream)

#define RCLCPP_INFO(logger, ...) RCLCPP_DETAIL_LOG_IF(20, logger, true, __VA_ARGS__)
#define RCLCPP_INFO_ONCE(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 20, logger, rclcpp_detail_gate.first(), __VA_ARGS__)
#define RCLCPP_INFO_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG_IF(20, logger, expression, __VA_ARGS__)
#define RCLCPP_INFO_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG_IF(20, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_INFO_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 20, logger, rclcpp_detail_gate.not_first(), __VA_ARGS__)
#define RCLCPP_INFO_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 20, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 20, logger,              \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_INFO_STREAM(logger, stream) RCLCPP_DETAIL_STREAM_IF(20, logger, true, stream)
#define RCLCPP_INFO_STREAM_ONCE(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 20, logger, rclcpp_detail_gate.first(), stream)
#define RCLCPP_INFO_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_STREAM_IF(20, logger, expression, stream)
#define RCLCPP_INFO_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_STREAM_IF(20, logger, (*(function))(), stream)
#define RCLCPP_INFO_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 20, logger, rclcpp_detail_gate.not_first(), stream)
#define RCLCPP_INFO_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 20, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), stream)
#define RCLCPP_INFO_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 20, logger,                     \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), stream)

#define RCLCPP_WARN(logger, ...) RCLCPP_DETAIL_LOG_IF(30, logger, true, __VA_ARGS__)
#define RCLCPP_WARN_ONCE(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 30, logger, rclcpp_detail_gate.first(), __VA_ARGS__)
#define RCLCPP_WARN_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG_IF(30, logger, expression, __VA_ARGS__)
#define RCLCPP_WARN_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG_IF(30, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_WARN_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 30, logger, rclcpp_detail_gate.not_first(), __VA_ARGS__)
#define RCLCPP_WARN_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 30, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_WARN_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 30, logger,              \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_WARN_STREAM(logger, stream) RCLCPP_DETAIL_STREAM_IF(30, logger, true, stream)
#define RCLCPP_WARN_STREAM_ONCE(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 30, logger, rclcpp_detail_gate.first(), stream)
#define RCLCPP_WARN_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_STREAM_IF(30, logger, expression, stream)
#define RCLCPP_WARN_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_STREAM_IF(30, logger, (*(function))(), stream)
#define RCLCPP_WARN_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 30, logger, rclcpp_detail_gate.not_first(), stream)
#define RCLCPP_WARN_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 30, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), stream)
#define RCLCPP_WARN_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 30, logger,                     \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), stream)

#define RCLCPP_ERROR(logger, ...) RCLCPP_DETAIL_LOG_IF(40, logger, true, __VA_ARGS__)
#define RCLCPP_ERROR_ONCE(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 40, logger, rclcpp_detail_gate.first(), __VA_ARGS__)
#define RCLCPP_ERROR_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG_IF(40, logger, expression, __VA_ARGS__)
#define RCLCPP_ERROR_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG_IF(40, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_ERROR_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 40, logger, rclcpp_detail_gate.not_first(), __VA_ARGS__)
#define RCLCPP_ERROR_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 40, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_ERROR_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 40, logger,               \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_ERROR_STREAM(logger, stream) RCLCPP_DETAIL_STREAM_IF(40, logger, true, stream)
#define RCLCPP_ERROR_STREAM_ONCE(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 40, logger, rclcpp_detail_gate.first(), stream)
#define RCLCPP_ERROR_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_STREAM_IF(40, logger, expression, stream)
#define RCLCPP_ERROR_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_STREAM_IF(40, logger, (*(function))(), stream)
#define RCLCPP_ERROR_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 40, logger, rclcpp_detail_gate.not_first(), stream)
#define RCLCPP_ERROR_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 40, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), stream)
#define RCLCPP_ERROR_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 40, logger,                      \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), stream)

#define RCLCPP_FATAL(logger, ...) RCLCPP_DETAIL_LOG_IF(50, logger, true, __VA_ARGS__)
#define RCLCPP_FATAL_ONCE(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 50, logger, rclcpp_detail_gate.first(), __VA_ARGS__)
#define RCLCPP_FATAL_EXPRESSION(logger, expression, ...) RCLCPP_DETAIL_LOG_IF(50, logger, expression, __VA_ARGS__)
#define RCLCPP_FATAL_FUNCTION(logger, function, ...) RCLCPP_DETAIL_LOG_IF(50, logger, (*(function))(), __VA_ARGS__)
#define RCLCPP_FATAL_SKIPFIRST(logger, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 50, logger, rclcpp_detail_gate.not_first(), __VA_ARGS__)
#define RCLCPP_FATAL_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 50, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_FATAL_SKIPFIRST_THROTTLE(logger, clock, duration, ...) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_LOG_IF, 50, logger,               \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), __VA_ARGS__)
#define RCLCPP_FATAL_STREAM(logger, stream) RCLCPP_DETAIL_STREAM_IF(50, logger, true, stream)
#define RCLCPP_FATAL_STREAM_ONCE(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 50, logger, rclcpp_detail_gate.first(), stream)
#define RCLCPP_FATAL_STREAM_EXPRESSION(logger, expression, stream) \
  RCLCPP_DETAIL_STREAM_IF(50, logger, expression, stream)
#define RCLCPP_FATAL_STREAM_FUNCTION(logger, function, stream) \
  RCLCPP_DETAIL_STREAM_IF(50, logger, (*(function))(), stream)
#define RCLCPP_FATAL_STREAM_SKIPFIRST(logger, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 50, logger, rclcpp_detail_gate.not_first(), stream)
#define RCLCPP_FATAL_STREAM_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 50, logger, RCLCPP_DETAIL_ELAPSED(clock, duration), stream)
#define RCLCPP_FATAL_STREAM_SKIPFIRST_THROTTLE(logger, clock, duration, stream) \
  RCLCPP_DETAIL_GATED(RCLCPP_DETAIL_STREAM_IF, 50, logger,                      \
                      rclcpp_detail_gate.not_first() && RCLCPP_DETAIL_ELAPSED(clock, duration), stream)
