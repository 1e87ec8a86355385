// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ros2bag {

/// Words of a command line that make no sense; the text says which and what would.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What an option takes: `-a`, `-o NAME`, `--clock [HZ]`, `--topics NAME...`.
enum class Takes { Nothing, One, AtMostOne, Many };

struct Option {
  std::vector<std::string> names;  // the first is the key of the result
  Takes takes = Takes::Nothing;
};

struct Parsed {
  std::map<std::string, std::vector<std::string>> options;
  std::vector<std::string> positional;

  bool has(const std::string& option) const { return options.count(option) == 1; }
  std::string value(const std::string& option, const std::string& otherwise = "") const;
  /// Throws UsageError if the value is no number above or equal to `minimum`.
  double number(const std::string& option, double otherwise, double minimum) const;
};

/// Throws UsageError for unknown options (naming the nearest) and missing values.
Parsed parse(const std::vector<std::string>& words, const std::vector<Option>& options);

}  // namespace ros2bag
