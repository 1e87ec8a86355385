// SPDX-License-Identifier: Apache-2.0
// A process for components, which share one thread.
#include "rclcpp/executors.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp_components/component_manager.hpp"

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  const auto executor = std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
  const auto manager = std::make_shared<rclcpp_components::ComponentManager>(executor);
  executor->add_node(manager);
  executor->spin();
  rclcpp::shutdown();
}
