// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "rclcpp/rclcpp.hpp"

using namespace std::chrono_literals;

/// An initialised context and an executor for each test.
class WithRos : public testing::Test {
 protected:
  WithRos() {
    rclcpp::init(0, nullptr);
    executor_ = std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
  }
  ~WithRos() override {
    executor_.reset();
    rclcpp::shutdown();
  }

  rclcpp::Node::SharedPtr make_node(const std::string& name, const rclcpp::NodeOptions& options = {},
                                    const std::string& namespace_ = "") {
    auto node = std::make_shared<rclcpp::Node>(name, namespace_, options);
    executor_->add_node(node);
    return node;
  }

  /// Spins until the condition holds; generous, as the machine may be loaded.
  template <class Condition>
  bool spin_until(Condition condition, std::chrono::milliseconds timeout = 30s) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (!condition()) {
      if (std::chrono::steady_clock::now() >= end) return false;
      executor_->spin_once(5ms);
    }
    return true;
  }

  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
};

#define RCLCPP_TEST_MAIN                  \
  int main(int argc, char** argv) {       \
    hl_testing::isolate();                \
    testing::InitGoogleTest(&argc, argv); \
    return RUN_ALL_TESTS();               \
  }
