// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hl_testing {

/// A child process in a process group of its own, with its output collected. The destructor ends the whole
/// group: SIGINT, and SIGKILL for what is left after five seconds.
class Process {
 public:
  using Environment = std::map<std::string, std::string>;  // added to, or replacing, the parent's

  /// Starts `arguments[0]`, looked up in PATH; throws if it cannot be started.
  explicit Process(std::vector<std::string> arguments, const Environment& environment = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  bool running();

  /// Sends `signal_number` to the whole group.
  void signal(int signal_number) const;

  /// Exit code, or 128 + the signal that ended it; nothing if it still runs after `timeout`.
  std::optional<int> wait(std::chrono::milliseconds timeout = std::chrono::seconds(30));

  /// SIGINT, and SIGKILL if that does not end it within `grace`; returns as `wait`.
  std::optional<int> stop(std::chrono::milliseconds grace = std::chrono::seconds(10));

  /// Text for the child's standard input.
  void write(const std::string& text) const;
  void close_input();

  /// Standard output and error so far, in the order they arrived.
  std::string output();

  /// Waits until the output contains `text`.
  bool wait_for_output(const std::string& text, std::chrono::milliseconds timeout = std::chrono::seconds(30));

 private:
  void drain();

  pid_t pid_ = -1;
  int output_fd_ = -1;
  int input_fd_ = -1;
  std::string output_;
  std::optional<int> exit_code_;
};

/// Polls `condition` until it holds; false if it never did within `timeout` (real time: be generous).
template <class Condition>
bool wait_until(Condition condition, std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return condition();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace hl_testing
