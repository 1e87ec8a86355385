// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ros2cli {

/// Something the user can put right; the text names the bad value and the remedy.
class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "; did you mean 'x'?" if one of `known` is close to `name`, else nothing.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

/// "a, b, c"
std::string joined(const std::vector<std::string>& parts, const std::string& separator = ", ");

}  // namespace ros2cli
