// SPDX-License-Identifier: Apache-2.0
// Runs the command line programs of this build.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hl_testing/process.hpp"

namespace tools {

constexpr auto patience = std::chrono::seconds(60);

struct Result {
  int code = -1;
  std::string output;
};

inline std::vector<std::string> command(const std::string& name, std::vector<std::string> words) {
  words.insert(words.begin(), std::string(TOOLS) + "/ros2-" + name);
  return words;
}

inline Result run(const std::string& name, const std::vector<std::string>& words) {
  hl_testing::Process process(command(name, words));
  Result result;
  result.code = process.wait(patience).value_or(-1);
  result.output = process.output();
  return result;
}

inline testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

}  // namespace tools
