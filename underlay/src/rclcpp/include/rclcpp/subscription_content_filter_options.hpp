// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace rclcpp {

/// Which messages a subscription wants, for middlewares that can choose.
struct ContentFilterOptions {
  std::string filter_expression;                   // the WHERE part of an SQL query
  std::vector<std::string> expression_parameters;  // for %n in it
};

}  // namespace rclcpp
