// SPDX-License-Identifier: Apache-2.0
// A process for components, which share a pool of threads; parameter `thread_num`, 0 for one per core.
#include "rclcpp/executors.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp_components/component_manager.hpp"

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  const auto manager = std::make_shared<rclcpp_components::ComponentManager>();
  rcl_interfaces::msg::ParameterDescriptor description;
  description.description = "Threads that run callbacks; 0: one per core.";
  description.read_only = true;
  description.integer_range.resize(1);
  description.integer_range[0].to_value = 1000;
  const auto threads = manager->declare_parameter("thread_num", 0, description);
  const auto executor = std::make_shared<rclcpp::executors::MultiThreadedExecutor>(rclcpp::ExecutorOptions(),
                                                                                   static_cast<std::size_t>(threads));
  manager->set_executor(executor);
  executor->add_node(manager);
  executor->spin();
  rclcpp::shutdown();
}
