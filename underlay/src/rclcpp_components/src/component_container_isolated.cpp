// SPDX-License-Identifier: Apache-2.0
// A process for components, each with an executor and a thread of its own; with --use_multi_threaded_executor, with a
// pool of threads of its own.
#include <algorithm>
#include <string>
#include <vector>

#include "rclcpp/utilities.hpp"
#include "rclcpp_components/component_manager_isolated.hpp"

int main(int argc, char** argv) {
  using rclcpp_components::ComponentManager;
  using rclcpp_components::ComponentManagerIsolated;
  const std::vector<std::string> words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  const bool pools = std::find(words.begin(), words.end(), "--use_multi_threaded_executor") != words.end();
  const auto executor = std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
  std::shared_ptr<ComponentManager> manager;
  if (pools) {
    manager = std::make_shared<ComponentManagerIsolated<rclcpp::executors::MultiThreadedExecutor>>(executor);
  } else {
    manager = std::make_shared<ComponentManagerIsolated<>>(executor);
  }
  executor->add_node(manager);
  executor->spin();
  rclcpp::shutdown();
}
