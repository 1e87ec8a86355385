// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/logging.hpp"

#include <rcutils/logging.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rclcpp/detail/log_output.hpp"

namespace rclcpp {
namespace detail {

/// Shared by all Logger objects of one name. The level found in the tree of names is kept together with the generation
/// of the tree it was read from, so that a disabled message costs two atomic loads.
struct LoggerState {
  explicit LoggerState(std::string logger_name) : name(std::move(logger_name)) {}

  const std::string name;
  std::atomic<uint64_t> cache{0};  // generation << 8 | level
};

namespace {

using Sinks = std::vector<std::weak_ptr<LogSink>>;

void output(const rcutils_log_location_t* location, int severity, const char* name, rcutils_time_point_value_t stamp,
            const char* format, va_list* args);

/// The process' logging; rcutils keeps the levels and writes the console, both without locks of its own.
struct Logging {
  Logging() {
    if (rcutils_logging_initialize() != RCUTILS_RET_OK) {
      std::fprintf(stderr, "logging: %s\n", rcutils_get_error_string().str);
      rcutils_reset_error();
    }
    // One that the program has set already stays; it may also be set at any time later.
    if (rcutils_logging_get_output_handler() == rcutils_logging_console_output_handler) {
      rcutils_logging_set_output_handler(output);
    }
  }

  template <class Change>
  void change_levels(Change change) {
    std::lock_guard<std::mutex> lock(mutex);
    change();
    ++generation;
  }

  std::mutex mutex;  // guards rcutils' levels, `loggers` and `sinks`
  std::atomic<uint64_t> generation{1};
  std::atomic<bool> console{true};
  std::unordered_map<std::string, std::shared_ptr<LoggerState>> loggers;
  std::shared_ptr<const Sinks> sinks = std::make_shared<Sinks>();
};

/// Never destroyed: destructors of static objects may still log.
Logging& logging() {
  static Logging* instance = new Logging;
  return *instance;
}

std::string format_text(const char* format, va_list* args) {
  va_list copy;
  va_copy(copy, *args);
  const int length = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  va_copy(copy, *args);
  std::vsnprintf(text.data(), text.size() + 1, format, copy);
  va_end(copy);
  return text;
}

void output(const rcutils_log_location_t* location, int severity, const char* name, rcutils_time_point_value_t stamp,
            const char* format, va_list* args) {
  auto& state = logging();
  if (state.console) {
    va_list copy;
    va_copy(copy, *args);
    rcutils_logging_console_output_handler(location, severity, name, stamp, format, &copy);
    va_end(copy);
  }
  static thread_local bool inside_sink = false;
  std::shared_ptr<const Sinks> sinks;
  {
    std::lock_guard<std::mutex> lock(state.mutex);
    sinks = state.sinks;
  }
  if (inside_sink || sinks->empty()) {
    return;
  }
  const std::string text = format_text(format, args);
  const LogRecord record{severity,
                         stamp,
                         name ? name : "",
                         text.c_str(),
                         location ? location->file_name : "",
                         location ? location->function_name : "",
                         location ? static_cast<unsigned>(location->line_number) : 0};
  struct Inside {
    Inside() { inside_sink = true; }
    ~Inside() { inside_sink = false; }
  } inside;
  for (const auto& weak : *sinks) {
    if (const auto sink = weak.lock()) {
      (*sink)(record);
    }
  }
}

}  // namespace

bool log_enabled(const Logger& logger, int severity) {
  auto& state = *logger.state_;
  auto& global = logging();
  uint64_t cached = state.cache.load(std::memory_order_relaxed);
  if (cached >> 8 != global.generation.load(std::memory_order_relaxed)) {
    std::lock_guard<std::mutex> lock(global.mutex);
    const int level = rcutils_logging_get_logger_effective_level(state.name.c_str());
    cached = global.generation << 8 | static_cast<uint64_t>(level);
    state.cache = cached;
  }
  return severity >= static_cast<int>(cached & 0xff);
}

void log(const Logger& logger, int severity, const LogSite& site, const char* format, ...) {
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  const rcutils_log_location_t location{site.function, site.file, site.line};
  va_list args;
  va_start(args, format);
  if (const auto handler = rcutils_logging_get_output_handler()) {
    handler(&location, severity, logger.get_name(), now.count(), format, &args);
  }
  va_end(args);
}

void log(const Logger& logger, int severity, const LogSite& site, const std::ostringstream& text) {
  log(logger, severity, site, "%s", text.str().c_str());
}

bool LogGate::elapsed(const Time& now, double period_ms) {
  int64_t last = last_;
  const int64_t time = now.nanoseconds();
  if (last != INT64_MIN && time >= last && static_cast<double>(time - last) < period_ms * 1e6) {
    return false;
  }
  return last_.compare_exchange_strong(last, time);  // of several threads one writes
}

std::shared_ptr<void> add_log_sink(LogSink sink) {
  auto added = std::make_shared<LogSink>(std::move(sink));
  auto& state = logging();
  std::lock_guard<std::mutex> lock(state.mutex);
  auto sinks = std::make_shared<Sinks>();
  for (const auto& other : *state.sinks) {
    if (!other.expired()) {
      sinks->push_back(other);
    }
  }
  sinks->push_back(added);
  state.sinks = sinks;
  return added;
}

void set_default_log_level(int severity) {
  logging().change_levels([=] { rcutils_logging_set_default_logger_level(severity); });
}

void set_log_level(const std::string& logger_name, int severity) {
  logging().change_levels([&] {
    if (rcutils_logging_set_logger_level(logger_name.c_str(), severity) != RCUTILS_RET_OK) {
      const std::string reason = rcutils_get_error_string().str;
      rcutils_reset_error();
      throw std::runtime_error("level of logger '" + logger_name + "': " + reason);
    }
  });
}

void set_console_output(bool enabled) {
  logging().console = enabled;
}

int log_level_from_string(const std::string& text) {
  int severity = 0;
  if (rcutils_logging_severity_level_from_string(text.c_str(), rcutils_get_default_allocator(), &severity) !=
          RCUTILS_RET_OK ||
      severity == 0) {
    rcutils_reset_error();
    throw std::invalid_argument("'" + text + "' is not a log level; use debug, info, warn, error or fatal");
  }
  return severity;
}

}  // namespace detail

const char* Logger::get_name() const {
  return state_->name.c_str();
}

Logger Logger::get_child(const std::string& suffix) {
  return get_logger(state_->name.empty() ? suffix : state_->name + "." + suffix);
}

void Logger::set_level(Level level) {
  detail::set_log_level(state_->name, static_cast<int>(level));
}

Logger get_logger(const std::string& name) {
  auto& state = detail::logging();
  std::lock_guard<std::mutex> lock(state.mutex);
  auto& logger = state.loggers[name];
  if (!logger) {
    logger = std::make_shared<detail::LoggerState>(name);
  }
  return Logger(logger);
}

}  // namespace rclcpp
