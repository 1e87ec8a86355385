// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/// A program in a pseudo-terminal: it is typed to, and its screen is read, as a person does.
class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& arguments) {
    winsize size{30, 120, 0, 0};
    pid_ = forkpty(&fd_, nullptr, nullptr, &size);
    if (pid_ < 0) throw std::runtime_error("no pseudo-terminal");
    if (pid_ > 0) return;
    std::vector<char*> argv;
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  ~Terminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(fd_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Types `line` and Enter, and returns what the program shows until its next prompt. Nothing in time: what there is.
  std::string type(const std::string& line, const std::string& prompt = "record> ") {
    screen_.clear();
    const std::string text = line + "\n";
    if (write(fd_, text.data(), text.size()) < 0) return "";
    return until(prompt);
  }

  /// What the program shows until `text` appears, or until it ends, or until the time-out.
  std::string until(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (screen_.find(text) == std::string::npos && std::chrono::steady_clock::now() < end && read_some()) {
    }
    return screen_;
  }

  /// The exit code, once the program has closed its terminal.
  std::optional<int> exit_code() {
    until("\x01 never");
    int status = 0;
    if (waitpid(pid_, &status, 0) != pid_) return std::nullopt;
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  bool read_some() {
    pollfd entry{fd_, POLLIN, 0};
    if (poll(&entry, 1, 200) <= 0) return true;
    char buffer[4096];
    const auto count = read(fd_, buffer, sizeof buffer);
    if (count <= 0) return false;
    screen_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  pid_t pid_ = -1;
  int fd_ = -1;
  std::string screen_;
};
