// SPDX-License-Identifier: Apache-2.0
// For tests of nodes; they bring GoogleTest and rclcpp themselves.
#pragma once

#include <gtest/gtest.h>

#include <rclcpp/rclcpp.hpp>

#include "hl_testing/isolation.hpp"

namespace hl_testing {

/// The `main` of a test that talks over the middleware: in a domain of its own, on loopback.
inline int run_ros_tests(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  isolate();
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}

}  // namespace hl_testing
