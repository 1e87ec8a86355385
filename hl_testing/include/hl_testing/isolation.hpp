// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace hl_testing {

/// Claims a ROS domain that no other test on this machine uses, for the life of this process and its children, and
/// keeps all traffic on loopback, with room for more than ten processes. Call it before `rclcpp::init`. Returns the
/// domain id.
int isolate();

/// True in the long run (`./test --full`, environment HL_FULL=1).
bool full_run();

/// `quick` in every run, `full` in the long one.
std::size_t count(std::size_t quick, std::size_t full);

}  // namespace hl_testing
