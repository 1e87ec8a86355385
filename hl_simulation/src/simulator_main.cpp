// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "simulator_node.hpp"

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  int result = 0;
  try {
    // Two threads: goals must come in while a service waits for the physics.
    rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 2);
    const auto node = std::make_shared<hl_simulation::SimulatorNode>(rclcpp::NodeOptions());
    executor.add_node(node);
    executor.spin();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulator: %s\n", error.what());
    result = 1;
  }
  rclcpp::shutdown();
  return result;
}
