// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

namespace rclcpp {

enum class FutureReturnCode { SUCCESS, INTERRUPTED, TIMEOUT };

std::ostream& operator<<(std::ostream& os, const FutureReturnCode& future_return_code);
std::string to_string(const FutureReturnCode& future_return_code);

}  // namespace rclcpp
