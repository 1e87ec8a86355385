// SPDX-License-Identifier: Apache-2.0
#include "hl_testing/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace hl_testing {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  return {ends[0], ends[1]};
}

int exit_code_from(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Process::Process(std::vector<std::string> arguments, const Environment& environment) {
  if (arguments.empty()) throw std::invalid_argument("Process: no program given");
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  const Pipe output = make_pipe();
  const Pipe input = make_pipe();
  const Pipe failure = make_pipe();  // carries errno if exec fails, nothing if it succeeds
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid_ == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // an aborted test leaves nothing behind
    dup2(input.read_end, STDIN_FILENO);
    dup2(output.write_end, STDOUT_FILENO);
    dup2(output.write_end, STDERR_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(argv[0], argv.data());
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(failure.write_end, &error, sizeof error);
    _exit(127);
  }
  setpgid(pid_, pid_);
  close(output.write_end);
  close(input.read_end);
  close(failure.write_end);
  output_fd_ = output.read_end;
  input_fd_ = input.write_end;
  fcntl(output_fd_, F_SETFL, O_NONBLOCK);

  int error = 0;
  const auto received = read(failure.read_end, &error, sizeof error);
  close(failure.read_end);
  if (received == sizeof error) {
    waitpid(pid_, nullptr, 0);
    close(output_fd_);
    close(input_fd_);
    throw std::runtime_error("cannot start " + arguments[0] + ": " + std::strerror(error));
  }
}

Process::~Process() {
  // A node that is killed stays in the others' graph until its lease is over, and the next test's requests go to it.
  if (running()) stop(std::chrono::seconds(5));
  signal(SIGKILL);  // children that outlived it
  if (running()) {
    int status = 0;
    waitpid(pid_, &status, 0);
  }
  close_input();
  close(output_fd_);
}

bool Process::running() {
  if (exit_code_) return false;
  drain();  // a child whose pipe is full stands still
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) exit_code_ = exit_code_from(status);
  return !exit_code_;
}

void Process::signal(int signal_number) const {
  if (pid_ > 0) killpg(pid_, signal_number);
}

std::optional<int> Process::wait(std::chrono::milliseconds timeout) {
  wait_until(
      [this] {
        drain();
        return !running();
      },
      timeout);
  drain();
  return exit_code_;
}

std::optional<int> Process::stop(std::chrono::milliseconds grace) {
  signal(SIGINT);
  if (!wait(grace)) {
    signal(SIGKILL);
    wait(std::chrono::seconds(10));
  }
  return exit_code_;
}

void Process::write(const std::string& text) const {
  if (input_fd_ < 0 || ::write(input_fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("Process: cannot write to the child's input");
  }
}

void Process::close_input() {
  if (input_fd_ >= 0) close(input_fd_);
  input_fd_ = -1;
}

std::string Process::output() {
  drain();
  return output_;
}

bool Process::wait_for_output(const std::string& text, std::chrono::milliseconds timeout) {
  return wait_until(
             [&] {
               const bool ended = !running();
               drain();
               return output_.find(text) != std::string::npos || ended;
             },
             timeout) &&
         output_.find(text) != std::string::npos;
}

void Process::drain() {
  char buffer[4096];
  for (ssize_t n = 0; (n = read(output_fd_, buffer, sizeof buffer)) > 0;) {
    output_.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace hl_testing
