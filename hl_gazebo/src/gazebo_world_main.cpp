// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <memory>

#include "gazebo_world_node.hpp"

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  int result = 0;
  try {
    const auto node = std::make_shared<hl_gazebo::GazeboWorldNode>();
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(node);
    while (rclcpp::ok() && node->serve()) executor.spin_some();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gazebo_world: %s\n", error.what());
    result = 1;
  }
  rclcpp::shutdown();
  return result;
}
