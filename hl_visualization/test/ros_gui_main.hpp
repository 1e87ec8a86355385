// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "hl_testing/isolation.hpp"

/// For tests that need the middleware and a window: a domain of their own, and no display.
namespace ros_gui {

/// A node that spins in a thread of its own, as rqt and our window do it.
class SpinningNode {
 public:
  explicit SpinningNode(const std::string& name) : node_(std::make_shared<rclcpp::Node>(name)) {
    executor_.add_node(node_);
    thread_ = std::thread([this] { executor_.spin(); });
  }
  ~SpinningNode() {
    executor_.cancel();
    thread_.join();
  }
  const rclcpp::Node::SharedPtr& node() const { return node_; }

 private:
  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::thread thread_;
};

/// Lets the GUI work until `condition` holds; calls `meanwhile` again and again.
template <class Condition, class Meanwhile>
bool gui_until(Condition condition, Meanwhile meanwhile, int limit_ms = 30'000) {
  QElapsedTimer timer;
  timer.start();
  while (!condition()) {
    if (timer.elapsed() > limit_ms) return false;
    meanwhile();
    QApplication::processEvents(QEventLoop::AllEvents, 20);
    QThread::msleep(10);
  }
  return true;
}

inline int run(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  testing::InitGoogleTest(&argc, argv);
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  QApplication application(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}

}  // namespace ros_gui
