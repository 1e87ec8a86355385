// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace hl_behavior {

/// `rtdl run`: has the robot carry out a task and shows what happens, line by line.
struct RunTaskCommand {
  std::string text;  // of the task
  std::string name;  // of an installed task, if there is no text
  std::vector<std::string> arguments;
  double time_limit = 0.0;  // s; 0 = the robot's
  std::string robot;        // namespace; empty = none
  double patience = 10.0;   // s to wait for the robot

  static constexpr int kCompleted = 0, kFailed = 1, kTrouble = 2, kInterrupted = 130;
  /// The program's exit code. An interrupt (Ctrl-C) cancels the task and waits until the robot says so; a second one
  /// ends the program.
  int run(int argc, char** argv) const;
};

}  // namespace hl_behavior
